import type { Command } from "commander";
import { z } from "zod";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { worktreesOf } from "../../config/schema.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { stateOf } from "../../decisions/state.ts";
import { taskId } from "../../events/types/fields.ts";
import { print, printJsonLine } from "../../lib/terminal/output.ts";
import { keepAlive } from "../../loop/drivers/registry.ts";
import { commitWork } from "../../loop/merge/commit-work.ts";
import { openMergeQueue, workOf } from "../../loop/merge/queue.ts";
import {
  listMerges,
  mergeActed,
  mergeSaid,
  queueMerge,
  reopenForMerge,
  withdrawMerge,
} from "../../operations/merges.ts";
import { configToUse } from "../asking/confirm-config.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  readModelPath,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";
import { sayStep } from "../printing/say-step.ts";

/** The queue of merges: to see it, and to do by hand what the loop does by itself with `integrate: auto`. */
export function addMerge(program: Command): void {
  const group = addGroup(program, {
    name: "merge",
    does: "the queue in which done tasks' branches are merged",
    has: [listMerges, queue, reopenForMerge, withdrawMerge],
  });
  addRun(group);
}

/** Which branch a task has, and what it is merged into, is asked of git. */
const queue = defineCommand({
  input: z.strictObject({ task: taskId }),
  async run(project, { task }, options) {
    const [path, config] = [readModelPath(options), await configToUse(options)];
    await commitIfQueued(project, path, config, task);
    const work = await workOf(path, config, task);
    const [event] = await project.decide(queueMerge(work), options.key);
    return project.ask((readModel) => mergeActed({ input: work, event, readModel }));
  },
  command: {
    name: "queue",
    does: "queue the branch of a done task, or queue a stopped merge again",
    takes: { task: ["<task>", "the task's id"] },
    example: "7",
    says: mergeSaid,
  },
});

/** A human queues the worktree as it is, with what nobody has committed yet. Where the merge cannot be queued, it stays. */
async function commitIfQueued(project: Project, readModelPath: string, config: Config, task: number) {
  try {
    const work = await workOf(readModelPath, config, task);
    await project.ask((readModel) => queueMerge(work).plan(stateOf(readModel)));
  } catch (error) {
    // The command says it.
    if (error instanceof Refusal) return;
    throw error;
  }
  const { author } = worktreesOf(config) ?? {};
  await commitWork(project, { task }, { readModelPath, author, tell: () => {} });
}

/** Written for commander: it runs until the queue is empty, and tells each step. */
function addRun(group: Command): void {
  writingOptions(
    group
      .command("run")
      .description("merge the queued branches one by one, as the loop does; no agents are run"),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox merge run")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const path = readModelPath(options);
          const config = await configToUse(options);
          const driver = `d-${project.store.environment.newId()}`;
          const cancelled = new AbortController();
          const cancel = () => cancelled.abort();
          process.once("SIGINT", cancel);
          process.once("SIGTERM", cancel);
          let failed = false;
          const queue = openMergeQueue(
            {
              ...{ project, readModelPath: path, signal: cancelled.signal },
              config: config.worktrees === false ? { ...config, worktrees: true } : config,
              tell: (step) => {
                failed ||= step.step === "merge_ended" && step.state !== "landed";
                (options.json ? printJsonLine : sayStep)(step);
              },
            },
            driver,
          );
          const signOff = keepAlive(path, driver);
          try {
            let count = 0;
            for (let next = await queue?.next(); next; next = await queue?.next()) {
              count += 1;
              await next();
            }
            if (count === 0 && !options.json) print("Nothing is queued.");
          } catch (error) {
            if (!cancelled.signal.aborted) throw error;
          } finally {
            signOff();
            process.removeListener("SIGINT", cancel);
            process.removeListener("SIGTERM", cancel);
          }
          if (failed || cancelled.signal.aborted) process.exitCode = EXIT.refused;
        }),
      ),
    );
}
