import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { replayEnvironment } from "../../../src/decisions/system-environment.ts";
import type { NewEvent } from "../../../src/events/event.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { insertForeign } from "../foreign-records.ts";

/*
 * make-schema-v1-log <file>: made fixtures/logs/schema-v1.db, once. That file is never made again: it stands for the
 * logs that version 1 of `session.ended` left behind. Kept to show what is in it.
 */
const [path = ""] = process.argv.slice(2);
let now = Date.UTC(2026, 0, 5, 8) * 1_000;
rmSync(path, { force: true });
createLogFile(path);

await append("human", createTask(1, "Lobby channel", []));
await append("human", createTask(2, "Chat in the lobby", [1]), createTask(3, "Export as CSV", []));

await append("driver", start("s-1", 1));
await append(
  "agent",
  signal("learned", 1, "s-1", { text: "Channels are joined by name.", kind: "discovery" }),
);
await append("agent", signal("done", 1, "s-1", { summary: "Lobby with join and leave. 14 tests pass." }));
ended("s-1", "success");

await append("driver", start("s-2", 2));
ended("s-2", "failure");

await append("driver", start("s-3", 3));
await append("agent", signal("partial", 3, "s-3", { summary: "Header row.", remaining: "The data rows." }));
ended("s-3", "failure");

await append("driver", start("s-4", 2));
ended("s-4", "timeout");

await append("human", {
  type: "comment.added",
  payload: { task: 3, author: "Ada", body: "Semicolons, please." },
});

const database = new Database(path);
database.pragma("wal_checkpoint(TRUNCATE)");
// The last connection removes the journal when it closes.
database.close();

async function append(actor: string, ...events: Omit<NewEvent, "actor">[]): Promise<void> {
  now += 60_000_000;
  const log = openSqliteLog(
    path,
    replayEnvironment("schema-v1", () => now),
  );
  await log.append(events.map((event) => ({ ...event, actor })));
  await log.close();
}

/** Seed 003's `complete_ralph_session`, as version 1 recorded it. */
function ended(session: string, outcome: "success" | "failure" | "timeout"): void {
  insertForeign(path, {
    type: "session.ended",
    schemaVersion: 1,
    stream: `session-${session}`,
    payload: JSON.stringify({ session, outcome }),
    correlation: session,
  });
}

function createTask(task: number, title: string, depends_on: number[]): Omit<NewEvent, "actor"> {
  const rest = {
    description: "",
    feature: "general",
    discipline: "general",
    priority: "medium",
    status: "pending",
  };
  return { type: "task.created", payload: { task, title, ...rest, depends_on, accept: "auto", gates: [] } };
}

function start(session: string, task: number): Omit<NewEvent, "actor"> {
  return { type: "session.started", payload: { session, task, forced: false }, correlation: session };
}

function signal(verb: string, task: number, session: string, args: object): Omit<NewEvent, "actor"> {
  return { type: `signal.${verb}`, payload: { ...args, task, session }, correlation: session };
}
