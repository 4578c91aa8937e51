import type { Command } from "commander";
import { beat, signOff } from "../../loop/drivers/registry.ts";
import { openMergeQueue, workOf } from "../../loop/merge/queue.ts";
import {
  listMerges,
  mergeActed,
  mergeSaid,
  queueMerge,
  reopenForMerge,
  withdrawMerge,
} from "../../operations/merges.ts";
import { print, printJson, printJsonLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseId,
  readModelPath,
  withProject,
  writingOptions,
} from "../command.ts";
import { configToUse } from "../confirm-config.ts";
import { addCommands } from "../operation-commands.ts";
import { sayStep } from "../say-step.ts";

/** The queue of merges: to see it, and to do by hand what the loop does by itself with `integrate: auto`. */
export function addMerge(program: Command): void {
  const group = program.command("merge").description("the queue in which done tasks' branches are merged");
  addCommands(group, listMerges);
  addQueue(group);
  for (const one of [reopenForMerge, withdrawMerge]) addCommands(group, one);
  addRun(group);
}

/** Which branch a task has, and what it is merged into, is asked of git. */
function addQueue(group: Command): void {
  writingOptions(
    group
      .command("queue")
      .description("queue the branch of a done task, also one that stopped")
      .argument("<task>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox merge queue 7")
    .action((task: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const work = await workOf(readModelPath(options), await configToUse(options), task);
          const [event] = await project.decide(queueMerge(work), options.key);
          const answer = await project.ask((readModel) => mergeActed({ input: work, event, readModel }));
          if (options.json) printJson(answer);
          else print(mergeSaid(answer));
        }),
      ),
    );
}

function addRun(group: Command): void {
  writingOptions(
    group
      .command("run")
      .description("merge what is queued, one after the other, as the loop does; agents are not run"),
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
          beat(path, driver, process.pid);
          const beats = setInterval(() => beat(path, driver, process.pid), 2_000);
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
            clearInterval(beats);
            signOff(path, driver);
            process.removeListener("SIGINT", cancel);
            process.removeListener("SIGTERM", cancel);
          }
          if (failed || cancelled.signal.aborted) process.exitCode = EXIT.refused;
        }),
      ),
    );
}
