import type { Project } from "../api/project.ts";
import type { Config } from "../config/config.ts";
import type { Observed } from "./agent/observed.ts";
import type { Claim } from "./claim.ts";
import { usageOf } from "./session-facts.ts";

/**
 * The cost of this session in US dollars, as reported by its client, or else from the configured
 * prices; undefined if neither is known. If a client reports the cost of a whole conversation,
 * earlier sessions of it are subtracted.
 */
export async function costOf(
  project: Project,
  { prices }: Config,
  claim: Pick<Claim, "model">,
  seen: Observed,
): Promise<number | undefined> {
  const { init, result, costUsd } = seen;
  const total = result?.totalCostUsd;
  if (total === undefined) return costUsd ?? costByPrice();
  if (init?.conversation === undefined) return total;
  return Math.max(0, total - (await project.queries.conversationCost(init.conversation)));

  function costByPrice(): number | undefined {
    const model = claim.model ?? init?.model;
    const price = model === undefined || !Object.hasOwn(prices, model) ? undefined : prices[model];
    if (!price || (!result?.usage && seen.turns === 0)) return undefined;
    const { input, cached, output } = usageOf(seen);
    const perMillion =
      (input - cached) * price.input + cached * (price.cached_input ?? price.input) + output * price.output;
    return perMillion / 1_000_000;
  }
}
