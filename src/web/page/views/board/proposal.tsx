import { useRef, useState } from "preact/hooks";
import type { Card } from "../../../../projections/queries/cards.ts";
import { useAct, useWhyNoActs } from "../../acts.ts";
import { ActButton } from "../../parts/act-button.tsx";
import type { BoardOf } from "./card.tsx";
import { ChangeTask } from "./change-task.tsx";
import { lastDone } from "./notice.tsx";

/** A human's word on a task that an agent proposed. */
export function ProposalActs({ card, board }: { readonly card: Card; readonly board: BoardOf }) {
  const { run, isBusy, problem } = useAct("inbox");
  const whyNot = useWhyNoActs();
  const [isChanging, setChanging] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { id, proposal } = card;
  const decide = async (act: "approve" | "reject") => {
    if (!proposal) return;
    const next = otherCard(box.current);
    const acted = await run({ id: proposal.id, kind: "proposal", task: id, act });
    if (!acted) return;
    lastDone.set({ text: `#${id} ${act === "approve" ? "approved" : "rejected"}.`, undo: proposal.id });
    // Whoever goes through proposals by keys goes on with the next one.
    if (box.current?.contains(document.activeElement) || document.activeElement === document.body)
      next?.focus();
  };
  return (
    <div ref={box} class="proposal">
      <p class="muted">from #{proposal?.from}</p>
      <div class="proposal-acts">
        <ActButton {...{ whyNot, isBusy }} data-act="approve" onAct={() => decide("approve")}>
          Approve<span class="hidden-but-read"> #{id}</span>
        </ActButton>
        <ActButton {...{ whyNot, isBusy }} data-act="reject" onAct={() => decide("reject")}>
          Reject<span class="hidden-but-read"> #{id}</span>
        </ActButton>
        <ActButton
          {...{ whyNot, isBusy }}
          data-act="change"
          onAct={() => setChanging(true)}
          aria-label={`Change #${id}`}
        >
          ✎
        </ActButton>
      </div>
      {problem && <p role="alert">{problem}</p>}
      {isChanging && <ChangeTask task={id} board={board} onClose={() => setChanging(false)} />}
    </div>
  );
}

function otherCard(inside: HTMLElement | null): HTMLElement | undefined {
  const row = inside?.closest("li");
  const other = row?.nextElementSibling ?? row?.previousElementSibling;
  return other?.querySelector<HTMLElement>(".card-title") ?? undefined;
}
