import { z } from "zod";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { noSuchTask, stateOf } from "../../decisions/state.ts";
import { taskId } from "../../events/types/fields.ts";
import { howItEnded } from "../../events/types/gate-runs.ts";
import { quoteLine, quoteText, tableLines } from "../../lib/terminal/output.ts";
import type { GateRunView } from "../../queries/gate-runs.ts";
import { readingOptions } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";

/** No reading: the explanation of an output goes to stderr, beside the output. */
export const gateRuns = defineCommand({
  input: z.strictObject({ task: taskId, gate: taskId.optional(), output: taskId.optional() }),
  options: readingOptions,
  async run(project, { task, gate, output }, { json }) {
    const runs = await runsOf(project, task, gate);
    if (output === undefined) return runs;
    const { id, stdout, stderr, explanation } = runOf(runs, output, task);
    if (explanation !== null && !json) process.stderr.write(`${quoteLine(explanation, 1_000)}\n`);
    return { id, stdout, stderr };
  },
  command: {
    name: "runs",
    does: "list every run of a task's gates: how it ended, how long it took, on which files",
    takes: {
      task: ["<task>", "the task's id"],
      gate: ["[gate]", "the gate's number (default: all)"],
      output: ["--output <run>", "print the stored output of a run, by its id"],
    },
    example: ["7", "7 1 --output 41"],
    says: (found) =>
      Array.isArray(found)
        ? runLines(found)
        : // Standard output, then standard error, as the run's attempt keeps them: head, what was left out, and tail.
          [found.stdout, found.stderr].flatMap((text) => (text ? [quoteText(text.replace(/\n$/, ""))] : [])),
  },
});

/** @throws Refusal `not_found`: the task or the gate is not there, and neither has left any runs */
async function runsOf({ queries, store }: Project, task: number, gate?: number): Promise<GateRunView[]> {
  const runs = await queries.gateRuns({ task, gate });
  if (runs.length > 0) return runs;
  const state = stateOf(store.readModel);
  if (!state.tasks.get(task)) throw noSuchTask(state, task);
  if (gate !== undefined && !state.gates.get(task, gate)) {
    throw new Refusal(
      "not_found",
      `Task ${task} has no gate ${gate}; \`signalbox gate list ${task}\` shows those it has.`,
    );
  }
  return runs;
}

/** @throws Refusal `not_found` */
function runOf(runs: readonly GateRunView[], id: number, task: number): GateRunView {
  const run = runs.find((one) => one.id === id);
  if (run) return run;
  throw new Refusal(
    "not_found",
    `There is no run ${id} of task ${task}. Run \`signalbox gate runs ${task}\` to see its runs.`,
  );
}

function runLines(runs: readonly GateRunView[]): string[] {
  return tableLines(
    ["run", "gate", "kind", "started", "session", "end", "took", "files"],
    runs.map((run) => [
      run.id,
      run.gate,
      run.kind,
      (run.started_at ?? run.completed_at ?? "").slice(0, 19),
      run.session_id === null ? "" : quoteLine(run.session_id, 16),
      endOf(run),
      run.duration_ms === null ? "" : `${(run.duration_ms / 1_000).toFixed(1)} s`,
      filesOf(run),
    ]),
  );
}

function endOf({ state, exit_code, signal, timed_out, failed_before }: GateRunView): string {
  if (state === "running") return "is run";
  const interrupted = state === "interrupted";
  const how = howItEnded({ exit_code, signal, timed_out: timed_out === 1, interrupted });
  return failed_before === null ? how : `${how}, but run ${failed_before} failed on the same files`;
}

/** The fingerprint of the files that it was run on, and the one that it left where that is another. */
function filesOf({ workspace_before, workspace_after, workspace_changed }: GateRunView): string {
  const [before, after] = [workspace_before, workspace_after].map((text) => text?.slice(0, 12) ?? "?");
  if (workspace_before === null && workspace_after === null) return "";
  return workspace_changed === false ? `${before}` : `${before} → ${after}`;
}
