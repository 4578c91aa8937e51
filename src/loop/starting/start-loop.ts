import { relative } from "node:path";
import { concatMap, filter, firstValueFrom, map, merge, timer } from "rxjs";
import { ConfigError } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import type { LoopPlan, LoopWish, StartedLoop } from "../../fleet/loop-control.ts";
import { endGroup } from "../../processes/group.ts";
import type { Project } from "../../project/project.ts";
import { driverUnder } from "../driver-name.ts";
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
  const started = async (): Promise<StartedLoop | undefined> => {
    const position = await project.queries.startOfLoop(driver);
    return position === undefined ? undefined : { driver, position, output };
  };
  const before = await started();
  if (before) return before;
  const plan = planLoop(path);
  if ("problem" in plan) throw new Refusal("not_possible", plan.problem);
  const head = await log.head();
  const run = startDetached(path, outputFile, [
    "--wait",
    "--key",
    key,
    ...(jobs === undefined ? [] : ["--jobs", String(jobs)]),
  ]);
  const begins = log.follow(head).pipe(
    concatMap((events) => events),
    filter(({ type, payload }) => type === "loop.started" && payload.driver === driver),
    map(() => undefined),
  );
  const late = timer(PATIENCE_MS).pipe(map(() => `it has not begun within ${PATIENCE_MS / 1_000} s`));
  const problem = await firstValueFrom(merge(begins, run.ended, late));
  const loop = await started();
  if (loop) return loop;
  if (run.group !== undefined) await endGroup(run.group, GRACE_MS);
  const why = (problem ?? "").replace(/\.$/, "");
  throw new Refusal("not_possible", `The loop could not start: ${why}. Its output is in ${output}.`);
}

/** A shared log may be out of reach for a while. */
const PATIENCE_MS = 60_000;
const GRACE_MS = 2_000;
