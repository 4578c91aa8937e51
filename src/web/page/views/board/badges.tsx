import { counted } from "../../../../lib/readable.ts";
import type { Card } from "../../../../projections/queries/cards.ts";

/** What a human should notice about a task without opening it. */
export function Badges({ card, stuckLimit }: { readonly card: Card; readonly stuckLimit: number }) {
  return (
    <>
      {badgesOf(card, stuckLimit).map(({ text, tone }) => (
        <span key={text} class={`badge tone-${tone}`}>
          {text}
        </span>
      ))}
    </>
  );
}

interface Badge {
  readonly text: string;
  readonly tone: "alarm" | "asks" | "plain";
}

function badgesOf(card: Card, stuckLimit: number): Badge[] {
  const { escalated_gates, contests, blocking_flags, open_questions, open_blockers, unapproved_gates } = card;
  return [
    escalated_gates.length > 0 && badge("alarm", `gate ${escalated_gates.join(", ")} escalated`),
    contests > 0 && badge("alarm", "contested"),
    blocking_flags > 0 && badge("alarm", counted(blocking_flags, "blocking flag")),
    card.awaits_acceptance && badge("asks", "waiting for acceptance"),
    open_questions > 0 && badge("asks", counted(open_questions, "question")),
    open_blockers > 1 && badge("plain", counted(open_blockers, "blocker")),
    unapproved_gates > 0 && badge("asks", `${counted(unapproved_gates, "gate")} to approve`),
    card.held_at > 0 && card.status === "pending" && badge("asks", "held"),
    card.stuck_count > 0 && badge("plain", `stuck ${card.stuck_count}/${stuckLimit}`),
  ].filter((one) => one !== false);
}

function badge(tone: Badge["tone"], text: string): Badge {
  return { tone, text };
}
