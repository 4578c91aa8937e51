import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../server/answers/index.ts";
import { useWhyNoActs } from "../acts.ts";
import { useAddress } from "../address.ts";
import "./undo.css";

type Undoable = AnswerOf<"undoable">[number];

interface UndoProps {
  /** The last one first, as the log has them. */
  readonly acts: AnswerOf<"undoable">;
  /** What came of the last attempt to do or take back something, where there is more to say than that it is done. */
  readonly notice: string | undefined;
  onUndo(act: Undoable): void;
}

/** What was done and can be taken back, with what ends that; no clock does (WCAG 2.2.1). */
export function UndoStrip({ acts, notice, onUndo }: UndoProps) {
  const [isOpen, setOpen] = useState(false);
  const open = acts.filter(({ read_by }) => read_by === null);
  const [last] = acts;
  return (
    <section class="undo-strip" aria-label="What can be taken back">
      {isOpen && (
        <ul>
          {acts.map((act) => (
            <li key={`${act.kind}-${act.id}`}>
              <Done act={act} onUndo={() => onUndo(act)} />
            </li>
          ))}
        </ul>
      )}
      <div class="undo-last">
        {acts.length > 1 || isOpen ? (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Answered ({open.length})
          </button>
        ) : (
          <span class="muted">Answered ({open.length})</span>
        )}
        {notice === undefined ? (
          last && !isOpen && <Done act={last} onUndo={() => onUndo(last)} />
        ) : (
          <span role="status">{notice}</span>
        )}
      </div>
    </section>
  );
}

function Done({ act, onUndo }: { readonly act: Undoable; onUndo(): void }) {
  const { with: to } = useAddress();
  const why = useWhyNoActs();
  const { text, answer, task, position, read_by, read_at } = act;
  const what = answer ?? text;
  return (
    <p class="undo-act">
      <span class="undo-what">
        {act.act}: “{what}”
      </span>
      {read_by === null ? (
        <>
          <button
            type="button"
            disabled={why !== undefined}
            title={why ?? text}
            aria-label={`Undo: ${act.act} “${what}”`}
            onClick={onUndo}
          >
            Undo
          </button>
          <span class="muted">
            <Link href={to({ event: position }, "/log")}>#{position}</Link> · until the next session of{" "}
            <Link href={to({}, `/tasks/${task}`)}>task {task}</Link>
          </span>
        </>
      ) : (
        <span class="muted">
          went into the prompt of session <Link href={to({ session: read_by }, "/sessions")}>{read_by}</Link>{" "}
          at <Link href={to({ event: read_at ?? undefined }, "/log")}>#{read_at}</Link>
        </span>
      )}
    </p>
  );
}
