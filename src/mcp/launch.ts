import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { REPLAY_VARIABLE } from "../decisions/system-environment.ts";
import { sessionId, taskId } from "../events/types/fields.ts";
import { confinedFolder } from "../gates/runner/confined-folder.ts";
import { RunnerError } from "../gates/runner/runner-error.ts";
import { ralphFolderOf } from "../lib/project-folder.ts";
import { ToldError } from "../lib/told-error.ts";
import { type Context, ContextError, type LaunchContext, readContext, signalsContext } from "./context.ts";

export interface Launch {
  readonly context: LaunchContext;
  /** The path of the context file; absent: the environment has everything. */
  readonly contextPath?: string | undefined;
  /** The read model's file; the log lies beside it. */
  readonly databasePath: string;
  /** The agent's folder, in which gates run, as real path; absent: the project's. */
  readonly workspace?: string | undefined;
  /** A file to create once a client has connected, for the driver; absent: none. */
  readonly connectedFile?: string | undefined;
  /** True: its agent runs in a sandbox, where no human sits at its client; no form is shown there. */
  readonly isSandboxed?: boolean | undefined;
  /** False in a replay, where the replayer records gate results. */
  readonly runsGates: boolean;
}

/** An invalid launch; `message` names the variable and a valid value. */
export class LaunchError extends ToldError<"usage"> {
  override readonly name = "LaunchError";
  readonly fault = "usage";

  constructor(message: string, options?: ErrorOptions) {
    super("usage", message, options);
  }
}

/**
 * Reads a server's settings from its environment: RALPH_DB_PATH; RALPH_CONTEXT, the path of a
 * context.json, or without one RALPH_TASK_ID and RALPH_SESSION_ID, for the recipe `signals`;
 * RALPH_WORKSPACE, the agent's folder; and from a driver SIGNALBOX_CONNECTED.
 *
 * @throws LaunchError
 */
export function readLaunch(variables: NodeJS.ProcessEnv): Launch {
  const contextPath = variables.RALPH_CONTEXT || undefined;
  const context = contextPath === undefined ? bareContext(variables) : fullContext(contextPath, variables);
  const path = z.string().min(1).safeParse(variables.RALPH_DB_PATH);
  if (!path.success) throw wrong("RALPH_DB_PATH", variables.RALPH_DB_PATH, "the path of .ralph/db/ralph.db");
  return {
    context,
    contextPath,
    databasePath: path.data,
    workspace: workspaceIn(variables, path.data),
    connectedFile: variables.SIGNALBOX_CONNECTED || undefined,
    runsGates: !variables[REPLAY_VARIABLE],
  };
}

/**
 * A context that matches the rest of the environment.
 *
 * @throws LaunchError
 */
function fullContext(path: string, variables: NodeJS.ProcessEnv): Context {
  let context: Context;
  try {
    context = readContext(path);
  } catch (error) {
    if (error instanceof ContextError) throw new LaunchError(`RALPH_CONTEXT: ${error.message}`);
    throw error;
  }
  const { RALPH_TASK_ID: task, RALPH_SESSION_ID: session } = variables;
  if (session && session !== context.session_id)
    throw differs("session_id", context.session_id, "RALPH_SESSION_ID", session);
  if (task && task !== String(context.task_id))
    throw differs("task_id", context.task_id, "RALPH_TASK_ID", task);
  return context;
}

function bareContext(variables: NodeJS.ProcessEnv): LaunchContext {
  const task = taskId.safeParse(
    /^\d+$/.test(variables.RALPH_TASK_ID ?? "") ? Number(variables.RALPH_TASK_ID) : undefined,
  );
  if (!task.success)
    throw wrong("RALPH_TASK_ID", variables.RALPH_TASK_ID, "the id of the session's task, e.g. 7");
  const session = sessionId.safeParse(variables.RALPH_SESSION_ID);
  if (!session.success) {
    throw wrong(
      "RALPH_SESSION_ID",
      variables.RALPH_SESSION_ID,
      "the session's id, without blanks, at most 200 characters",
    );
  }
  return signalsContext(session.data, task.data);
}

/**
 * The real path of the folder in RALPH_WORKSPACE: the project's or one in it, such as a worktree
 * below `.ralph/`; undefined if it is not set.
 *
 * @throws LaunchError
 */
export function workspaceIn(variables: NodeJS.ProcessEnv, readModelPath: string): string | undefined {
  const workspace = variables.RALPH_WORKSPACE || undefined;
  if (workspace === undefined) return undefined;
  if (!isAbsolute(workspace))
    throw wrong("RALPH_WORKSPACE", workspace, "the absolute path of the project's folder or of one in it");
  try {
    return confinedFolder(join(ralphFolderOf(readModelPath), ".."), workspace);
  } catch (error) {
    if (error instanceof RunnerError) throw new LaunchError(`RALPH_WORKSPACE: ${error.message}`);
    throw error;
  }
}

function differs(field: string, is: string | number | null, variable: string, other: string): LaunchError {
  return new LaunchError(
    `RALPH_CONTEXT names the ${field} ${JSON.stringify(is)}, and ${variable} is ${JSON.stringify(other)}; both must be the same.`,
  );
}

function wrong(name: string, value: string | undefined, right: string): LaunchError {
  const is = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
  return new LaunchError(
    `${name} ${is}; it must hold ${right}. \`signalbox session start TASK --json\` prints what an agent's server needs.`,
  );
}
