import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Reporter } from "../../decisions/rules/reports.ts";
import { reportSignal, type SignalReport } from "../../decisions/rules/signal-report.ts";
import { AGENT } from "../../events/actors.ts";
import { signals } from "../../events/types/signals.ts";
import { idFromKey } from "../../lib/ids.ts";
import { print, printJson, quoteText } from "../../lib/terminal/output.ts";
import { keptLearningLine } from "../../operations/kept-learning.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readModelPath,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { mayRun } from "../making/plain-command.ts";
import { optionsOf, typed, valuesOf } from "../making/schema-options.ts";
import { gatesToRun } from "../running/gates-to-run.ts";
import { stoppable } from "../running/stoppable.ts";

/** The eight verbs for agents without MCP: each definition in src/events/types/signals.ts gives a command, with an option for each field. */
export function addSignal(program: Command): void {
  const group = program
    .command("signal")
    .description("report on a session's work, as its agent does with the tool of the same name");
  for (const signal of signals) addVerb(group, signal);
}

interface Options extends CommonOptions {
  readonly session: string;
  readonly task?: number;
}

function addVerb(group: Command, signal: (typeof signals)[number]): void {
  const { verb, title, description, arguments: schema, example } = signal;
  const command = group.command(verb).description(`${title}. ${description}`);
  if (!mayRun(group, verb)) return;
  command
    .requiredOption("--session <id>", "the session that reports")
    .option("--task <id>", "the task (default: the session's)", parseId);
  for (const option of optionsOf(schema)) command.addOption(option);
  writingOptions(command, AGENT)
    .addHelpText("after", `\nExample:\n  signalbox signal ${verb} --session s-1 ${typed(schema, example)}`)
    .action((options: Options & Record<string, unknown>) =>
      guarded(() =>
        withProject(
          { ...options, ownWork: { session: options.session, task: options.task } },
          async (project) => {
            const reporter = await reporterOf(project, options);
            // Under a key the id follows from it, as that of a decision does: keys are the caller's, whatever they are for.
            const id =
              options.key === undefined ? project.store.environment.newId() : idFromKey(options.key, "0");
            const report = { verb, args: valuesOf(schema, options), id };
            const recorded = await reportSignal(project.store, reporter, report, ADVICE);
            const answer = verb === "done" ? await verified(project, options, reporter, recorded) : recorded;
            if (options.json) printJson(answer);
            else {
              print(`Recorded at position ${answer.position}: ${answer.recorded}.`);
              if (answer.kept) print(keptLearningLine(answer.kept));
              if ("report" in answer && typeof answer.report === "string")
                print(`\n${quoteText(answer.report)}\n`);
              print(quoteText(answer.next));
            }
          },
        ),
      ),
    );
}

/** A done is a claim; the task's gates are run, and say what it is worth. */
async function verified(
  project: Project,
  options: Options,
  { task, session }: Reporter,
  recorded: SignalReport,
) {
  const { verifyDone } = await import("../../gates/verifying/verify-done.ts");
  const { confirmedConfig } = await import("../../config/confirmed.ts");
  // An agent says done, perhaps on a terminal that nobody looks at: it is told, and nobody is asked.
  const config = () => confirmedConfig(readModelPath(options));
  const answer = await stoppable((signal) =>
    verifyDone(project, recorded, { ...gatesToRun(options, signal), config, task, session }),
  );
  return answer ?? recorded;
}

const ADVICE = {
  unknownTask: "Run `signalbox task list` to see all tasks.",
  otherTask: "Leave --task out: the session's own is taken.",
};

/** @throws Refusal `not_found`: nobody started the session, and no task was named */
async function reporterOf(project: Project, { session, task }: Options): Promise<Reporter> {
  const row = task === undefined ? await project.queries.sessionRow(session) : undefined;
  if (row?.task_id === null)
    throw new Refusal(
      "not_possible",
      `Nothing was recorded: session ${session} has no task, and its agent reports nothing.`,
    );
  const known = task ?? row?.task_id;
  if (known === undefined) {
    throw new Refusal(
      "not_found",
      `Nothing was recorded: there is no session ${session}. Run \`signalbox session list\` to see all sessions; with --task, the signal starts a session of that task.`,
    );
  }
  return { task: known, session, actor: project.actor };
}
