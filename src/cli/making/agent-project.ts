import { existsSync } from "node:fs";
import { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { observeRefusedAct } from "../../decisions/rules/observations.ts";
import type { Store } from "../../decisions/store.ts";
import { AGENT } from "../../events/actors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { ToldError } from "../../lib/told-error.ts";
import { ContextError, readContext, signalsContext } from "../../mcp/context.ts";
import { launchFilesOf } from "../../mcp/launching/launch-files.ts";
import { SESSION_VARIABLE } from "../../mcp/session-variables.ts";
import { allowsCall } from "../../mcp/toolset.ts";
import { argumentsOf, type LeftToAgents, type ToolUse } from "../../operations/tool-use.ts";
import { sessions } from "../../projections/board/session-tables.ts";
import { askAtHead } from "../../read-model/ask.ts";

/**
 * The project in the name of the agent whose process this is, whatever it says (docs/rules.md, Who acted). This guards against
 * mistakes, and against agents that help themselves; only a sandbox keeps out one that hides.
 *
 * @param carried the sessions that this process belongs to
 * @returns undefined if none of the sessions is of this log: there the process is nobody in particular
 * @throws Refusal `not_possible`: it is no work of the session's own; the attempt is recorded
 */
export async function agentProject(
  store: Store,
  carried: readonly string[],
  { ownWork: work, toolUse: use }: LeftToAgents,
): Promise<Project | undefined> {
  const own = await askAtHead(store, (readModel) => {
    const rows = readModel.rowsOf({ sessions });
    // The outermost: an agent may give what it starts another session's name.
    return carried.map((id) => rows.sessions.get(id)).findLast((row) => row !== undefined);
  });
  if (!own) return undefined;
  const { id: session, task_id: task } = own;
  const project = new Project(store, AGENT, { session });
  if (work && (work.session ?? session) === session && (work.task ?? task) === task) return project;
  if (use && (await mayByTool(store, { session, task }, use))) return project;
  const command = process.argv.slice(2).map(shellWord).join(" ").slice(0, MOST_CHARACTERS);
  await project
    .decide(observeRefusedAct({ session, ...(task !== null && { task }), command }))
    .catch((error: unknown) => {
      // The refusal stands, whether or not the attempt can be recorded.
      if (!(error instanceof ToldError)) throw error;
    });
  throw new Refusal(
    "not_possible",
    `Nothing was changed: this is the process of an agent, in session ${session}, and that is for a human or a driver to do. The ` +
      "attempt was recorded. Use your tools for your own work, and `ask` for what you need; a driver that carries the session's " +
      `variables takes ${SESSION_VARIABLE} out of its environment.`,
  );
}

const MOST_CHARACTERS = 1_000;

/** Whether a session's tools let its agent do this: its recipe, its discipline and its context.json decide, as for a call. */
async function mayByTool(
  store: Store,
  { session, task }: { readonly session: string; readonly task: number | null },
  use: ToolUse,
): Promise<boolean> {
  const args = argumentsOf(use);
  if (!args) return false;
  const { context: path } = launchFilesOf(store.readModel.database.name, session);
  try {
    const found = existsSync(path) ? readContext(path) : undefined;
    if (found?.session_id !== session && task === null) return false;
    const context = found?.session_id === session ? found : signalsContext(session, task ?? 0);
    return await allowsCall(context, async () => store, use.tool.name, args);
  } catch (error) {
    if (error instanceof ContextError) return false;
    throw error;
  }
}
