import { useState } from "preact/hooks";
import type { AnswerOf } from "../../server/answers/index.ts";
import { useDisabledReason } from "../acts.ts";
import { ActButton } from "./act-button.tsx";
import { EventLink, SessionLink, TaskLink } from "./links.tsx";
import "./undo.css";
import { oneLine } from "./readable.ts";

type Undoable = AnswerOf<"undoable">[number];

interface UndoProps {
  /** The latest first. */
  readonly acts: AnswerOf<"undoable">;
  /** The outcome of the last action or undo, if it needs explaining. */
  readonly notice: string | undefined;
  onUndo(act: Undoable): void;
}

/** Recent actions with an undo button, which never times out (WCAG 2.2.1). */
export function UndoStrip({ acts, notice, onUndo }: UndoProps) {
  const [isOpen, setOpen] = useState(false);
  const open = acts.filter(({ read_by }) => read_by === null);
  const [last] = acts;
  return (
    <section class="undo-strip" aria-label="Actions you can undo">
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
  const disabledReason = useDisabledReason("answer");
  const { text, answer, task, position, read_by, read_at, in_prompt, others } = act;
  const what = oneLine(answer ?? text);
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return (
    <p class="undo-act">
      <span class="undo-what">
        {act.act}: “{what}”{more}
      </span>
      {read_by === null ? (
        <>
          <ActButton
            disabledReason={disabledReason}
            title={disabledReason === undefined ? oneLine(text) : undefined}
            aria-label={`Undo: ${act.act} “${what}”${more}`}
            onAct={onUndo}
          >
            Undo
          </ActButton>
          <span class="muted">
            <EventLink position={position} /> · until the next session of{" "}
            {more ? "their tasks" : <TaskLink id={task}>task {task}</TaskLink>} starts
          </span>
        </>
      ) : (
        <span class="muted">
          too late to undo: {in_prompt ? "used in the prompt of session" : "followed by session"}{" "}
          <SessionLink id={read_by} />
          {read_at !== null && (
            <>
              {" "}
              at <EventLink position={read_at} />
            </>
          )}
        </span>
      )}
    </p>
  );
}
