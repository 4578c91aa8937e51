import { relative } from "node:path";
import { concatAll, filter, firstValueFrom, map, merge, type Observable, timer } from "rxjs";
import type { Project } from "../../api/project.ts";
import { ConfigError } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { EventLog } from "../../events/log.ts";
import { endGroup } from "../../lib/processes/group.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import type { LoopPlan, LoopWish, StartedLoop } from "../../outside/fleet/loop-control.ts";
import { driverUnder, startOfLoop } from "../driver-name.ts";
import { outputFileOf, startDetached } from "./detached-run.ts";

/** By the configuration, which a human must have confirmed. */
export function planLoop(readModelPath: string): LoopPlan {
  try {
    const { agent, jobs, budget } = confirmedConfig(readModelPath);
    return { agent, jobs, budget };
  } catch (error) {
    if (error instanceof ConfigError) return { problem: error.message };
    throw error;
  }
}

/**
 * Starts a loop that waits for tasks, as a process of its own, and waits until it has said in the log that it started. Under a
 * key that was used before it starts nothing.
 *
 * @throws Refusal `not_possible`: nothing runs; the message says why
 */
export async function startLoop(project: Project, { key, jobs }: LoopWish): Promise<StartedLoop> {
  const { readModel, log } = project.store;
  const path = readModel.database.name;
  const driver = driverUnder(key);
  const outputFile = outputFileOf(path, driver);
  const output = relative(`${ralphFolderOf(path)}/..`, outputFile);
  const before = await startOfLoop(log, driver);
  if (before !== undefined) return { driver, position: before, output };
  const plan = planLoop(path);
  if ("problem" in plan) throw new Refusal("not_possible", plan.problem);
  const starts = startsOf(log, await log.head(), driver);
  const run = startDetached(path, outputFile, [
    "--wait",
    "--key",
    key,
    ...(jobs === undefined ? [] : ["--jobs", String(jobs)]),
  ]);
  try {
    const outcome = await firstValueFrom(merge(starts, run.ended, timer(PATIENCE_MS).pipe(map(() => LATE))));
    // One that ended may have found that another process started the loop under this key.
    const position = typeof outcome === "number" ? outcome : await startOfLoop(log, driver);
    if (position !== undefined) return { driver, position, output };
    const why = String(outcome).replace(/\.$/, "");
    throw new Refusal("not_possible", `The loop could not start: ${why}. Its output is in ${output}.`);
  } catch (error) {
    if (run.group !== undefined) await endGroup(run.group, GRACE_MS);
    throw error;
  }
}

/** Emits the position of a driver's start after a position. */
function startsOf(log: EventLog, after: number, driver: string): Observable<number> {
  return log.follow(after).pipe(
    concatAll(),
    filter(({ type, payload }) => type === "loop.started" && payload.driver === driver),
    map(({ position }) => position),
  );
}

/** A shared log may be out of reach for a while. */
const PATIENCE_MS = 60_000;
const LATE = `it did not start within ${PATIENCE_MS / 1_000} s`;
const GRACE_MS = 2_000;
