import type { TaskStatus } from "../events/types/fields.ts";
import { projectTable } from "../projections/project.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { countTasks } from "./tasks.ts";

/** What the project says of itself; nothing of it is made up. */
export interface ProjectInfo {
  /** Null until someone gives one. */
  readonly title: string | null;
  readonly description: string;
  /** When its first feature was made, which is what `init` does first; null for an empty log. */
  readonly created: string | null;
}

export function projectInfo(readModel: ReadView): ProjectInfo {
  const row = readModel.rowsOf({ project: projectTable }).project.get(1);
  return {
    title: row?.title ?? null,
    description: row?.description ?? "",
    created: row?.created ?? null,
  };
}

interface Completion {
  /** All tasks, drafts and skipped ones too. */
  readonly total: number;
  readonly done: number;
  /** Done ones of those that are not skipped, rounded down, so that 100 means all; null where there are none. */
  readonly percentage: number | null;
}

/** How far the work is (the tool `get_project_progress`). */
export interface ProjectProgress extends Completion {
  /** A status without tasks is absent. */
  readonly by_status: Partial<Record<TaskStatus, number>>;
  /** In the order of the features' names; one without tasks is absent. */
  readonly by_feature: readonly (Completion & { readonly feature: string })[];
}

export function projectProgress(readModel: ReadView): ProjectProgress {
  const by_status = countTasks(readModel);
  const total = Object.values(by_status).reduce((sum, count) => sum + count, 0);
  return {
    ...completion({ total, done: by_status.done ?? 0, skipped: by_status.skipped ?? 0 }),
    by_status,
    by_feature: readModel
      .all(BY_FEATURE, {})
      .map(({ feature, ...counts }) => ({ feature, ...completion(counts) })),
  };
}

const BY_FEATURE = question()((tables) =>
  tables
    .selectFrom("tasks")
    .select("feature")
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.countAll<number>().filterWhere("status", "=", "done").as("done"),
      fn.countAll<number>().filterWhere("status", "=", "skipped").as("skipped"),
    ])
    .groupBy("feature")
    .orderBy("feature"),
);

interface Counts {
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
}

function completion({ total, done, skipped }: Counts): Completion {
  const wanted = total - skipped;
  return { total, done, percentage: wanted === 0 ? null : Math.floor((100 * done) / wanted) };
}
