import { readFileSync } from "node:fs";
import { text as textIn } from "node:stream/consumers";
import type { Command } from "commander";
import { Subject } from "rxjs";
import { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { findAgent } from "../../config/schema.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { TEXT_LIMIT } from "../../events/types/fields.ts";
import { planName } from "../../events/types/plans.ts";
import { isBlank } from "../../lib/blank.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { counted } from "../../lib/readable.ts";
import { pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import type { Verdict } from "../../loop/agent/verdict.ts";
import { findProgram } from "../../loop/doctor/program.ts";
import type { Planned } from "../../loop/planning/session.ts";
import { BadValue } from "../../operations/command-words.ts";
import { approveItem } from "../../operations/inbox-proposals.ts";
import { newSessionId } from "../../operations/sessions.ts";
import { type PlanView, planOfSession } from "../../queries/plans.ts";
import { configToUse } from "../asking/confirm-config.ts";
import {
  asParser,
  type CommonOptions,
  EXIT,
  folderOf,
  guarded,
  readModelPath,
  warn,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { planLines } from "../printing/plan-lines.ts";
import { sayStep } from "../printing/say-step.ts";
import { usingAgent } from "../running/using-agent.ts";

interface Options extends CommonOptions {
  readonly text?: string;
  readonly feature?: string;
  readonly agent?: string;
  readonly again?: number;
  readonly yes?: boolean;
}

/** Written for commander: runs until its session has ended, and tells each step (docs/decisions/0077-plans.md). */
export function addPlan(program: Command): void {
  writingOptions(
    program
      .command("plan")
      .description(
        "let an agent propose tasks from a text: nothing of it is on the board before you approve it",
      )
      .argument("[file]", "a file with what you want, or - for standard input")
      .option("--text <text>", "what you want, or what should be otherwise with --again")
      .option("--feature <name>", "the feature whose tasks it makes")
      .option(
        "--agent <agent>",
        "an agent from .ralph/config.json, or a command such as 'mycmd {prompt_file} {mcp_config}'",
      )
      .option(
        "--again <plan>",
        "make another proposal, which replaces the drafts of this plan that are not approved",
        asParser(parsePlan),
      )
      .option("--yes", "approve the whole plan at once"),
  )
    .addHelpText("after", "\nExample:\n  signalbox plan idea.txt\n  signalbox inbox approve plan-1")
    .action((file: string | undefined, options: Options) =>
      guarded(() =>
        withProject(options, async (project) => {
          const text = await textOf(file, options);
          const session = newSessionId(project.store.environment, options.key);
          // Sent again under its key, it is the plan that there is.
          const before = await project.ask((tables) => planOfSession(tables, session));
          const planned = before
            ? { plan: before, verdict: undefined }
            : await make(project, { text, session }, options);
          const { plan, verdict } = planned;
          const isWhole = verdict?.exit === "exited";
          if (options.yes && isWhole && plan.state === "proposed")
            await project.decide(approveItem({ id: plan.begun }));
          if (options.json)
            printJson({ ...plan, exit: verdict?.exit ?? null, reason: verdict?.reason ?? null });
          else show(planned, options.yes === true && isWhole);
          const hasSome = plan.tasks + plan.confirmed.length > 0;
          if (!hasSome || (verdict && !isWhole)) process.exitCode = EXIT.refused;
        }),
      ),
    );
}

async function make(
  project: Project,
  { text, session }: { readonly text: string; readonly session: string },
  options: Options,
): Promise<Planned> {
  const { runPlanning } = await import("../../loop/planning/session.ts");
  const config = withSomeAgent(usingAgent(await configToUse(options), options.agent), options);
  const cancel = new Subject<string>();
  const stop = (signal: NodeJS.Signals) => cancel.next(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await runPlanning(new Project(project.store, "driver"), {
      begin: (decision) => project.decide(decision, options.key),
      ...{ readModelPath: readModelPath(options), config, cancel, recipe: "braindump", text, session },
      ...{ feature: options.feature, again: options.again, driver: `d-${project.store.environment.newId()}` },
      tell: options.json ? () => {} : sayStep,
    });
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

/** Without any agent on this machine, a checklist can be planned all the same. */
function withSomeAgent(config: Config, options: Options): Config {
  const program = findAgent(config, config.agent);
  if (options.agent !== undefined || !program || program.kind === "command") return config;
  const command = program.command ?? program.kind;
  if (findProgram(command, { cwd: folderOf(options), env: process.env })) return config;
  warn(`${command} is not on PATH: the agent "pretend" makes a task of each line of a checklist.`);
  return { ...config, agent: "pretend" };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function parsePlan(given: string): number {
  const [, number] = /^(?:plan-)?([1-9]\d{0,8})$/.exec(given) ?? [];
  if (number === undefined) throw new BadValue("It must be a plan's name, such as plan-1.");
  return Number(number);
}

/** @throws Refusal `not_possible`: there is none, two, or one that cannot be read */
async function textOf(file: string | undefined, { text: given, again }: Options): Promise<string> {
  if (file !== undefined && given !== undefined)
    throw new Refusal("not_possible", "Give the text by a file or by --text, not by both.");
  const wanted =
    given ?? (file === undefined ? "" : file === "-" ? await textIn(process.stdin) : contentOf(file));
  if (isBlank(wanted) && again === undefined)
    throw new Refusal(
      "not_possible",
      "Say what is to be planned: `signalbox plan FILE`, `signalbox plan -`, or --text TEXT.",
    );
  if (wanted.length > TEXT_LIMIT)
    throw new Refusal(
      "not_possible",
      `The text has ${wanted.length} characters, and a plan takes ${TEXT_LIMIT}. Plan it in parts.`,
    );
  return wanted;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Refusal("not_possible", `The file ${file} cannot be read: ${errorMessage(error)}.`);
  }
}

function show(
  { plan, verdict }: { readonly plan: PlanView; readonly verdict: Verdict | undefined },
  isApproved: boolean,
): void {
  const name = planName(plan.plan);
  if (plan.tasks === 0 && plan.confirmed.length > 0) {
    const have = [...new Set(plan.confirmed.map((one) => (one.plan === null ? "" : planName(one.plan))))];
    print(`${pc.bold(name)} proposes nothing new: all of it waits in ${have.join(", ")}.`);
    return;
  }
  if (plan.tasks === 0) {
    print(`${pc.red(name)} proposes nothing: ${verdict?.reason ?? "its session gave no reason"}.`);
    return;
  }
  print(`${pc.bold(name)} proposes ${counted(plan.proposed.length, "task")}:`);
  print(planLines(plan).join("\n"));
  if (verdict && verdict.exit !== "exited")
    print(
      pc.yellow(
        `! It may be half of a plan: its session ${verdict.exit}${verdict.reason ? `, ${verdict.reason}` : ""}.`,
      ),
    );
  for (const { says } of plan.faults) print(pc.yellow(`! ${quoteLine(says, 300)}`));
  print(
    isApproved
      ? `${name} is approved.`
      : `Approve it: \`signalbox inbox approve ${name}\`, some of it with --only 3,5-7, or reject ${name}.`,
  );
}
