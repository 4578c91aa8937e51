import { z } from "zod";
import {
  ExchangeError,
  type ForeignTask,
  fitPriority,
  fitTitle,
  joined,
  type LeftOut,
  leaveOut,
  priorities,
  readText,
  type Source,
  taskRows,
} from "./core.ts";
import { optionalText, optionalTexts, parseRow } from "./row-schema.ts";

/**
 * Reads the prd.json of a Ralph loop (snarktank/ralph): its user stories, in the order of their priorities, as tasks.
 * A story that passes is done. Commands that the file names are never run: they are left out, and that is said.
 *
 * @throws ExchangeError `not_found`, `refused_file`, `malformed`
 */
export async function readPrd(path: string): Promise<Source> {
  const file = parseFile(readText(path), path);
  const tasks: ForeignTask[] = [];
  const refused: LeftOut[] = [];
  for (const [index, story] of file.stories.entries()) {
    const place = { at: `story ${index + 1}`, what: "task" };
    try {
      tasks.push({ ...place, ...storyTask(story, `story ${index + 1}`) });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      refused.push({ ...place, leftOut: "refused", why: error.message });
    }
  }
  // The Ralph loop takes the story with the lowest number first; ours takes the lowest id within a
  // priority.
  const inOrder = tasks.sort((a, b) => orderOf(a.content) - orderOf(b.content));
  return { name: file.name, rows: [...file.leftOut, ...refused, ...taskRows(inOrder)] };
}

function parseFile(text: string, path: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ExchangeError(
      "malformed",
      `${path} is not JSON: ${cause instanceof Error ? cause.message : cause}.`,
    );
  }
  if (Array.isArray(value)) return { name: "", stories: value, leftOut: [] };
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    throw new ExchangeError(
      "malformed",
      `${path} is not a prd.json: it must be a list, or have a list "userStories".`,
    );
  }
  const { userStories, project, branchName, name, description: _, ...rest } = parsed.data;
  const changes: string[] = [];
  leaveOut(rest, changes);
  const leftOut = changes.map((why): LeftOut => ({ at: "file", what: "project", leftOut: "skipped", why }));
  return { name: [project, name, branchName].filter(Boolean).join(" "), stories: userStories, leftOut };
}

function storyTask(value: unknown, fallback: string): Omit<ForeignTask, "at" | "what"> {
  const story = parseRow(storySchema, value);
  const { id, title, description, acceptanceCriteria, steps, priority, passes, notes, dependsOn, ...rest } =
    story;
  const changes: string[] = [];
  leaveOut(rest, changes);
  const said = title ?? description;
  if (said === undefined)
    throw new ExchangeError("malformed", "title: a story needs a title or a description");
  const fitted = fitTitle(said, title === undefined ? "" : (description ?? ""), changes);
  const level = typeof priority === "string" ? fitPriority(priority, changes) : "medium";
  return {
    ref: String(id ?? said ?? fallback),
    fields: {
      title: fitted.title,
      description: fitted.description,
      status: passes ? "done" : "pending",
      priority: level,
      criteria: [...acceptanceCriteria, ...steps],
      hints: joined(notes) || undefined,
    },
    depends_on: dependsOn.map(String),
    changes,
    content: value,
  };
}

/**
 * A number is a place in the order; a word is one of our priorities, and keeps the file's order.
 */
function orderOf(content: unknown): number {
  const { priority } = storySchema.parse(content);
  return typeof priority === "number" ? priority : priorities.length;
}

const fileSchema = z.looseObject({
  userStories: z.array(z.unknown()),
  project: optionalText,
  name: optionalText,
  branchName: optionalText,
  description: optionalText,
});

const storySchema = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).optional(),
  title: optionalText,
  description: optionalText,
  acceptanceCriteria: optionalTexts,
  /** In the feature-list form: the steps that verify it. */
  steps: optionalTexts,
  priority: z.union([z.number(), z.string()]).nullish(),
  passes: z.boolean().default(false),
  notes: optionalText,
  dependsOn: z
    .array(z.union([z.string(), z.number()]))
    .nullish()
    .transform((value) => value ?? []),
});
