import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Reporter } from "../decisions/reports.ts";
import { AGENT } from "../events/actors.ts";
import { name, sessionId, taskId } from "../events/types/fields.ts";
import { inOurWords } from "../events/wrong-values.ts";
import { toolName } from "../operations/tool-names.ts";
import { isForOneTask, recipeNames } from "./recipes.ts";

/**
 * context.json: what a session's server is launched for. What may be null may also be absent.
 */
export const contextSchema = z.strictObject({
  /** The session, or for recipes that work on no task a name by which the log knows this conversation. */
  session_id: sessionId,
  recipe: z.enum(recipeNames),
  discipline: name.nullable().default(null),
  feature: name.nullable().default(null),
  task_id: taskId.nullable().default(null),
  /** Tools that the session does without; they are only ever taken away. */
  disabled_tools: z.array(toolName).default([]),
});
export type Context = z.infer<typeof contextSchema>;

/** A context, and whether it is all that the environment tells, without a context.json. */
export type LaunchContext = Context & {
  /** True: its server opens nothing before the first call, and so knows of no discipline. */
  readonly bare?: true;
};

/** What a server is launched for that no context.json tells more: to report on a task. */
export function signalsContext(session_id: string, task_id: number): LaunchContext {
  const rest = { discipline: null, feature: null, disabled_tools: [] };
  return { session_id, recipe: "signals", task_id, ...rest, bare: true };
}

/** Who reports in the session of a context, where it is a session of a task. */
export function reporterOf({ task_id: task, session_id: session }: Context): Reporter | undefined {
  return task === null ? undefined : { task, session, actor: AGENT };
}

/** context.json cannot be used; `message` names the file, what is wrong and what would be right. */
export class ContextError extends Error {
  override readonly name = "ContextError";
}

/** What the file of a context has now. @throws ContextError */
export function readContext(path: string): Context {
  return contextIn(contextText(path), path);
}

/** @throws ContextError: the file cannot be read */
export function contextText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** @param path for messages; @throws ContextError */
export function contextIn(text: string, path: string): Context {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const parsed = contextSchema.safeParse(value, inOurWords);
  if (!parsed.success) {
    throw new ContextError(
      `The context ${path} cannot be used: ${parsed.error.issues.map(describe).join("; ")}. ${WRITE_IT}`,
    );
  }
  const { recipe, task_id } = parsed.data;
  if (task_id === null && isForOneTask(recipe)) {
    throw new ContextError(
      `The context ${path} cannot be used: the recipe ${recipe} needs a task, but \`task_id\` is null. ` +
        `${WRITE_IT}`,
    );
  }
  return parsed.data;
}

function unreadable(path: string, cause: unknown): ContextError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ContextError(`The context ${path} cannot be read: ${why}. ${WRITE_IT}`, { cause });
}

const WRITE_IT =
  "`signalbox launch` writes a valid one, and `signalbox regenerate` writes the one in .ralph/mcp.";

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") {
    return `\`${issue.path.map(String).join(".") || "context"}\` ${issue.message}`;
  }
  const fields = Object.keys(contextSchema.shape).join(", ");
  return (
    `${issue.keys.map((key) => `\`${key}\``).join(", ")} is not a field of it; its fields are ` + `${fields}`
  );
}
