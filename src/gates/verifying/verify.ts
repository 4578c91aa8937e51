import { ConfigError } from "../../config/config.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { stateOf } from "../../decisions/state.ts";
import { outputText } from "../../events/types/command-result.ts";
import { shorten } from "../../lib/shorten.ts";
import { takeFitting } from "../../lib/take-fitting.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import type { Gate } from "../../projections/board/tables.ts";
import { catchUp } from "../../read-model/worker.ts";
import type { BaselineComparison } from "../baseline.ts";
import { compareWithBaseline } from "../baseline.ts";
import { type GateRun, type GateRunner, type GatesToRun, runGates } from "../run-gates.ts";
import { RunnerError } from "../runner/runner-error.ts";
import { fenced } from "./fenced.ts";
import { failureReport } from "./report.ts";
import type { Verification } from "./verification.ts";

/** The gates requested by an agent. Their settings are read when they run, and may fail then. */
export interface GatesToVerify extends Omit<GatesToRun, "config"> {
  /** @throws ConfigError: no gate runs, which the agent is told */
  readonly config: () => GatesToRun["config"] | Promise<GatesToRun["config"]>;
}

/**
 * Runs gates of a task, and tells its agent the consequences.
 *
 * @throws Refusal as `runGates`; the abort reason of `signal`, if nothing had begun
 */
export async function verify(runner: GateRunner, wanted: GatesToVerify): Promise<Verification> {
  const runs: GateRun[] = [];
  let notRun: string | undefined;
  try {
    await runGates(runner, {
      ...wanted,
      config: await wanted.config(),
      onEnd(run) {
        runs.push(run);
        wanted.onEnd?.(run);
      },
    });
  } catch (error) {
    if (!onlyNotRun(error)) throw error;
    notRun = error.message;
  }
  return verificationOf(runner, wanted, runs, notRun);
}

/** True for an error that only means that gates cannot run. */
export function onlyNotRun(error: unknown): error is Error {
  const ended = error instanceof Refusal && error.code === "session_ended";
  return ended || error instanceof RunnerError || error instanceof ConfigError;
}

/**
 * The current state of a task's gates.
 *
 * @param runs the runs just completed
 * @param notRun why a command could not run
 */
export async function verificationOf(
  { store: { readModel, log } }: Pick<GateRunner, "store">,
  { task, session }: Pick<GatesToRun, "task" | "session">,
  runs: readonly GateRun[] = [],
  notRun?: string,
): Promise<Verification> {
  await catchUp(readModel, log);
  const state = stateOf(readModel);
  const all = state.gates.where({ task_id: task });
  const inTheWay = gatesInTheWay(state, task);
  const problem = all.length === 0 ? undefined : notRun;
  const failures = runs.flatMap(({ result, ...run }) => {
    if (run.passed || !result) return [];
    const texts = { stdout: outputText(result.stdout), stderr: outputText(result.stderr) };
    const { gate } = run;
    const compared =
      session === undefined
        ? undefined
        : compareWithBaseline(readModel, { task, gate, session }, { exit_code: result.exit_code, ...texts });
    return { gate, text: failureReport(run, result, compared && sinceBaseline(compared)) };
  });
  return {
    verified: inTheWay.length === 0 && problem === undefined,
    gates: all.map(({ gate, command, state: is, attempts, max_attempts }) => ({
      ...{ gate, state: is, attempts, max_attempts },
      command: shorten(command, COMMAND_LIMIT),
      run: runs.some((run) => run.gate === gate && run.result !== undefined),
    })),
    ...(failures.length > 0 && { report: wholeReport(failures) }),
    next: problem === undefined ? whatNow(all, inTheWay) : `${problem} ${LEFT_TO_HUMAN}`,
  };
}

/** The first failures in full, as many as an agent can read at once; the others by number. */
function wholeReport(failures: readonly { readonly gate: number; readonly text: string }[]): string {
  const [first, ...others] = failures.map(({ text }) => text);
  const told = [first, ...takeFitting(others, REPORT_LIMIT - (first?.length ?? 0))];
  const rest = failures.slice(told.length).map(({ gate }) => gate);
  if (rest.length > 0) told.push(`Gates ${rest.join(", ")} fail too; fix the failure above first.`);
  return told.join("\n\n");
}

/** The length of a command in the list of gates; a failure shows all of it. */
const COMMAND_LIMIT = 500;

/** The length of all failures together, in characters: some 5,000 tokens. */
const REPORT_LIMIT = 20_000;

function whatNow(all: readonly Gate[], inTheWay: readonly Gate[]): string {
  if (all.length === 0) return "The task has no gates. Call done when the work is complete.";
  if (inTheWay.length === 0) return "Every gate is passed or skipped. Call done when the work is complete.";
  const waiting = inTheWay.filter(isLeftToHuman);
  const open = inTheWay.filter((gate) => !isLeftToHuman(gate));
  const sentences = waiting.map(
    ({ gate, state, approval }) => `Gate ${gate} ${WAITS[approval] ?? WAITS[state]}.`,
  );
  if (open.length > 0) {
    sentences.unshift(`${listed(open)}: fix what fails, then call done or verify again.`);
    if (waiting.length > 0)
      sentences.push("When the others pass, call partial and leave this one to the human.");
  } else sentences.push(LEFT_TO_HUMAN);
  return sentences.join(" ");
}

function isLeftToHuman({ state, approval }: Gate): boolean {
  return state === "escalated" || state === "aborted" || approval === "waiting";
}

const WAITS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  waiting: "was declared by an agent and does not run until a human approves it",
  escalated: "has used all its attempts and waits for a human's decision: retry, skip or abort",
  aborted: "was aborted by a human: the task fails when the session ends",
});

const LEFT_TO_HUMAN =
  "A done would not count now: call partial, say in `remaining` what is left, and leave the rest " +
  "to the human.";

function listed(gates: readonly Gate[]): string {
  return gates
    .map(({ gate, state }) => `gate ${gate} ${state === "failed" ? "fails" : "has not passed yet"}`)
    .join(", ");
}

/** What a failure has in common with the baseline, and what is new, for the agent. */
function sinceBaseline({ failed_before, same, new_lines, more, baseline_cut }: BaselineComparison): string {
  if (!failed_before) return "**Baseline:** this gate passed before your work began, so the failure is new.";
  if (same)
    return "**Baseline:** this gate failed in the same way before your work began. It must still pass.";
  const cut = baseline_cut
    ? " The middle of the earlier output was not kept, so some of these lines may be old."
    : "";
  if (new_lines.length === 0)
    return `**Baseline:** this gate also failed before your work began, and prints nothing new now.${cut}`;
  const left_out = more > 0 ? `\n\nand ${more} more.` : "";
  return (
    `**Baseline:** this gate also failed before your work began. These lines are new:${cut}\n` +
    `${fenced(new_lines.join("\n"))}${left_out}`
  );
}
