import { type Command, InvalidArgumentError, Option } from "commander";
import { noSuchTask, stateOf, wasEver } from "../../decisions/state.ts";
import { priorities } from "../../events/types/fields.ts";
import {
  readPolicy,
  type WhatIfPolicy,
  WhatIfPolicyError,
  whatIfPolicy,
} from "../../history/what-if/policy.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { packagePath } from "../../lib/package-root.ts";
import { fail, printJson } from "../../lib/terminal/output.ts";
import { type ClosingRule, closingRules } from "../../projections/board/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { catchUp } from "../../read-model/worker.ts";
import { loadSimulations, type Simulation, SimulationError } from "../../replay/simulation.ts";
import { type CommonOptions, EXIT, guarded, parseId, readingOptions, withProject } from "../command.ts";
import { progressBar } from "../progress.ts";
import { printCorpusReport, printReport } from "../what-if-text.ts";

type Priorities = NonNullable<WhatIfPolicy["priorities"]>;

interface Options extends CommonOptions {
  readonly stuckLimit?: number;
  readonly waitingIsStuck?: true;
  readonly partialResets?: true;
  readonly partialWithLearningsResets?: true;
  readonly priority?: Priorities;
  readonly closing?: ClosingRule;
  readonly policy?: WhatIfPolicy;
  readonly task?: number;
  readonly sims?: true | readonly string[];
}

export function addWhatIf(program: Command): void {
  readingOptions(
    program
      .command("what-if")
      .description("replay the history under another policy, and show what would differ")
      .option("--stuck-limit <n>", "stuck count at which a task fails", parseLimit)
      .option("--waiting-is-stuck", "count a session that leaves a question or blocker open as stuck")
      .option("--partial-resets", "let partial reset the stuck count to 0")
      .addOption(
        new Option(
          "--partial-with-learnings-resets",
          "let partial reset it only if the session reported a learning",
        ).conflicts("partialResets"),
      )
      .option(
        "--priority <task=priority>",
        `another priority for a task: ${priorities.join(", ")}; repeatable`,
        addPriority,
      )
      .option("--closing <rule>", `which closing verb counts: ${closingRules.join(", ")}`, parseClosing)
      .option(
        "--policy <file>",
        "read the policy from a JSON file; the options above override it",
        parsePolicy,
      )
      .option("--task <id>", "show this task only", parseId)
      .addOption(
        new Option(
          "--sims [ids...]",
          "use the recorded simulations (all, or these) instead of the project",
        ).conflicts(["task", "at", "db"]),
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox what-if --stuck-limit 2 --json | jq '.tasks[].task'")
    .action((options: Options) => guarded(() => (options.sims ? askCorpus(options) : askProject(options))));
}

async function askProject(options: Options): Promise<void> {
  const policy = policyOf(options);
  if (!policy) return;
  const { whatIf } = await import("../../history/what-if/what-if.ts");
  await withProject(options, async ({ log, store }) => {
    await catchUp(store.readModel, log);
    const state = stateOf(store.readModel);
    const { task: id } = options;
    const named = Object.keys(policy.priorities ?? {}).map(Number);
    for (const task of id === undefined ? named : [id, ...named]) requireOnce(state, task);
    const bar = progressBar("events", await log.head());
    const report = await whatIf(log, policy, (position) => bar.update(position));
    bar.stop();
    const ofTask = report.tasks.filter(({ task }) => task === id);
    if (options.json) printJson(id === undefined ? report : { ...report, tasks: ofTask });
    else printReport(report, id);
  });
}

/** A task that there is, or was before it was deleted. @throws Refusal `not_found` */
function requireOnce(state: Pick<Board, "tasks" | "statusChanges">, task: number): void {
  if (!wasEver(state, task)) throw noSuchTask(state, task);
}

async function askCorpus(options: Options): Promise<void> {
  const policy = policyOf(options);
  if (!policy) return;
  const { whatIfCorpus } = await import("../../history/what-if/corpus.ts");
  const simulations = simulationsNamed(options.sims === true ? [] : (options.sims ?? []));
  const bar = progressBar("simulations", simulations.length);
  const report = await whatIfCorpus(simulations, policy, (done, id) => bar.update(done, id));
  bar.stop();
  if (options.json) printJson(report);
  else printCorpusReport(report);
}

/** The corpus, or some simulations of it. @throws SimulationError */
function simulationsNamed(ids: readonly string[]): Simulation[] {
  const corpus = loadSimulations([packagePath("fixtures/sims")]);
  if (ids.length === 0) return corpus;
  return [...new Set(ids)].map((id) => {
    const found = corpus.find((simulation) => simulation.id === id);
    if (found) return found;
    const known = corpus.map((simulation) => simulation.id);
    throw new SimulationError(
      `There is no simulation ${id} in the corpus.${didYouMean(id, known)} Run \`signalbox sims --json\` to see all.`,
    );
  });
}

/** What the options say; undefined, and said so, where they say nothing. */
function policyOf(options: Options): WhatIfPolicy | undefined {
  const { stuckLimit, waitingIsStuck, partialResets, partialWithLearningsResets, priority, closing } =
    options;
  const policy = whatIfPolicy.parse({
    ...options.policy,
    ...(stuckLimit !== undefined && { stuck_limit: stuckLimit }),
    ...(waitingIsStuck && { waiting_is_stuck: true }),
    ...(partialResets && { partial_resets: "always" }),
    ...(partialWithLearningsResets && { partial_resets: "with_learnings" }),
    ...(closing && { closing }),
    ...(priority && { priorities: { ...options.policy?.priorities, ...priority } }),
  });
  if (Object.keys(policy).length > 0) return policy;
  fail("Name a policy, such as --stuck-limit 2. See `signalbox what-if --help`.", "usage", EXIT.usage);
  return undefined;
}

function parseLimit(text: string): number {
  const parsed = whatIfPolicy.shape.stuck_limit.unwrap().safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (!parsed.success) throw new InvalidArgumentError("It must be a whole number from 1 to 1000.");
  return parsed.data;
}

function parseClosing(text: string): ClosingRule {
  const rule = closingRules.find((known) => known === text);
  if (!rule) throw new InvalidArgumentError(`It must be one of ${closingRules.join(", ")}.`);
  return rule;
}

function addPriority(text: string, before: Priorities = {}): Priorities {
  const [id = "", name] = text.split("=");
  const priority = priorities.find((known) => known === name);
  if (!priority || !/^\d+$/.test(id))
    throw new InvalidArgumentError(`It must be TASK=PRIORITY (${priorities.join(", ")}), such as 7=high.`);
  return { ...before, [parseId(id)]: priority };
}

function parsePolicy(path: string): WhatIfPolicy {
  try {
    return readPolicy(path);
  } catch (error) {
    if (error instanceof WhatIfPolicyError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
