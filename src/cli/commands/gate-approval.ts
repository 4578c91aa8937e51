import type { Command } from "commander";
import type { Decision } from "../../decisions/decide.ts";
import { decideOnGates, reopenGate } from "../../decisions/gates.ts";
import type { Event } from "../../events/types/index.ts";
import { decidedLines } from "../../operations/decided-gates.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, withProject, writingOptions } from "../command.ts";

/** What a human says of gates that an agent declared. */
export function addApproval(group: Command): void {
  decider(
    group.command("approve").description("let a gate that an agent declared be run, or all such of a task"),
    "7 2",
    (task, gate) => decideOnGates({ task, gate, approve: true }),
  );
  addReject(group);
  addUndo(group);
}

function addReject(group: Command): void {
  decider(
    group
      .command("reject")
      .description("let a gate that an agent declared never be run: it is skipped")
      .option("--all", "every gate of the task that waits for approval"),
    "7 2",
    (task, gate, { all }, command) => {
      // A gate that is rejected counts as passed: all of them at once is said in so many words.
      if ((gate === undefined) !== (all === true)) command.error("error: name one gate, or give --all");
      return decideOnGates({ task, gate, approve: false });
    },
  );
}

function addUndo(group: Command): void {
  writingOptions(
    group
      .command("undo")
      .description(
        "take back the approval or rejection of a gate, until it is run or the next session starts",
      )
      .argument("<task>", "the task's id", parseId)
      .argument("<gate>", "1 for the task's first", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox gate undo 7 2")
    .action((task: number, gate: number, options: CommonOptions) =>
      take(task, reopenGate({ task, gate }), options),
    );
}

interface DecideOptions extends CommonOptions {
  readonly all?: boolean;
}

function decider(
  command: Command,
  example: string,
  plan: (task: number, gate: number | undefined, options: DecideOptions, command: Command) => Decision,
): void {
  writingOptions(
    command
      .argument("<task>", "the task's id", parseId)
      .argument("[gate]", "1 for the task's first; absent: all that wait for approval", parseId),
  )
    .addHelpText("after", `\nExample:\n  signalbox gate ${command.name()} ${example}`)
    .action((task: number, gate: number | undefined, options: DecideOptions) =>
      take(task, plan(task, gate, options, command), options),
    );
}

async function take(task: number, decision: Decision, options: CommonOptions): Promise<void> {
  await guarded(() =>
    withProject(options, async (project) => {
      const events = await project.decide(decision, options.key);
      const details = await project.queries.task(task);
      const gates = details?.gates.filter(({ gate }) => numbersIn(events).has(gate)) ?? [];
      if (options.json) printJson({ task, status: details?.status, ready: details?.ready, gates });
      else {
        for (const line of await project.ask((readModel) => decidedLines(readModel, events))) print(line);
        print(`The task is ${details?.ready ? "ready" : details?.status}.`);
      }
    }),
  );
}

function numbersIn(events: readonly Event[]): ReadonlySet<number> {
  return new Set(events.flatMap(({ payload }) => ("gate" in payload ? [payload.gate] : [])));
}
