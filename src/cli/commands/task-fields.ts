import { type Command, Option } from "commander";
import { type Priority, priorities, type TaskStatus } from "../../events/types/fields.ts";
import { type CommonOptions, collectOrNone, parseCount, parseIds, parseStatus } from "../command.ts";

/** The options of a task's fields, as the parser gives them. */
export interface FieldOptions extends CommonOptions {
  readonly description?: string;
  readonly feature?: string;
  readonly discipline?: string;
  readonly priority?: Priority;
  readonly status?: TaskStatus;
  readonly dependsOn?: number[];
  readonly accept?: "auto" | "human";
  readonly criterion?: string[];
  readonly contextFile?: string[];
  readonly tag?: string[];
  readonly outputArtifact?: string[];
  readonly hints?: string;
  readonly estimatedTurns?: number;
}

/** The options that `task add` and `task set` share. */
export function fieldOptions(command: Command): Command {
  return planOptions(
    command
      .option("--description <text>", "what is to be done")
      .option("--feature <name>", "the feature that it belongs to (a new task: general)")
      .option("--discipline <name>", "what kind of agent works on it (a new task: general)")
      .addOption(
        new Option("--priority <priority>", "what comes first (a new task: medium)").choices(priorities),
      )
      .option(
        "--status <status>",
        "draft, pending, in_progress, needs_input, blocked, done, failed, skipped",
        parseStatus,
      )
      .option("--depends-on <ids>", "tasks that must be done or skipped first, e.g. 3,5", parseIds)
      .addOption(
        new Option("--accept <who>", "human: a verified done waits for you").choices(["auto", "human"]),
      ),
  )
    .option("--tag <word>", "a word to sort tasks by, for the prompt (repeatable)", collectOrNone)
    .option("--output-artifact <path>", "a file that the work makes or changes (repeatable)", collectOrNone)
    .option("--hints <text>", "what may help whoever works on it")
    .option("--estimated-turns <count>", "how many turns an agent may need", parseCount);
}

/** The options of what `task enrich` takes too. */
export function planOptions(command: Command): Command {
  return command
    .option("--criterion <text>", "what must be true of the work, for the prompt (repeatable)", collectOrNone)
    .option("--context-file <path>", "a file that the agent should know (repeatable)", collectOrNone);
}

/** The fields of a task under the names that decisions have for them, but for its title and status. */
export function fieldsOf({
  description,
  feature,
  discipline,
  priority,
  dependsOn: depends_on,
  accept,
  criterion: criteria,
  contextFile: context_files,
  tag: tags,
  outputArtifact: output_artifacts,
  hints,
  estimatedTurns: estimated_turns,
}: FieldOptions) {
  return {
    ...{ description, feature, discipline, priority, depends_on, accept },
    ...{ criteria, context_files, tags, output_artifacts, hints, estimated_turns },
  };
}
