import { join } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import {
  checkFile,
  ExchangeError,
  type ForeignTask,
  firstThere,
  fitPriority,
  fitStatus,
  fitTags,
  fitTitle,
  joined,
  type LeftOut,
  leaveOut,
  line,
  NOBODY_WORKS,
  namesIn,
  type ReadOptions,
  readText,
  type Source,
  type StatusWords,
  taskRows,
} from "./core.ts";
import { listItems } from "./list-items.ts";
import { optionalText, parseRow } from "./row-schema.ts";

/**
 * Reads the tasks of Backlog.md: a Markdown file each, with front matter in YAML, in `tasks/`, `completed/` and `drafts/`
 * of its folder. What was archived there is not read.
 *
 * @param path the project's folder, or its `backlog/`
 * @throws ExchangeError `not_found`, `refused_file`
 */
export async function readBacklog(path: string, options: ReadOptions): Promise<Source> {
  const folder = folderOf(path);
  const tasks: ForeignTask[] = [];
  const refused: LeftOut[] = [];
  for (const file of FOLDERS.flatMap((name) => namesIn(join(folder, name)).map((one) => join(name, one)))) {
    if (!file.endsWith(".md") || /readme\.md$/i.test(file)) continue;
    const place = { at: file, what: "task" };
    try {
      tasks.push({ ...place, ...taskOf(readText(join(folder, file)), file, options) });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      refused.push({ ...place, leftOut: "refused", why: error.message });
    }
  }
  return { name: nameOf(folder), rows: [...refused, ...taskRows(tasks.sort(byNumber))] };
}

const DRAFTS = "drafts";
const FOLDERS = ["tasks", "completed", DRAFTS];

function folderOf(path: string): string {
  const tasks = firstThere(path, "backlog/tasks", ".backlog/tasks", "tasks");
  if (tasks !== undefined) return join(tasks, "..");
  throw new ExchangeError(
    "not_found",
    `There is no folder backlog/tasks or tasks in ${path}. Name a Backlog.md project.`,
  );
}

/** The project's name in config.yml. */
function nameOf(folder: string): string {
  const path = firstThere(folder, "config.yml", "config.yaml");
  if (path === undefined) return "";
  checkFile(path);
  const config = z.looseObject({ project_name: z.string() }).safeParse(yamlOf(readText(path)));
  return config.success ? config.data.project_name : "";
}

const STATUSES: StatusWords = {
  "to do": { status: "pending" },
  draft: { status: "draft" },
  "in progress": { status: "pending", change: NOBODY_WORKS },
  blocked: { status: "blocked" },
  done: { status: "done" },
};

function taskOf(text: string, file: string, { statuses }: ReadOptions): Omit<ForeignTask, "at" | "what"> {
  const [front, body] = splitFront(text);
  const task = parseRow(frontSchema, yamlOf(front));
  const { id, title, status, priority, labels, dependencies, references, documentation, ...more } = task;
  const { created_date, updated_date: _u, ordinal: _o, subtasks: _s, parent_task_id, ...rest } = more;
  const changes: string[] = [];
  const sections = sectionsOf(body);
  const criteria = [...listItems(sections.criteria), ...listItems(sections.definitionOfDone)];
  const draft = file.startsWith(`${DRAFTS}/`) && status.toLowerCase() !== "done";
  const files = [...references, ...documentation];
  const paths = files.filter((one) => !one.includes("://") && line.safeParse(one).success);
  const links = files.filter((one) => !paths.includes(one));
  leaveOut(rest, changes);
  if (parent_task_id) changes.push(`left out: its parent ${parent_task_id}`);
  return {
    ref: refOf(id),
    id: file.startsWith(`${DRAFTS}/`) ? undefined : numberOf(id),
    time: created_date,
    fields: {
      ...fitTitle(title, sections.description, changes),
      status: draft ? "draft" : fitStatus(status, STATUSES, statuses, changes),
      priority: fitPriority(priority, changes),
      criteria,
      tags: fitTags(labels, changes),
      ...(paths.length > 0 && { context_files: paths }),
      hints: joined(sections.notes, links.length > 0 ? `References: ${links.join(" ")}` : "") || undefined,
    },
    depends_on: dependencies.map(refOf),
    changes,
    content: text,
  };
}

