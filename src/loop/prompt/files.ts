import { question, type RowOf, valuesIn } from "../../read-model/question.ts";
import type { Context } from "./context.ts";
import { featureFiles } from "./feature-files.ts";
import type { Entry, Part, PartName } from "./part.ts";
import { quoteAgent, quoteHuman, quoteTask } from "./quote.ts";

type Changed = RowOf<typeof CHANGED>;

/**
 * Files that the agent should know: named by the feature or the task, or changed by earlier
 * sessions of the task and of its dependencies. Each is named once; the feature's come first, since
 * they are the same for all of its tasks.
 */
export function fileParts(context: Context): Part[] {
  const { task } = context;
  const seen = new Set<string>();
  const fresh = (path: string) => !seen.has(path) && seen.add(path) !== undefined;
  return [
    filesPart(
      "feature_files",
      "Files of the feature",
      "the feature names them",
      featureFiles(context, fresh),
    ),
    filesPart("task_files", "Files of the task", "the task names them", [
      ...task.context_files.filter(fresh).map((path) => named(path, [], "the task", quoteTask(task))),
    ]),
    filesPart(
      "changed_files",
      "Files that earlier sessions of this task changed",
      "they hold the work done so far",
      changedBy(context, [task.id])
        .filter(({ path }) => fresh(path))
        .map((file) => changed(file, `changed by session ${file.session_id}`)),
    ),
    filesPart(
      "dependency_files",
      "Files changed by the tasks that this task depends on",
      "this task builds on them",
      changedBy(context, task.depends_on)
        .filter(({ path }) => fresh(path))
        .map((file) => changed(file, `changed by task ${file.task_id}`)),
    ),
  ];
}

function filesPart(name: PartName, heading: string, why: string, entries: readonly Entry[]): Part {
  return { name, heading, why, entries, required: false };
}

function named(path: string, positions: readonly number[], who: string, quote = quoteHuman): Entry {
  return { text: quote(path, PATH_LIMIT), positions, why: `named by ${who}` };
}

/** Agents choose the names of files that they make, so those count as agents' words. */
function changed({ path, position }: Changed, why: string): Entry {
  return { text: quoteAgent(path, PATH_LIMIT), positions: [position], why };
}

const PATH_LIMIT = 500;

/**
 * Files changed by ended sessions of these tasks, the latest session first, sorted by name within
 * each session.
 */
function changedBy({ readModel }: Context, tasks: readonly number[]): Changed[] {
  return readModel.all(CHANGED, { tasks: JSON.stringify(tasks) });
}

const CHANGED = question<{ tasks: string }>()((tables, given) =>
  tables
    .selectFrom("session_files")
    .select(["path", "task_id", "session_id", "position"])
    .where("task_id", "in", valuesIn<number>(given("tasks")))
    .where("open", "=", 0)
    .orderBy("position", "desc")
    .orderBy("path")
    .limit(2000),
);
