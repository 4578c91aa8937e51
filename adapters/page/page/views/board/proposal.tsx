import { useRef } from "preact/hooks";
import { useAct, useDisabledReason } from "../../acts.ts";
import type { Card } from "../../core.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { openTaskForm } from "../../parts/task-form/open.ts";
import { lastAction } from "./notice.tsx";

/** The actions on a task that an agent proposed, on its card or in its pane. */
export function ProposalActs({ card }: { readonly card: Card }) {
  const { run, isBusy, problem } = useAct("inbox");
  const disabledReason = useDisabledReason();
  const box = useRef<HTMLDivElement>(null);
  const { id, proposal } = card;
  const decide = async (act: "approve" | "reject") => {
    if (!proposal) return;
    const place = box.current?.closest<HTMLElement>("[data-task]");
    // Found before the action, since a disabled button loses the focus.
    const isHere = () => place?.contains(document.activeElement) || document.activeElement === document.body;
    const wasHere = isHere();
    const next = place && nextFocusTarget(place);
    const acted = await run({ id: proposal.id, kind: "proposal", task: id, act });
    if (!acted) return;
    lastAction.set({ text: `#${id} ${act === "approve" ? "approved" : "rejected"}.`, undo: proposal.id });
    if (wasHere && isHere()) next?.focus();
  };
  return (
    <div ref={box} class="proposal">
      <p class="muted">from #{proposal?.from}</p>
      <div class="proposal-acts">
        <ActButton {...{ disabledReason, isBusy }} data-act="approve" onAct={() => decide("approve")}>
          Approve<span class="hidden-but-read"> #{id}</span>
        </ActButton>
        <ActButton {...{ disabledReason, isBusy }} data-act="reject" onAct={() => decide("reject")}>
          Reject<span class="hidden-but-read"> #{id}</span>
        </ActButton>
        <ActButton
          {...{ disabledReason, isBusy }}
          data-act="change"
          onAct={() => openTaskForm(id)}
          aria-label={`Edit #${id}`}
        >
          ✎
        </ActButton>
      </div>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}

/** The next element to focus: the next proposal after a card, the heading in a pane. */
function nextFocusTarget(place: HTMLElement): HTMLElement | null | undefined {
  const rows = [...(place.closest("ul")?.children ?? [])];
  const own = rows.findIndex((row) => row.contains(place));
  if (own < 0) return place.querySelector<HTMLElement>("h2");
  const others = [...rows.slice(own + 1), ...rows.slice(0, own).reverse()];
  const next = others.find((row) => row.querySelector(".is-proposal")) ?? others[0];
  return next?.querySelector<HTMLElement>(".card-title");
}
