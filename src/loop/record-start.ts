import type { Project } from "../api/project.ts";
import type { Config } from "../config/config.ts";
import type { Draft } from "../events/types/index.ts";
import { loopStream } from "../events/types/loops.ts";
import { LogError } from "../lib/log-error.ts";
import { startedAlready } from "./driver-name.ts";

/**
 * Records that a loop started: also where it runs, and what it may use.
 *
 * @returns the event's position
 * @throws Refusal `nothing_to_do`: a driver of this name was started before
 */
export async function recordStart(
  { log, store, actor }: Project,
  loop: Pick<Draft<"loop.started">["payload"], "driver" | "agent" | "jobs">,
  { budget }: Pick<Config, "budget">,
): Promise<number> {
  const hasBudget = (budget.usd ?? budget.tokens) !== undefined;
  const payload = { ...loop, host: store.ownHost?.().host, ...(hasBudget && { budget }) };
  const isFirst = { expectedStreamVersion: { stream: loopStream(loop), version: 0 } };
  try {
    const { events } = await log.append([{ type: "loop.started", payload, actor }], isFirst);
    return events[0]?.position ?? 0;
  } catch (error) {
    if (error instanceof LogError && error.code === "stream_moved") throw startedAlready(loop.driver);
    throw error;
  }
}
