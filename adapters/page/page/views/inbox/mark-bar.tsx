import { useDisabledReason } from "../../acts.ts";
import { roleForItem } from "../../core.ts";
import { useKeys } from "../../keys.ts";
import { ActButton } from "../../parts/act-button.tsx";
import type { OfferedAct } from "../../parts/inbox-item/handling.ts";
import { countOf, type Kind } from "../../parts/inbox-item/kinds.tsx";
import { keepMarks, type Mark } from "./marks.ts";

interface MarkBarProps {
  /** The marked items of one kind; the other kinds follow when these are done. */
  readonly marked: readonly Mark[];
  readonly kind: Kind;
  /** How many items of other kinds are marked. */
  readonly others: number;
  readonly acts: readonly OfferedAct[];
  onAct(marked: readonly Mark[], act: OfferedAct): void;
}

/** The acts on the marked items of one kind: one act for all of them. */
export function MarkBar({ marked, kind, others, acts, onAct }: MarkBarProps) {
  const disabledReason = useDisabledReason(roleForItem(kind));
  useKeys("Inbox", [
    ...acts.map((act) => ({
      key: act.key,
      does: `${act.label} all marked`,
      run: ({ repeat }: KeyboardEvent) => {
        if (!repeat && disabledReason === undefined) onAct(marked, act);
      },
    })),
    { key: "Escape", does: "remove the marks", run: () => keepMarks(() => false) },
  ]);
  return (
    <section class="mark-bar" aria-label="Marked items">
      <p role="status">
        {countOf(kind, marked.length)} marked
        {others > 0 && `, and ${others} of other kinds`}
      </p>
      {acts.map((act, place) => (
        <ActButton
          key={act.label}
          class={place === 0 ? "main" : undefined}
          disabledReason={disabledReason}
          aria-keyshortcuts={act.key}
          onAct={() => onAct(marked, act)}
        >
          {act.label} {marked.length}{" "}
          <span class="key" aria-hidden="true">
            {act.key}
          </span>
        </ActButton>
      ))}
      <button type="button" onClick={() => keepMarks(() => false)}>
        Unmark
      </button>
    </section>
  );
}
