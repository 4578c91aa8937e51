import type { Project } from "../api/project.ts";
import { someOf } from "../lib/some-of.ts";
import { isSettled } from "../projections/board/dependencies.ts";
import { type InWork, sameFile } from "../queries/same-files.ts";
import type { TaskView } from "../queries/tasks.ts";

/** A task that is not ready, and the reason. */
export interface Waiting {
  readonly task: number;
  /** For people: `waits for you: question 6`. */
  readonly what: string;
}

/** Why no task is ready. */
export interface NothingReady {
  /** Every task that is neither done nor skipped, and every merge that waits for a human, ordered by task. */
  readonly waiting: readonly Waiting[];
  /** One sentence for people; names the first few tasks. */
  readonly reason: string;
}

export async function whyNothingIsReady({ queries }: Project): Promise<NothingReady> {
  const allTasks = await queries.tasks();
  const tasks = allTasks.filter(({ status }) => status !== "done" && status !== "skipped");
  const open = new Set(tasks.filter((task) => !isSettled(task)).map(({ id }) => id));
  const items = await queries.inbox();
  // Keeps the first item of each task: a Map keeps the last value set.
  const asks = new Map(
    items
      .filter(({ kind }) => WAITED_FOR.has(kind))
      .reverse()
      .map((item) => [item.kind === "proposal" ? item.other_task : item.task, item]),
  );
  const merges = items
    .filter(({ kind }) => kind === "merge")
    .flatMap(({ id, task }) =>
      task === null ? [] : [{ task, what: `is done, and its merge is waiting for you: merge ${id}` }],
    );
  const inWork = tasks.flatMap(({ id, open_session: session, output_artifacts: paths }) =>
    session === null ? [] : [{ task: id, session, paths }],
  );
  const waiting = tasks.map((task) => {
    const asked = asks.get(task.id);
    if (task.status === "pending") return { task: task.id, what: whyNotReady(task, open, inWork) };
    if (task.status === "in_progress")
      return { task: task.id, what: `is running in session ${task.open_session ?? "?"}` };
    if (task.status === "failed") return { task: task.id, what: `failed, stuck ${task.stuck_count} times` };
    if (asked) return { task: task.id, what: `is waiting for you: ${asked.kind} ${asked.id}` };
    return { task: task.id, what: `is ${task.status.replace("_", " ")}` };
  });
  const all = [...waiting, ...merges].sort((a, b) => a.task - b.task);
  return { waiting: all, reason: describe(all, allTasks.length > 0) };
}

/**
 * What a pending task waits for: other tasks, also one in work that makes the same files, or a human to approve its gates or let it
 * start again.
 */
function whyNotReady(
  {
    depends_on,
    unapproved_gates: gates,
    held_at,
    cancelled_in_a_row,
    output_artifacts: paths,
  }: Pick<
    TaskView,
    "depends_on" | "unapproved_gates" | "held_at" | "cancelled_in_a_row" | "output_artifacts"
  >,
  open: ReadonlySet<number>,
  inWork: readonly InWork[],
): string {
  const on = depends_on.filter((id) => open.has(id)).map((id) => `#${id}`);
  if (gates > 0) on.push(`you: ${gates === 1 ? "a gate" : `${gates} gates`} to approve`);
  if (held_at > 0) on.push(`you: ${cancelled_in_a_row} cancelled sessions in a row (hold ${held_at})`);
  const same = on.length > 0 ? undefined : sameFile(paths, inWork);
  if (same) on.push(`#${same.task}, which makes the same files (${same.path})`);
  return on.length > 0 ? `is waiting for ${on.join(", ")}` : "is ready";
}

function describe(waiting: readonly Waiting[], hasTasks: boolean): string {
  if (!hasTasks) return "nothing is ready: there are no tasks yet; add one with `signalbox task add`";
  if (waiting.length === 0) return "nothing is ready: every task is done or skipped";
  const named = waiting.map(({ task, what }) => `#${task} ${what}`);
  return `nothing is ready: ${someOf(named, { most: 8, by: "; " })}`;
}
/**
 * What a human must handle before a task that is not pending can go on; gates to approve and holds
 * only block pending tasks, flags and contests block none.
 */
const WAITED_FOR: ReadonlySet<string> = new Set([
  "question",
  "stall",
  "blocker",
  "proposal",
  "gate",
  "acceptance",
]);
