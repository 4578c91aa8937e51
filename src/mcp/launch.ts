import { z } from "zod";
import type { Reporter } from "../decisions/reports.ts";
import { sessionId, taskId } from "../events/types/fields.ts";

export interface Launch {
  readonly reporter: Reporter;
  /** The read model's file; the log lies beside it. */
  readonly databasePath: string;
  /** A file that is made once a client has connected, so that a driver knows it; absent: nobody asks. */
  readonly connectedFile?: string | undefined;
}

/** What a server was launched with is not as it must be; `message` names the variable and what it must hold. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}

/**
 * Reads what a server needs to know from its environment: RALPH_TASK_ID, RALPH_SESSION_ID, RALPH_DB_PATH, and where it was
 * launched by a driver SIGNALBOX_CONNECTED.
 *
 * @throws LaunchError
 */
export function readLaunch(variables: NodeJS.ProcessEnv): Launch {
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
  const path = z.string().min(1).safeParse(variables.RALPH_DB_PATH);
  if (!path.success) throw wrong("RALPH_DB_PATH", variables.RALPH_DB_PATH, "the path of .ralph/db/ralph.db");
  return {
    reporter: { task: task.data, session: session.data, actor: "agent" },
    databasePath: path.data,
    connectedFile: variables.SIGNALBOX_CONNECTED || undefined,
  };
}

function wrong(name: string, value: string | undefined, right: string): LaunchError {
  const is = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
  return new LaunchError(
    `${name} ${is}; it must hold ${right}. \`signalbox session start TASK --json\` prints what an agent's server needs.`,
  );
}
