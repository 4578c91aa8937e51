import { type Command, InvalidArgumentError } from "commander";
import { actOnGate, recordGateAttempt } from "../../decisions/gates.ts";
import { type GateAction, gateActions } from "../../events/types/gates.ts";
import type { Project } from "../../project/project.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, withProject, writingOptions } from "../command.ts";
import { addAdd } from "./gate-add.ts";
import { addApproval } from "./gate-approval.ts";
import { addGateList } from "./gate-list.ts";
import { addParse } from "./gate-parse.ts";
import { addGateRun } from "./gate-run.ts";
import { addGateRuns } from "./gate-runs.ts";

export function addGate(program: Command): void {
  const group = program
    .command("gate")
    .description("verify gates: commands that must pass before a done stands");
  addGateList(group);
  addGateRuns(group);
  addAdd(group);
  addApproval(group);
  addRecord(group);
  addAct(group);
  addGateRun(group);
  addParse(group);
}

function addRecord(group: Command): void {
  interface Options extends CommonOptions {
    readonly exitCode: number;
    readonly session?: string;
    readonly timedOut?: boolean;
    readonly stdout?: string;
    readonly stderr?: string;
  }
  writingOptions(
    group
      .command("record")
      .description("record that a gate's command was run, by whoever ran it")
      .argument("<task>", "the task's id", parseId)
      .argument("<gate>", "1 for the task's first", parseId)
      .requiredOption("--exit-code <n>", "what the command ended with", parseExitCode)
      .option("--session <id>", "the session in which it ran")
      .option("--timed-out", "it was ended after its time-out")
      .option("--stdout <text>", "what it printed")
      .option("--stderr <text>", "what it printed as errors"),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox gate record 7 1 --exit-code 1 --stderr '1 failing'")
    .action((task: number, gate: number, { exitCode: exit_code, timedOut: timed_out, ...options }: Options) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { session, stdout, stderr, key } = options;
          await project.decide(
            recordGateAttempt({ task, gate, session, exit_code, timed_out, stdout, stderr }),
            key,
          );
          await show(project, task, gate, options);
        }),
      ),
    );
}

function addAct(group: Command): void {
  writingOptions(
    group
      .command("act")
      .description(
        "decide on an escalated gate: retry (attempts from 0), skip (counts as passed), abort (task failed)",
      )
      .argument("<task>", "the task's id", parseId)
      .argument("<gate>", "1 for the task's first", parseId)
      .argument("<action>", gateActions.join(", "), parseAction),
  )
    .addHelpText("after", "\nExample:\n  signalbox gate act 7 1 skip")
    .action((task: number, gate: number, action: GateAction, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(actOnGate({ task, gate, action }), options.key);
          await show(project, task, gate, options);
        }),
      ),
    );
}

async function show(
  { queries }: Project,
  task: number,
  number: number,
  { json }: CommonOptions,
): Promise<void> {
  const details = await queries.task(task);
  const gate = details?.gates.find((one) => one.gate === number);
  if (json) printJson({ task, status: details?.status, ...gate });
  else print(`Gate ${number} of task ${task} is ${gate?.state}; the task is ${details?.status}.`);
}

function parseAction(text: string): GateAction {
  const action = gateActions.find((known) => known === text);
  if (!action) throw new InvalidArgumentError(`It must be one of ${gateActions.join(", ")}.`);
  return action;
}

function parseExitCode(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw new InvalidArgumentError("It must be from 0 to 255.");
  return Number(text);
}
