import type { Command } from "commander";
import type { Decided } from "../../decisions/decide.ts";
import { queueMerge, reopenForMerge, withdrawMerge } from "../../decisions/merges.ts";
import { beat, signOff } from "../../loop/drivers/registry.ts";
import { openMergeQueue, workOf } from "../../loop/merge/queue.ts";
import type { Project } from "../../project/project.ts";
import type { MergeView } from "../../projections/queries/merges.ts";
import { pc, print, printJson, printJsonLine, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseId,
  readingOptions,
  readModelPath,
  withProject,
  writingOptions,
} from "../command.ts";
import { configToUse } from "../confirm-config.ts";
import { sayStep } from "../say-step.ts";

/** The queue of merges: to see it, and to do by hand what the loop does by itself with `integrate: auto`. */
export function addMerge(program: Command): void {
  const group = program.command("merge").description("the queue in which done tasks' branches are merged");
  readingOptions(
    group.command("list", { isDefault: true }).description("list the merges of tasks, the queue first"),
  )
    .addHelpText("after", "\nExample:\n  signalbox merge list")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const merges = await queries.merges();
          if (options.json) printJson(merges);
          else if (merges.length === 0)
            print("No merges yet. With worktrees, done tasks are queued by `signalbox merge queue TASK`.");
          else for (const merge of merges) print(lineOf(merge));
        }),
      ),
    );
  act(
    group,
    "queue",
    "queue the branch of a done task, also one that stopped",
    async (project, task, options) => {
      const path = readModelPath(options);
      return project.decide(queueMerge(await workOf(path, await configToUse(options), task)), options.key);
    },
  );
  act(
    group,
    "reopen",
    "take a task up again whose merge conflicts or fails a gate, so that an agent mends it",
    (project, task, { key }) => project.decide(reopenForMerge({ task }), key),
  );
  act(group, "withdraw", "merge a task's branch no more; the branch stays", (project, task, { key }) =>
    project.decide(withdrawMerge({ task, reason: "a human withdrew it" }), key),
  );
  addRun(group);
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

function act(
  group: Command,
  name: string,
  description: string,
  decide: (project: Project, task: number, options: CommonOptions) => Promise<Decided>,
): void {
  writingOptions(group.command(name).description(description).argument("<task>", "the task's id", parseId))
    .addHelpText("after", `\nExample:\n  signalbox merge ${name} 7`)
    .action((task: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await decide(project, task, options);
          const row = await project.queries.taskRow(task);
          if (options.json)
            printJson({ task, act: event.type, position: event.position, status: row?.status });
          else print(`${event.type} at position ${event.position}; task ${task} is ${row?.status}.`);
        }),
      ),
    );
}

function lineOf(merge: MergeView): string {
  const { task_id: task, task_title, state, branch, base, place } = merge;
  const head = `${pc.bold(`#${task}`)} ${quoteLine(task_title, 60)} · ${state.replace("_", " ")}`;
  const where = place === null ? "" : ` · ${place === 1 ? "next" : `place ${place}`}`;
  return `${head}${where} ${pc.dim(`· ${branch} → ${base}`)}${whyIn(merge)}`;
}

function whyIn({ state, folder, reason, files, gate, command, onto, result }: MergeView): string {
  switch (state) {
    case "conflicted":
      return `\n     conflicts in ${quoteLine(files.join(", "), 300)}`;
    case "gate_failed":
      return `\n     gate ${gate} fails on the merged result: ${quoteLine(command ?? "", 200)}`;
    case "waiting":
      return `\n     ${quoteLine(`${folder === null ? "" : `${folder}: `}${reason ?? ""}`, 300)}`;
    case "withdrawn":
      return `\n     ${quoteLine(reason ?? "", 300)}`;
    case "landed":
      return pc.dim(` · ${onto?.slice(0, 12)} → ${result?.slice(0, 12)}`);
    default:
      return "";
  }
}
