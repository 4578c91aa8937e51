import type { Row } from "../../projections/table.ts";
import type { sessionFiles } from "../../projections/workspaces.ts";
import type { Context } from "./context.ts";
import { featureFiles } from "./feature-files.ts";
import type { Entry, Part, PartName } from "./part.ts";
import { quoteAgent, quoteHuman, quoteTask } from "./quote.ts";

type Changed = Pick<Row<typeof sessionFiles>, "path" | "task_id" | "session_id" | "position">;

/**
 * Files that the agent should know: those that the feature and the task name, and those that earlier sessions of the
 * task and of the tasks that it depends on have changed. Each is named once; the feature's come first, being the same
 * for all of its tasks.
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
      "they hold the work so far",
      changedBy(context, [task.id])
        .filter(({ path }) => fresh(path))
        .map((file) => changed(file, `changed by session ${file.session_id}`)),
    ),
    filesPart(
      "dependency_files",
      "Files that the tasks changed which this one depends on",
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

/** Names of files that agents made are words of agents. */
function changed({ path, position }: Changed, why: string): Entry {
  return { text: quoteAgent(path, PATH_LIMIT), positions: [position], why };
}

const PATH_LIMIT = 500;

/** Files that ended sessions of these tasks changed, the last changed first, each session's in the order of names. */
function changedBy({ readModel }: Context, tasks: readonly number[]): Changed[] {
  return readModel
    .prepared<[string], Changed>(
      `SELECT path, task_id, session_id, position FROM session_files
       WHERE task_id IN (SELECT value FROM json_each(?)) AND open = 0
       ORDER BY position DESC, path LIMIT 2000`,
    )
    .all(JSON.stringify(tasks));
}
