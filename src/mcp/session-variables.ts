/** The environment by which an agent's server knows its session; `readLaunch` (src/mcp/launch.ts) reads it. */
export function sessionVariables(task: number, session: string, readModelPath: string) {
  return { RALPH_TASK_ID: String(task), RALPH_SESSION_ID: session, RALPH_DB_PATH: readModelPath };
}
