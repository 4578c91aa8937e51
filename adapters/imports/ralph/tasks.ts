import { z } from "zod";
import {
  AGENT,
  ExchangeError,
  enrichTask,
  type ForeignTask,
  fitPriority,
  fitStatus,
  fitTags,
  fitTitle,
  isBlank,
  type LeftOut,
  NOBODY_WORKS,
  Refusal,
  type Row,
  type StatusChoices,
  type StatusWords,
  setTaskStatus,
  type TaskStatus,
} from "../core.ts";
import { parseRow } from "../row-schema.ts";
import { namesOf } from "./catalogue.ts";
import { contentOf, listColumn, listsIn, refColumn, textColumn } from "./columns.ts";
import type { Columns, ForeignDatabase } from "./database.ts";

/** A task of a foreign database, with its history. */
export interface TaskWithHistory extends ForeignTask {
  /** Its status there; undefined: the result of its sessions. */
  readonly status: TaskStatus | undefined;
}

/**
 * The tasks of a Ralph database (docs/exchange.md; veighnsche/ralph4days stores lists in separate
 * tables).
 *
 * @param worked the tasks with sessions: they begin as drafts, which no driver takes, until their
 * sessions are imported
 */
export function ralphTasks(
  database: ForeignDatabase,
  worked: ReadonlySet<string>,
  choices: StatusChoices,
): { readonly tasks: TaskWithHistory[]; readonly refused: LeftOut[] } {
  const tasks: TaskWithHistory[] = [];
  const refused: LeftOut[] = [];
  const listed = listsOf(database);
  for (const row of database.rows("tasks")) {
    const created = textColumn.safeParse(row.created);
    const place = { at: `tasks ${row.id}`, what: "task", time: created.success ? created.data : undefined };
    try {
      tasks.push({ ...place, ...ralphTask(row, listed, worked, choices) });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      refused.push({ ...place, leftOut: "refused", why: error.message });
    }
  }
  return { tasks, refused };
}

function listsOf(database: ForeignDatabase) {
  const list = (table: string, column: string) => listsIn(database, table, "task_id", column);
  return {
    tags: list("task_tags", "tag"),
    depends_on: list("task_dependencies", "depends_on_task_id"),
    acceptance_criteria: list("task_acceptance_criteria", "criterion"),
    context_files: list("task_context_files", "file_path"),
    output_artifacts: list("task_output_artifacts", "artifact_path"),
    feature: namesOf(database.rows("features")),
    discipline: namesOf(database.rows("disciplines")),
  };
}

const STATUSES: StatusWords = {
  draft: { status: "draft" },
  pending: { status: "pending" },
  in_progress: { status: "pending", change: NOBODY_WORKS },
  needs_input: { status: "needs_input" },
  blocked: { status: "blocked" },
  done: { status: "done" },
  completed: { status: "done" },
  failed: { status: "failed" },
  skipped: { status: "skipped" },
};

function ralphTask(
  row: Columns,
  listed: ReturnType<typeof listsOf>,
  worked: ReadonlySet<string>,
  choices: StatusChoices,
): Omit<TaskWithHistory, "at" | "what"> {
  const task = parseRow(taskSchema, row);
  const { id } = task;
  const changes: string[] = [];
  const status = fitStatus(task.status, STATUSES, choices, changes);
  const hasHistory = worked.has(id) || task.pseudocode !== undefined;
  const both = (name: "acceptance_criteria" | "context_files" | "output_artifacts" | "depends_on") => [
    ...task[name],
    ...listed[name](id),
  ];
  return {
    ref: id,
    id: /^\d{1,9}$/.test(id) ? Number(id) : undefined,
    status: task.status === "in_progress" ? undefined : status,
    fields: {
      ...fitTitle(task.title, task.description ?? "", changes),
      feature: nameOr(task.feature ?? listed.feature(task.feature_id), task.feature_id, "feature", changes),
      discipline: nameOr(
        task.discipline ?? listed.discipline(task.discipline_id),
        task.discipline_id,
        "discipline",
        changes,
      ),
      priority: fitPriority(task.priority, changes),
      status: hasHistory ? "draft" : status,
      criteria: both("acceptance_criteria"),
      context_files: both("context_files"),
      output_artifacts: both("output_artifacts"),
      tags: fitTags([...task.tags, ...listed.tags(id)], changes),
      hints: task.hints,
      estimated_turns: task.estimated_turns,
    },
    depends_on: both("depends_on"),
    changes,
    content: { ...contentOf(row), lists: [both("depends_on"), both("acceptance_criteria")] },
    actor: (task.provenance ?? task.origin) === "agent" ? AGENT : undefined,
  };
}

/** The general one, if the source names none or an unknown one. */
function nameOr(
  found: string | undefined,
  id: string | null | undefined,
  what: string,
  changes: string[],
): string {
  if (found === undefined && typeof id === "string") changes.push(`the source has no ${what} ${id}: general`);
  return found ?? "general";
}

/** Pseudocode, as from `enrich_task`. */
export function pseudocodeRows(database: ForeignDatabase): Row[] {
  return database.rows("tasks").flatMap((row) => {
    const { id, pseudocode } = row;
    if (typeof pseudocode !== "string" || isBlank(pseudocode)) return [];
    const ref = String(id);
    return {
      at: `tasks ${ref}, pseudocode`,
      what: "pseudocode",
      key: `pseudocode ${ref}`,
      content: { pseudocode },
      changes: [],
      actor: AGENT,
      type: "task.enriched" as const,
      plan: ({ state, taskOf }) => enrichTask({ task: taskOf(ref), pseudocode }).plan(state),
    } satisfies Row;
  });
}

/**
 * Sets a task's status in the source, if its sessions gave another one; not if work on the task has
 * continued here.
 */
export function statusRow({ at, ref, status }: TaskWithHistory): Row {
  return {
    at: `${at}, status`,
    what: "status",
    key: `status ${ref}`,
    content: { status },
    changes: [],
    quiet: true,
    type: "task.status_set",
    plan({ state, taskOf, isOwn, note }) {
      const task = taskOf(ref);
      const now = state.tasks.get(task)?.status;
      const last = state.statusChanges.where({ task_id: task }).at(-1);
      const wanted = status ?? (now === "draft" ? "pending" : now);
      if (wanted === undefined || wanted === now || last === undefined || !isOwn(last.position)) {
        throw new Refusal("nothing_to_do", "The task has its status.");
      }
      if (now !== "draft") note(`by its sessions the task would be ${now}; the source says ${wanted}`);
      return setTaskStatus({ task, status: wanted }).plan(state);
    },
  };
}

const taskSchema = z.object({
  id: refColumn,
  title: z.string(),
  description: textColumn,
  status: z.string().default("pending"),
  priority: textColumn,
  feature: textColumn,
  feature_id: refColumn.nullish(),
  discipline: textColumn,
  discipline_id: refColumn.nullish(),
  hints: textColumn,
  estimated_turns: z
    .number()
    .nullish()
    .transform((value) => value ?? undefined),
  provenance: textColumn,
  origin: textColumn,
  pseudocode: textColumn,
  acceptance_criteria: listColumn,
  context_files: listColumn,
  output_artifacts: listColumn,
  depends_on: listColumn,
  tags: listColumn,
});
