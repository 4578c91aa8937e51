import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** What the sessions of an agent's conversation have cost so far, in US dollars; what is unknown counts as nothing. */
export function conversationCost(readModel: ReadView, conversation: string): number {
  return (readModel.get(COST, { conversation })?.micro_usd ?? 0) / 1_000_000;
}

const COST = question<{ conversation: string }>()((tables, given) =>
  tables
    .selectFrom("agents")
    .where("conversation", "=", given("conversation"))
    .select((column) => column.fn.sum<number | null>("cost_micro_usd").as("micro_usd")),
);
