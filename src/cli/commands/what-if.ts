import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Project } from "../../api/project.ts";
import { noSuchTask, stateOf, wasEver } from "../../decisions/state.ts";
import { together } from "../../decisions/together.ts";
import { HUMAN } from "../../events/actors.ts";
import { priorities } from "../../events/types/fields.ts";
import {
  isValueOf,
  type PolicyName,
  type PolicyValue,
  policies,
  policyNames,
} from "../../events/types/policies.ts";
import {
  readPolicy,
  type WhatIfPolicy,
  WhatIfPolicyError,
  whatIfPolicy,
} from "../../history/what-if/policy.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { packagePath } from "../../lib/package-root.ts";
import { fail, printJson } from "../../lib/terminal/output.ts";
import { parseValue, setPolicy } from "../../operations/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { catchUp } from "../../read-model/worker.ts";
import { loadSimulations, type Simulation, SimulationError } from "../../replay/simulation.ts";
import { type Confirming, requireHuman } from "../asking/require-human.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseId,
  readingOptions,
  withProject,
} from "../making/command.ts";
import { progressBar } from "../printing/progress.ts";
import { printCorpusReport, printReport } from "../printing/what-if-text.ts";

type Priorities = NonNullable<WhatIfPolicy["priorities"]>;

interface Options extends CommonOptions, Pick<Confirming, "yes"> {
  readonly priority?: Priorities;
  readonly policy?: WhatIfPolicy;
  readonly task?: number;
  readonly sims?: true | readonly string[];
  readonly adopt?: true;
}

/** Written for commander: has an option for each policy. */
export function addWhatIf(program: Command): void {
  const command = program
    .command("what-if")
    .description("replay the history under another policy, and show what would differ")
    .addArgument(new Argument("[policy]", "a policy, as `policy set` takes it").choices(policyNames))
    .argument("[value]", "its value");
  for (const name of policyNames) command.addOption(optionOf(name));
  readingOptions(
    command
      .option(
        "--priority <task=priority>",
        `another priority for a task: ${priorities.join(", ")}; repeatable`,
        addPriority,
      )
      .option(
        "--policy <file>",
        "read the policy from a JSON file; the options above override it",
        parsePolicy,
      )
      .option("--task <id>", "show this task only", parseId)
      .addOption(
        new Option("--adopt", "set these policies, after the report and a question").conflicts([
          "sims",
          "at",
        ]),
      )
      .option("--yes", "adopt them without asking")
      .addOption(
        new Option(
          "--sims [ids...]",
          "use the recorded simulations (all, or these) instead of the project",
        ).conflicts(["task", "at", "db"]),
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox what-if --stuck-limit 2 --json | jq '.tasks[].task'")
    .action((name: PolicyName | undefined, value: string | undefined, options: Options) =>
      guarded(async () => {
        const asked = withNamed(options, name, value);
        if (asked) await (asked.sims ? askCorpus(asked) : askProject(asked));
      }),
    );
}

async function askProject(options: Options): Promise<void> {
  const policy = policyOf(options);
  if (!policy) return;
  if (options.adopt && policy.priorities) {
    const instead = "Leave them out, and set a task's priority by `signalbox task set`.";
    return fail(`--adopt sets policies, and priorities are none. ${instead}`, "usage", EXIT.usage);
  }
  const { whatIf } = await import("../../history/what-if/what-if.ts");
  await withProject(options.adopt ? { actor: HUMAN, ...options } : options, async (project) => {
    const { log, store } = project;
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
    if (options.adopt) await adopt(project, await changesIn(project, policy), options);
  });
}

/** The policies asked about that have another value today. */
async function changesIn(project: Project, policy: WhatIfPolicy): Promise<PolicyChange[]> {
  const today = await project.queries.policies();
  return today.flatMap(({ name, value }) => {
    const other = policy[name];
    return other === undefined || other === value ? [] : [{ policy: name, value: other }];
  });
}

type PolicyChange = Parameters<typeof setPolicy>[0];

/** Sets them, once a human has confirmed it. */
async function adopt(project: Project, changes: readonly PolicyChange[], { yes }: Options): Promise<void> {
  const [first, ...rest] = changes.map((change) => setPolicy(change));
  if (!first) return say("The policies have these values already.");
  const said = changes.map(({ policy, value }) => `${policy} to ${value}`).join(", ");
  await requireHuman("a policy", yes ? { yes } : {}, { question: `Set ${said}?`, instead: "Add --yes." });
  await project.decide(together(first, ...rest));
  say(`Set ${said}, from now on.`);
}

/** Beside the report, which may be JSON. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
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

/** `--stuck-limit <value>`; of a policy that is true or false `--partial-resets` is enough. */
function optionOf(name: PolicyName): Option {
  const { does, takes, absent } = policies[name];
  const flag = `--${name.replaceAll("_", "-")}`;
  const parse = (text: string) => {
    const value = valueIn(name, text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${takes}.`);
    return value;
  };
  const option =
    typeof absent === "boolean"
      ? new Option(`${flag} [value]`, does).preset(TRUE).argParser(parse)
      : new Option(`${flag} <value>`, `${does}: ${takes}`).argParser(parse);
  // Commander takes `--no-progress` for the opposite of `--progress`.
  option.negate = false;
  return option;
}

const TRUE = "true";

/** The value that a text names; undefined if the policy does not take it. A policy that is true or false needs no text. */
function valueIn(name: PolicyName, text: string | undefined): PolicyValue | undefined {
  const value = parseValue(text ?? (typeof policies[name].absent === "boolean" ? TRUE : ""));
  return isValueOf(name, value) ? value : undefined;
}

/** With the policy that the arguments name, as if it were an option; undefined, and said so, where its value is none. */
function withNamed(
  options: Options,
  name: PolicyName | undefined,
  text: string | undefined,
): Options | undefined {
  if (name === undefined) return options;
  const { takes, absent } = policies[name];
  const value = valueIn(name, text);
  if (value !== undefined) return { ...options, [optionOf(name).attributeName()]: value };
  fail(
    `The value of ${name} must be ${takes}, such as \`signalbox what-if ${name} ${absent}\`.`,
    "usage",
    EXIT.usage,
  );
  return undefined;
}

/** What the options say; undefined, and said so, where they say nothing. */
function policyOf({ policy: file, priority, ...options }: Options): WhatIfPolicy | undefined {
  const given = policyNames.map((name) => [name, Reflect.get(options, optionOf(name).attributeName())]);
  const policy = whatIfPolicy.parse({
    ...file,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(priority && { priorities: { ...file?.priorities, ...priority } }),
  });
  if (Object.keys(policy).length > 0) return policy;
  fail("Name a policy, such as --stuck-limit 2. See `signalbox what-if --help`.", "usage", EXIT.usage);
  return undefined;
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
