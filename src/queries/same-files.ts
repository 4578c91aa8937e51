import { overlap } from "../lib/globs-overlap.ts";
import { tasks } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question, type RowOf } from "../read-model/question.ts";
import type { ReadRowsOf, ReadView } from "../read-model/read-view.ts";
import { workPause } from "./pause.ts";
import { findTask, type TaskView } from "./tasks.ts";

/** A task with an open session, and what it says that it makes or changes: paths and globs. */
export interface InWork {
  readonly task: number;
  readonly session: string;
  readonly paths: readonly string[];
}

/** A task that is in work, and one of its paths. */
interface SameFile extends Pick<InWork, "task" | "session"> {
  readonly path: string;
}

/** The tasks with an open session that say what they make; most projects have none. */
function filesInWork(board: ReadRowsOf<{ readonly tasks: typeof tasks }>): InWork[] {
  return board.tasks
    .where({ status: "in_progress" })
    .flatMap(({ id, open_session: session, output_artifacts }) =>
      session === null || output_artifacts === "[]"
        ? []
        : [{ task: id, session, paths: parseColumn(output_artifacts) }],
    );
}

/** What is made by a task in work, and could be made by one with these paths too. */
export function sameFile(paths: readonly string[], inWork: readonly InWork[]): SameFile | undefined {
  for (const { paths: theirs, ...other } of inWork) {
    const path = theirs.find((their) => paths.some((own) => overlap(own, their)));
    if (path !== undefined) return { ...other, path };
  }
  return undefined;
}

/** The task in work beside which no loop starts this one; undefined: none is. */
export function sameFilesAs(
  board: Parameters<typeof filesInWork>[0],
  { output_artifacts }: Pick<RowOf<typeof FIRST_READY>, "output_artifacts">,
): SameFile | undefined {
  return output_artifacts === "[]" ? undefined : sameFile(parseColumn(output_artifacts), filesInWork(board));
}

/** The same as a clause for people, or nothing. */
export function sameFilesInWords(...of: Parameters<typeof sameFilesAs>): string {
  const same = sameFilesAs(...of);
  return same ? `; a loop starts it after task ${same.task}, in work, since both make ${same.path}` : "";
}

/** The number of the task in work beside which no loop starts this one. */
export function taskInTheWay(readModel: ReadView, id: number): number | undefined {
  const board = readModel.rowsOf({ tasks });
  const task = board.tasks.get(id);
  return task && sameFilesAs(board, task)?.task;
}

/**
 * The first tasks that a driver may start now, the next one first: they make no file that a task in work makes too.
 *
 * @param without left out as well
 */
export function startableApart(
  readModel: ReadView,
  limit: number,
  without: readonly number[] = [],
): TaskView[] {
  if (workPause(readModel)) return [];
  const inWork = filesInWork(readModel.rowsOf({ tasks }));
  // Few are read at first: of a hundred thousand ready tasks nearly always one of the first may start.
  for (let read = limit + without.length; ; read *= 2) {
    const ready = readModel.all(FIRST_READY, { limit: read });
    const apart = ready
      .filter(({ id, output_artifacts }) => {
        if (without.includes(id)) return false;
        return inWork.length === 0 || sameFile(parseColumn(output_artifacts), inWork) === undefined;
      })
      .slice(0, limit);
    if (apart.length === limit || ready.length < read)
      return apart.flatMap(({ id }) => findTask(readModel, id) ?? []);
  }
}

const FIRST_READY = question<{ limit: number }>()((tables, given) =>
  tables.selectFrom("ready_tasks").select(["id", "output_artifacts"]).limit(given("limit")),
);
