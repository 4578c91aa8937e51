import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Reporter } from "../decisions/rules/reports.ts";
import { AGENT } from "../events/actors.ts";
import { name, sessionId, taskId } from "../events/types/fields.ts";
import { errorMessage } from "../lib/error-message.ts";
import { inOurWords } from "../lib/wrong-values.ts";
import { toolName } from "../operations/tool-names.ts";
import { isForOneTask, recipeNames } from "./recipes.ts";

/** context.json: the session that a server is launched for. Nullable fields may also be absent. */
export const contextSchema = z.strictObject({
  /** The session, or for recipes without a task a name for this conversation in the log. */
  session_id: sessionId,
  recipe: z.enum(recipeNames),
  discipline: name.nullable().default(null),
  feature: name.nullable().default(null),
  task_id: taskId.nullable().default(null),
  /** Tools removed from the session; this list can only remove tools. */
  disabled_tools: z.array(toolName).default([]),
});
export type Context = z.infer<typeof contextSchema>;

/** A context, and whether it comes from the environment only, without a context.json. */
export type LaunchContext = Context & {
  /** True: its server opens nothing before the first call, and so knows no discipline. */
  readonly bare?: true;
};

/** The context without a context.json: an agent that reports on a task. */
export function signalsContext(session_id: string, task_id: number): LaunchContext {
  const rest = { discipline: null, feature: null, disabled_tools: [] };
  return { session_id, recipe: "signals", task_id, ...rest, bare: true };
}

/** The reporting session of a context, if it is a session of a task. */
export function reporterOf({ task_id: task, session_id: session }: Context): Reporter | undefined {
  return task === null ? undefined : { task, session, actor: AGENT };
}

/** context.json is not usable; `message` names the file, the fault and a valid value. */
export class ContextError extends Error {
  override readonly name = "ContextError";
}

/** The current content of a context's file. @throws ContextError */
export function readContext(path: string): Context {
  return contextIn(contextText(path), path);
}

/** @throws ContextError: the file is not readable */
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
  const why = errorMessage(cause);
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
