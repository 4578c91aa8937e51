import type { ReadModel } from "../read-model.ts";

/** What the sessions of an agent's conversation have cost so far, in US dollars; what is unknown counts as nothing. */
export function conversationCost(readModel: ReadModel, conversation: string): number {
  const sum = readModel
    .prepared<[string], { micro_usd: number }>(
      "SELECT coalesce(sum(cost_micro_usd), 0) AS micro_usd FROM agents WHERE conversation = ?",
    )
    .get(conversation);
  return (sum?.micro_usd ?? 0) / 1_000_000;
}