/** Ids ignore case: `TASK-7` is `task-7`. */
function refOf(id: string): string {
  return id.trim().toLowerCase();
}

/** The number of `task-7`; none for a subtask, such as `task-7.1`. */
function numberOf(id: string): number | undefined {
  const number = /-(\d{1,9})$/.exec(id)?.[1];
  return number === undefined || Number(number) === 0 ? undefined : Number(number);
}

/** @throws ExchangeError `malformed` */
function splitFront(text: string): [front: string, body: string] {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match)
    throw new ExchangeError("malformed", "it does not start with front matter between two --- lines");
  return [match[1] ?? "", text.slice(match[0].length)];
}

/** @throws ExchangeError `malformed`: with the line */
function yamlOf(text: string): unknown {
  // YAML allows no bare @ at the beginning of a value; Backlog.md writes people's names like that.
  const quoted = text.replaceAll(/(^|[\s[,])(@[\w.-]+)/gm, '$1"$2"');
  const document = parseDocument(quoted, { schema: "core", stringKeys: true });
  const [error] = document.errors;
  if (error)
    throw new ExchangeError("malformed", `its front matter is not YAML: ${error.message.split("\n")[0]}`);
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch (cause) {
    throw new ExchangeError(
      "malformed",
      `its front matter cannot be read: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
}

interface Sections {
  readonly description: string;
  readonly criteria: string;
  readonly definitionOfDone: string;
  readonly notes: string;
}

/** Extracts the lists of criteria; notes become hints, the rest the description. */
function sectionsOf(body: string): Sections {
  const parts = {
    description: [] as string[],
    criteria: [] as string[],
    definitionOfDone: [] as string[],
    notes: [] as string[],
  };
  let part: keyof typeof parts = "description";
  for (const row of body.split(/\r\n|\n|\r/)) {
    const heading = /^## +(.+?) *$/.exec(row)?.[1]?.toLowerCase();
    if (heading !== undefined) part = PARTS[heading] ?? "description";
    if (heading === "description" || (heading !== undefined && part !== "description")) continue;
    if (!/^<!-- (?:SECTION:\w+|AC|DOD):(?:BEGIN|END) -->$/.test(row.trim())) parts[part].push(row);
  }
  const text = (rows: readonly string[]) => rows.join("\n").trim();
  return {
    description: text(parts.description),
    criteria: text(parts.criteria),
    definitionOfDone: text(parts.definitionOfDone),
    notes: text(parts.notes),
  };
}

const PARTS: Readonly<Record<string, keyof Sections>> = Object.assign(Object.create(null), {
  "acceptance criteria": "criteria",
  "acceptance criteria (optional)": "criteria",
  "definition of done": "definitionOfDone",
  "implementation notes": "notes",
});

const texts = z
  .array(z.union([z.string(), z.number()]).transform(String))
  .nullish()
  .transform((value) => value ?? []);

/** MrLesk/Backlog.md 1.52, src/markdown/parser.ts. */
const frontSchema = z.looseObject({
  id: z.string().min(1).max(200),
  title: z.union([z.string(), z.number()]).transform(String),
  status: z
    .string()
    .nullish()
    .transform((value) => value || "To Do"),
  priority: optionalText,
  labels: texts,
  dependencies: texts,
  references: texts,
  documentation: texts,
  created_date: optionalText,
  updated_date: optionalText,
  parent_task_id: optionalText,
  subtasks: texts,
  ordinal: z.number().nullish(),
});

/** Sorted by number; ids without one come last. */
function byNumber(a: ForeignTask, b: ForeignTask): number {
  return (a.id ?? Number.MAX_SAFE_INTEGER) - (b.id ?? Number.MAX_SAFE_INTEGER);
}
