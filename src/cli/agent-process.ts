import { decide } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { requireSession } from "../decisions/state.ts";
import type { Store } from "../decisions/store.ts";
import { AGENT } from "../events/actors.ts";
import { platform } from "../lib/platform/here.ts";
import { shellWord } from "../lib/shell-word.ts";
import { ToldError } from "../lib/told-error.ts";
import { sessions } from "../projections/board/session-tables.ts";
import { askAtHead } from "../read-model/ask.ts";

/*
 * A process that carries the identity of a session is that session's agent, whatever it says (docs/trust.md, Who can do what). This guards
 * against mistakes, and against agents that help themselves; only a sandbox keeps out one that hides.
 */

const VARIABLE = "RALPH_SESSION_ID";

/** What an agent may do by a command: reports on its own session, runs of its own task's gates. */
export interface OwnWork {
  readonly session?: string | undefined;
  readonly task?: number | undefined;
}

/** A session of this log whose agent this process is. */
export interface CarriedSession {
  readonly session: string;
  readonly task: number;
}

/**
 * The sessions that this process belongs to, by its environment and by those of its ancestors, its own first. Windows does not show
 * the environment of other programs, so there only its own counts.
 */
export function carriedSessions(): string[] {
  const own = process.env[VARIABLE];
  const found = new Set(own ? [own] : []);
  const { processes, system } = platform();
  if (system === "win32") return [...found];
  const valueIn = processes.variables(VARIABLE);
  const seen = new Set<number>();
  for (let pid = process.ppid; pid > 1 && !seen.has(pid); pid = processes.entry(pid)?.parent ?? 0) {
    seen.add(pid);
    const value = valueIn(pid);
    if (value) found.add(value);
  }
  return [...found];
}

/** The session of this log, open or ended, whose agent this process is; in another project's log it is nobody in particular. */
export async function carriedIn(store: Store): Promise<CarriedSession | undefined> {
  const carried = carriedSessions();
  if (carried.length === 0) return undefined;
  return askAtHead(store, (readModel) => {
    const rows = readModel.rowsOf({ sessions });
    const row = carried.map((id) => rows.sessions.get(id)).find((one) => one !== undefined);
    return row && { session: row.id, task: row.task_id };
  });
}

/** @throws Refusal `not_possible`: it is no work of the session's own; the attempt is recorded */
export async function requireOwnWork(
  store: Store,
  { session, task }: CarriedSession,
  work: OwnWork | undefined,
): Promise<void> {
  const isOwn = work && (work.session ?? session) === session && (work.task ?? task) === task;
  if (isOwn) return;
  const command = process.argv.slice(2).map(shellWord).join(" ").slice(0, MOST_CHARACTERS);
  await recordAttempt(store, session, command);
  throw new Refusal(
    "not_possible",
    `Nothing was changed: this is the process of an agent, in session ${session}, and that is for a human or a driver to do. The ` +
      "attempt was recorded. Use your tools for your own work, and `ask` for what you need; a driver that carries the session's " +
      `variables takes ${VARIABLE} out of its environment.`,
  );
}

const MOST_CHARACTERS = 1_000;

/** The refusal stands, whether or not the attempt can be recorded. */
async function recordAttempt(store: Store, session: string, command: string): Promise<void> {
  try {
    await decide(
      store,
      {
        type: "session.act_refused",
        input: { session, command },
        plan(state) {
          const { task_id: task } = requireSession(state, session);
          return [{ type: "session.act_refused", payload: { session, task, command } }];
        },
      },
      { actor: AGENT, correlation: session },
    );
  } catch (error) {
    if (!(error instanceof ToldError)) throw error;
  }
}
