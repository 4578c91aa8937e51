/** The environment by which an agent's server knows its session; `readLaunch` (src/mcp/launch.ts) reads it. */
export function sessionVariables(task: number, session: string, readModelPath: string) {
  return { ...sessionNameVariables(task, session), RALPH_DB_PATH: readModelPath };
}

/** An environment for a client whose server is its driver: a server of its own would need these. */
export function withoutServerVariables<Value>(
  environment: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const { RALPH_DB_PATH: _, RALPH_CONTEXT: _context, RALPH_WORKSPACE: _workspace, ...others } = environment;
  return others;
}

/** Names a session, in the environment of its agent and of all that its agent starts. */
export const SESSION_VARIABLE = "RALPH_SESSION_ID";

/** The part of it that says which session it is. */
export function sessionNameVariables(task: number, session: string) {
  return { RALPH_TASK_ID: String(task), [SESSION_VARIABLE]: session };
}
