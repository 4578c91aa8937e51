import { z } from "zod";
import { noSession } from "../decisions/state.ts";
import { sessionId, taskId } from "../events/types/fields.ts";
import { pc, quoteLine, quoteText, tableLines } from "../lib/terminal/output.ts";
import { toSeconds } from "../lib/time.ts";
import type { Session } from "../projections/board/tables.ts";
import { listSessions as sessionsOf } from "../queries/find-sessions.ts";
import { listHosts } from "../queries/hosts.ts";
import { type SessionDetails, sessionDetails } from "../queries/session-details.ts";
import { proofLines } from "./proof-lines.ts";
import { definePages, defineReading } from "./reading.ts";

export const listSessions = definePages({
  input: z.strictObject({ task: taskId.optional(), open: z.boolean().optional() }),
  rows: "sessions",
  key: z.string(),
  keyOf: ({ id }: Session) => id,
  ask: (readModel, input) => sessionsOf(readModel, input),
  command: {
    name: "list",
    isDefault: true,
    does: "list sessions by id",
    takes: {
      task: ["--task <id>", "only sessions of this task"],
      open: ["--open", "only sessions that are running"],
    },
    example: "--open --json",
    says: (sessions) =>
      tableLines(
        ["session", "task", "state", "outcome", "signals", "late", "started"],
        sessions.map(({ id, task_id, recipe, current_state, outcome, signals, late, started_at }) => [
          ...[id, task_id ?? recipe ?? "no task", current_state, outcome ?? "open", signals, late],
          started_at.slice(0, 19),
        ]),
      ),
  },
});

export const showSession = defineReading({
  input: z.strictObject({ session: sessionId }),
  ask(readModel, { session: id }) {
    const session = sessionDetails(readModel, id);
    if (!session) throw noSession(id);
    const hosts = listHosts(readModel);
    const { name = null } = hosts.find(({ host }) => host === session.host) ?? {};
    return { ...session, host_name: name, known_hosts: hosts.length };
  },
  command: {
    name: "show",
    does: "show a session: its states, its signals and the proof of its work",
    takes: { session: ["<session>", "the session's id"] },
    example: "s-1",
    says: linesOf,
  },
});

interface Shown extends SessionDetails {
  readonly host_name: string | null;
  /** How many hosts have worked on the project. */
  readonly known_hosts: number;
}

function linesOf(session: Shown): string[] {
  const { id, task_id, current_state, outcome, closing, inferred, end_reason, proof } = session;
  const closed = closing === null ? "" : ` (${closing}${inferred ? ", inferred" : ""})`;
  return [
    pc.bold(`${quoteLine(id, 60)} ${task_id === null ? "without a task" : `of task ${task_id}`}`),
    outcome === null ? `open · ${current_state}` : `${outcome}${closed}`,
    `${session.started_at.slice(0, 19)} to ${session.completed_at?.slice(0, 19) ?? "now"}`,
    ...(session.known_hosts > 1 && session.host !== null
      ? [
          `on host ${[session.host, session.host_name ?? []]
            .flat()
            .map((word) => quoteLine(word, 60))
            .join(" ")}`,
        ]
      : []),
    ...(end_reason === null ? [] : [`ended: ${quoteLine(end_reason, 200)}`]),
    "",
    ...(proof ? proofLines(proof) : task_id === null ? [] : [LATER]),
    `\n${pc.dim("states")}`,
    ...session.state_history.map(
      ({ state, entered_at, irregular }) =>
        `  ${pc.dim(toSeconds(entered_at))}  ${state}${irregular ? pc.yellow("  unusual") : ""}`,
    ),
    ...(session.timeline.length === 0 ? [] : [`\n${pc.dim("signals")}`]),
    ...session.timeline.flatMap(({ id: position, verb, body, created }) => [
      `  ${pc.dim(created.slice(0, 19))}  ${pc.cyan(verb)} ${pc.dim(`#${position}`)}`,
      quoteText(body).replace(/^/gm, "    "),
    ]),
  ];
}

/** Gates have their current state, which says nothing about an earlier session. */
const LATER = "Another session of its task has started since, or the task was deleted.";
