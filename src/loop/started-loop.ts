import type { Config } from "../config/config.ts";
import type { Store } from "../decisions/store.ts";
import type { Draft } from "../events/types/index.ts";

type Started = Draft<"loop.started">["payload"];

/** What the log is told of a loop that starts: also where it runs, and what it may use. */
export function startedLoop(
  loop: Pick<Started, "driver" | "agent" | "jobs">,
  { budget }: Pick<Config, "budget">,
  { ownHost }: Pick<Store, "ownHost">,
): Started {
  const hasBudget = (budget.usd ?? budget.tokens) !== undefined;
  return { ...loop, host: ownHost?.().host, ...(hasBudget && { budget }) };
}
