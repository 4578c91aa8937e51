import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { type Card, counted } from "../../core.ts";
import type { Kind } from "../../parts/inbox-item/kinds.tsx";

/** What a human should notice about a task without opening it. Each leads to its item in the task's pane. */
export function Badges({ card, stuckLimit }: { readonly card: Card; readonly stuckLimit: number }) {
  const { with: to } = useAddress();
  return (
    <>
      {badgesOf(card).map(({ text, tone, kind }) => (
        <Link key={text} class={`badge tone-${tone}`} href={to({ task: card.id, item: kind })}>
          {text}
        </Link>
      ))}
      {card.stuck_count > 0 && (
        <span class="badge tone-plain">
          stuck {card.stuck_count}/{stuckLimit}
        </span>
      )}
    </>
  );
}

interface Badge {
  readonly text: string;
  readonly tone: "alarm" | "asks" | "plain";
  /** Of its items. */
  readonly kind: Kind;
}

function badgesOf(card: Card): Badge[] {
  const { escalated_gates, contests, blocking_flags, open_questions, open_blockers, unapproved_gates } = card;
  return [
    escalated_gates.length > 0 && badge("gate", "alarm", `gate ${escalated_gates.join(", ")} escalated`),
    contests > 0 && badge("contest", "alarm", "contested"),
    blocking_flags > 0 && badge("flag", "alarm", counted(blocking_flags, "blocking flag")),
    card.awaits_acceptance && badge("acceptance", "asks", "waiting for acceptance"),
    open_questions > 0 && badge("question", "asks", counted(open_questions, "question")),
    open_blockers > 1 && badge("blocker", "plain", counted(open_blockers, "blocker")),
    unapproved_gates > 0 && badge("gate_approval", "asks", `${counted(unapproved_gates, "gate")} to approve`),
    card.held_at > 0 && card.status === "pending" && badge("hold", "asks", "held"),
  ].filter((one) => one !== false);
}

function badge(kind: Kind, tone: Badge["tone"], text: string): Badge {
  return { kind, tone, text };
}
