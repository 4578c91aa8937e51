import type { Project } from "../../api/project.ts";
import { happened, Refusal } from "../../decisions/refusal.ts";
import { recordInterrupted } from "../../gates/interrupted.ts";
import { LogError } from "../../lib/log-error.ts";
import { loseHost } from "../../operations/hosts.ts";
import { isAlarming } from "../../outside/fleet/alarming.ts";
import { type HostView, viewHosts } from "../../outside/fleet/hosts.ts";
import { type Recovered, recover } from "./recovery.ts";

/**
 * Declares a host lost, if nobody has yet, and ends what was open there.
 *
 * @throws LogError; Refusal `not_found`
 */
export async function declareLost(
  project: Project,
  readModelPath: string,
  { host, epoch }: Pick<HostView, "host" | "epoch">,
): Promise<Recovered[]> {
  await happened(project.decide(loseHost({ host, epoch })));
  const recovered = await recover(project, readModelPath);
  await recordInterrupted(project.store);
  return recovered;
}

/**
 * That a human may declare a host lost.
 *
 * @param force also if it gives signs of life
 * @throws Refusal `not_possible`: it is this host, or alive; `nothing_to_do`: it is lost already
 */
export function requireSilent({ host, state, silent_ms }: HostView, force: boolean): void {
  if (state === "own") {
    throw new Refusal(
      "not_possible",
      `${host} is the host that you are on. End the sessions of its dead drivers with \`signalbox driver recover\`.`,
    );
  }
  if (state === "lost") throw new Refusal("nothing_to_do", `Host ${host} was declared lost already.`);
  if (state === "alive" && !force) {
    throw new Refusal(
      "not_possible",
      `Host ${host} gave a sign of life ${Math.round((silent_ms ?? 0) / 1_000)} s ago. Stop its drivers there; or add --force, and its agents end when they notice.`,
    );
  }
}

/** Declares every suspect lost that has left something open (`fleet.recover: auto`). */
export async function declareSuspectsLost(
  project: Project,
  readModelPath: string,
  silence_ms: number,
): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const view of await suspectsOf(project, silence_ms))
    recovered.push(...(await declareLost(project, readModelPath, view)));
  return recovered;
}

/** None where the log cannot be reached: then it is this host that is silent. */
async function suspectsOf(project: Project, silence_ms: number): Promise<HostView[]> {
  try {
    const views = await viewHosts(project.store, silence_ms);
    return views.filter(isAlarming);
  } catch (error) {
    if (error instanceof LogError) return [];
    throw error;
  }
}
