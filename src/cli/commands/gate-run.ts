import type { Command } from "commander";
import { stateOf } from "../../decisions/state.ts";
import { outputText } from "../../events/types/command-result.ts";
import { howItEnded } from "../../events/types/gate-runs.ts";
import type { GateRun } from "../../gates/run-gates.ts";
import { pc, print, printJson, quoteLine, quoteText } from "../../lib/terminal/output.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import type { Gate } from "../../projections/board/tables.ts";
import { catchUp } from "../../read-model/worker.ts";
import { configToUse } from "../asking/confirm-config.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseId,
  projectOptions,
  withProject,
} from "../making/command.ts";
import { gatesToRun } from "../running/gates-to-run.ts";
import { stoppable } from "../running/stoppable.ts";

interface Options extends CommonOptions {
  readonly session?: string;
  readonly baseline?: boolean;
}

/** Written for commander: may be stopped, and tells each gate. */
export function addGateRun(group: Command): void {
  projectOptions(
    group
      .command("run")
      .description(
        "run a task's gates in the project's folder, and record each attempt; exits with 0 only if every gate is passed or skipped",
      )
      .argument("<task>", "the task's id", parseId)
      .argument("[gate]", "the gate's number (default: all that are pending, failed or passed)", parseId)
      .option("--session <id>", "the session during which they run")
      .option(
        "--baseline",
        "run as a baseline before the session: counts no attempts, changes no gate; exits with 0",
      )
      .option("--actor <name>", "the actor's name in the log", "driver"),
  )
    .addHelpText("after", "\nExample:\n  signalbox gate run 7")
    .action((task: number, gate: number | undefined, options: Options, command: Command) =>
      guarded(() =>
        withProject({ ...options, ownWork: { session: options.session, task } }, async (project) => {
          const { session, baseline = false } = options;
          if (baseline && session === undefined)
            command.error("error: --baseline is of a session: name it with --session");
          const { runGates } = await import("../../gates/run-gates.ts");
          const config = await configToUse(options);
          const runs = await stoppable((signal) =>
            runGates(project, { ...gatesToRun(options, signal), config, task, gate, session, baseline }),
          );
          if (!runs) return;
          if (options.json) printJson(runs);
          else for (const run of runs) show(run, baseline);
          if (!options.json && runs.length === 0) print(`Task ${task} has no gate to run.`);
          if (baseline) return;
          await catchUp(project.store.readModel, project.log);
          const inTheWay = gatesInTheWay(stateOf(project.store.readModel), task).filter(
            (one) => gate === undefined || gate === one.gate,
          );
          const notRun = inTheWay.filter((one) => !runs.some((run) => run.gate === one.gate));
          if (!options.json) for (const one of notRun) print(whyNotRun(one));
          if (inTheWay.length > 0) process.exitCode = EXIT.refused;
        }),
      ),
    );
}

function whyNotRun({ gate, state, approval }: Gate): string {
  if (approval === "waiting")
    return `Gate ${gate} waits for approval and was not run. Approve or reject it: \`signalbox inbox\`.`;
  const act = state === "escalated" ? " Decide on it: `signalbox inbox`." : "";
  return `Gate ${gate} is ${state} and was not run.${act}`;
}

function show({ gate, passed, state, result }: GateRun, baseline: boolean): void {
  if (!result) {
    print(`${pc.green("✓")} gate ${gate} has passed on these files before`);
    return;
  }
  const seconds = (result.duration_ms / 1_000).toFixed(1);
  if (passed) {
    print(`${pc.green("✓")} gate ${gate} passed after ${seconds} s`);
    return;
  }
  const end = result.explanation ?? howItEnded(result);
  print(
    `${pc.red("✗")} gate ${gate} ${baseline ? "did not pass" : `is ${state}`} after ${seconds} s: ${quoteLine(end, 200)}`,
  );
  for (const output of [result.stdout, result.stderr]) {
    const text = outputText(output);
    if (text !== "") print(quoteText(text).replace(/^/gm, "  "));
  }
  for (const { pid, name, ended } of result.left_behind) {
    print(`  left behind: ${name} (${pid})${ended ? ", ended" : ", could not be ended"}`);
  }
}
