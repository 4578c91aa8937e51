import { type Command, Option } from "commander";
import { givenFields } from "../../decisions/given-fields.ts";
import {
  addLearning as addLearningDecision,
  markLearning,
  splitLearning,
} from "../../decisions/learnings.ts";
import { type learningMarks, learningOrigins } from "../../events/types/learnings.ts";
import { learningKinds, learningScopes } from "../../events/types/signals.ts";
import type { Learning, LearningFilter } from "../../projections/queries/learnings.ts";
import { print, printJson, printTable, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { keptLearningLine } from "../kept-learning-line.ts";
import { type PageOptions, pageOptions, printPage } from "../paging.ts";
import { stateFileCommand } from "../state-file-command.ts";

export function addLearning(program: Command): void {
  const group = program.command("learning").description("what was learned, each thing once");
  addAdd(group);
  addList(group);
  addMark(group, "pin", "pinned", "put a learning into prompts before all others of its scope");
  addMark(group, "retire", "retired", "leave a learning out of prompts and learnings.txt; it stays findable");
  addMark(group, "release", "none", "take back that a learning was pinned or retired");
  addSplit(group);
  stateFileCommand(group.command("show"), "learnings")
    .description("print all of it as text: learnings.txt as of now")
    .addHelpText("after", "\nExample:\n  signalbox learning show");
}

interface Fields extends CommonOptions {
  readonly feature?: string;
  readonly kind: (typeof learningKinds)[number];
  readonly reason?: string;
  readonly source: (typeof learningOrigins)[number];
  readonly task?: number;
}

function addAdd(group: Command): void {
  writingOptions(
    group
      .command("add")
      .description("add something that was learned; the same words as an entry's are joined with it")
      .argument("<text>", "what was learned")
      .option("--feature <name>", "the feature that it concerns; absent: the whole project")
      .addOption(new Option("--kind <kind>", "what it is").choices(learningKinds).default("discovery"))
      .option("--reason <text>", "why it is so")
      .addOption(new Option("--source <who>", "who found it out").choices(learningOrigins).default("human"))
      .option("--task <id>", "the task in whose course it was found", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox learning add 'Orders come sorted by date.'")
    .action((text: string, options: Fields) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { feature, kind, reason, source, task } = options;
          const learning = { text, feature, kind, reason, source, task };
          const [event] = await project.decide(addLearningDecision(learning), options.key);
          const kept = await project.queries.keptLearning(event.position);
          if (options.json) printJson(kept);
          else print(keptLearningLine(kept));
        }),
      ),
    );
}

function addMark(
  group: Command,
  name: string,
  mark: (typeof learningMarks)[number],
  description: string,
): void {
  writingOptions(
    group
      .command(name)
      .description(description)
      .argument("<id>", "of the learning", parseId)
      .option("--reason <text>", "why"),
  )
    .addHelpText("after", `\nExample:\n  signalbox learning ${name} 41`)
    .action((learning: number, { reason, ...options }: CommonOptions & { readonly reason?: string }) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(
            markLearning(givenFields({ learning, mark, reason })),
            options.key,
          );
          if (options.json) printJson({ learning, mark, position: event.position });
          else print(`Learning ${learning} is ${mark === "none" ? "neither pinned nor retired" : mark} now.`);
        }),
      ),
    );
}

function addSplit(group: Command): void {
  writingOptions(
    group
      .command("split")
      .description("take what was joined with a learning wrongly out of it: it becomes one of its own")
      .argument("<position>", "at which it was said; `signalbox why learning ID` shows them", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox learning split 96")
    .action((source: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(splitLearning({ source }), options.key);
          if (options.json) printJson({ learning: source, position: event.position });
          else print(`Learning ${source} is an entry of its own now.`);
        }),
      ),
    );
}

function addList(group: Command): void {
  pageOptions(
    readingOptions(
      group
        .command("list", { isDefault: true })
        .description("list what was learned, in the order of ids; with --search the best match first")
        .option("--search <words>", "only what has all these words, or words that begin so")
        .addOption(new Option("--scope <scope>", "only those of this scope").choices(learningScopes))
        .option("--feature <name>", "only those of this feature"),
    ),
    parseId,
  )
    .addHelpText("after", "\nExample:\n  signalbox learning list --search 'redis cache'")
    .action((options: CommonOptions & PageOptions<number> & LearningFilter) =>
      guarded(() =>
        withProject(options, ({ queries }) => {
          const { search, scope, feature, after } = options;
          return printPage(
            "learnings",
            options,
            (limit) => queries.learnings({ search, scope, feature, after, limit }),
            ({ id }) => id,
            showLearnings,
          );
        }),
      ),
    );
}

function showLearnings(learnings: readonly Learning[]): void {
  printTable(
    ["id", "kind", "concerns", "said", "mark", "text"],
    learnings.map((learning) => [
      learning.id,
      learning.kind,
      concernOf(learning),
      `${learning.confirmations}×`,
      learning.mark === "none" ? "" : learning.mark,
      quoteLine(learning.text),
    ]),
  );
}

function concernOf({
  scope,
  task_id,
  feature,
}: {
  scope: string;
  task_id: number | null;
  feature: string | null;
}) {
  if (scope === "project") return "project";
  return scope === "task" ? `task ${task_id}` : quoteLine(feature ?? "", 24);
}
