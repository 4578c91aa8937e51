import { z } from "zod";
import {
  addComment,
  ExchangeError,
  type ForeignTask,
  fitStatus,
  fitTags,
  fitTitle,
  joined,
  type LeftOut,
  type Line,
  leaveOut,
  linesOf,
  NOBODY_WORKS,
  name,
  openSource,
  type Priority,
  parseLine,
  type ReadOptions,
  type Row,
  type Source,
  type StatusWords,
  taskRows,
} from "./core.ts";
import { listItems } from "./list-items.ts";
import { optionalText, optionalTexts, parseRow } from "./row-schema.ts";

/**
 * Reads the issues of beads from its JSON lines (`bd export`, `.beads/issues.jsonl`): an issue a line, with its labels,
 * dependencies and comments.
 *
 * @throws ExchangeError `not_found`, `refused_file`; `malformed`: a line that is too long, or no text
 */
export async function readBeads(path: string, options: ReadOptions): Promise<Source> {
  const tasks: ForeignTask[] = [];
  const leftOut: LeftOut[] = [];
  const comments: Row[] = [];
  for await (const line of linesOf(openSource(path))) {
    const at = `line ${line.number}`;
    try {
      const value = parseLine(line);
      const none = whyNone(parseRow(kindSchema, value));
      if (none !== undefined) leftOut.push({ at, what: "task", leftOut: "skipped", why: none });
      else {
        const issue = parseRow(issueSchema, value);
        tasks.push({ at, what: "task", time: issue.created_at, ...issueTask(issue, value, options) });
        comments.push(...issue.comments.map((comment, index) => commentRow(issue, comment, index, line)));
      }
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      leftOut.push({ at, what: "task", leftOut: "refused", why: error.message });
    }
  }
  return { name: "", rows: [...leftOut, ...taskRows(tasks), ...comments] };
}

/** The statuses of beads 1.3.0. */
const STATUSES: StatusWords = {
  open: { status: "pending" },
  in_progress: { status: "pending", change: NOBODY_WORKS },
  hooked: { status: "pending", change: NOBODY_WORKS },
  blocked: { status: "blocked" },
  deferred: { status: "draft", change: "it is deferred there: a draft" },
  pinned: { status: "draft", change: "it is pinned there, so it stays open: a draft" },
  closed: { status: "done" },
};

/** P0 to P4. */
const PRIORITIES: readonly Priority[] = ["critical", "high", "medium", "low", "low"];

/** The links that block an issue; other links are only reported. */
const BLOCKS = "blocks";

function issueTask(
  issue: Issue,
  content: unknown,
  { statuses }: ReadOptions,
): Omit<ForeignTask, "at" | "what"> {
  const {
    id,
    title,
    description,
    design,
    acceptance_criteria,
    notes,
    status,
    priority,
    issue_type,
    ...more
  } = issue;
  const {
    labels,
    dependencies,
    comments: _,
    created_at,
    updated_at,
    closed_at,
    created_by,
    _type,
    ...rest
  } = more;
  const changes: string[] = [];
  const fitted = fitTitle(title, joined(description, design && `## Design\n\n${design}`), changes);
  const criteria = listItems(acceptance_criteria ?? "");
  const links = dependencies.filter(({ type }) => type !== BLOCKS);
  leaveOut(rest, changes);
  if (priority === PRIORITIES.length - 1) changes.push("its priority 4, the backlog, is low");
  for (const { type, depends_on_id } of links) changes.push(`left out: ${type} ${depends_on_id}`);
  return {
    ref: id,
    fields: {
      ...fitted,
      status: fitStatus(status, STATUSES, statuses, changes),
      priority: PRIORITIES[priority] ?? "medium",
      criteria,
      tags: fitTags([...(issue_type === "task" ? [] : [issue_type]), ...labels], changes),
      hints: notes,
    },
    depends_on: dependencies.filter(({ type }) => type === BLOCKS).map(({ depends_on_id }) => depends_on_id),
    changes,
    content,
  };
}

function whyNone({ _type, status }: z.infer<typeof kindSchema>): string | undefined {
  if (_type !== undefined && _type !== "issue") return `it is a ${_type}, not an issue`;
  return status === "tombstone" ? "it was deleted there" : undefined;
}

function commentRow({ id }: Issue, comment: Comment, index: number, line: Line): Row {
  const { author, text, created_at } = comment;
  const signed = name.safeParse(author).success ? author : "beads";
  return {
    at: `line ${line.number}, comment ${index + 1}`,
    what: "comment",
    time: created_at,
    key: `comment ${id} ${comment.id ?? index + 1}`,
    content: comment,
    changes: signed === author ? [] : ["its author has no short name: signed by beads"],
    type: "comment.added",
    plan: ({ state, taskOf }) => addComment({ task: taskOf(id), author: signed, body: text }).plan(state),
  };
}

/** Distinguishes issues from the other exported things. */
const kindSchema = z.looseObject({ _type: optionalText, status: z.unknown().optional() });

const commentSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  author: z.string().default(""),
  text: z.string(),
  created_at: optionalText,
});
type Comment = z.infer<typeof commentSchema>;

/** steveyegge/beads, internal/types/types.go, as of 1.3.0. */
const issueSchema = z.looseObject({
  _type: optionalText,
  id: z.string().min(1).max(200),
  title: z.string(),
  description: optionalText,
  design: optionalText,
  acceptance_criteria: optionalText,
  notes: optionalText,
  status: z.string().default("open"),
  priority: z.int().min(0).max(4).default(2),
  issue_type: z.string().default("task"),
  labels: optionalTexts,
  dependencies: z
    .array(z.looseObject({ depends_on_id: z.string(), type: z.string().default(BLOCKS) }))
    .nullish()
    .transform((value) => value ?? []),
  comments: z
    .array(commentSchema)
    .nullish()
    .transform((value) => value ?? []),
  created_at: optionalText,
  updated_at: optionalText,
  closed_at: optionalText,
  created_by: optionalText,
});
type Issue = z.infer<typeof issueSchema>;
