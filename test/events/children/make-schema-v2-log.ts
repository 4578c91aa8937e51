import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { replayEnvironment } from "../../../src/decisions/system-environment.ts";
import type { NewEvent } from "../../../src/events/event.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { eventDefinitions } from "../../../src/events/types/index.ts";
import { REDACTION_TYPE } from "../../../src/events/types/redactions.ts";

/*
 * make-schema-v2-log <file>: made fixtures/logs/schema-v2.db, once, with the program before tasks, comments, features and
 * disciplines got the rest of seed 001's fields. That file is never made again. Kept to show what is in it.
 */
const [path = ""] = process.argv.slice(2);
let now = Date.UTC(2026, 10, 20, 8) * 1_000;
rmSync(path, { force: true });
createLogFile(path);

const task = {
  description: "Semicolons, UTF-8.",
  feature: "reports",
  discipline: "backend",
  priority: "high",
  status: "pending",
  depends_on: [],
  accept: "auto",
  gates: [],
};
await append("human", {
  type: "feature.created",
  payload: { feature: "reports", display_name: "Reports", description: "", context_files: ["src/orders.ts"] },
});
await append("human", {
  type: "discipline.created",
  payload: { discipline: "docs", display_name: "Docs", description: "Words." },
});
await append("human", { type: "task.created", payload: { ...task, task: 3, title: "Orders" } });
await append("human", {
  type: "task.changed",
  payload: { task: 3, criteria: ["Sorted by date."], context_files: ["src/orders.ts"] },
});
// The example of every type, in the order in which they are defined: a history that no project has, and every reducer sees.
const order = [...eventDefinitions].sort((a, b) => rank(a.type) - rank(b.type));
// A redaction came later, and is refused where it is of no event that is there.
for (const { type, example } of order)
  if (type !== REDACTION_TYPE) await append(actorOf(type), { type, payload: example });

const database = new Database(path);
database.pragma("wal_checkpoint(TRUNCATE)");
// The last connection removes the journal when it closes.
database.close();

/** What others refer to comes first, a session's end behind its signals. */
function rank(type: string): number {
  const first = ["feature.created", "discipline.created", "task.created", "session.started", "agent.started"];
  if (first.includes(type)) return first.indexOf(type);
  return type === "session.ended" ? 200 : 100;
}

function actorOf(type: string): string {
  if (type.startsWith("signal.")) return "agent";
  return /^(session|agent|prompt|loop|workspace)\./.test(type) ? "driver" : "human";
}

async function append(actor: string, event: Omit<NewEvent, "actor">): Promise<void> {
  now += 60_000_000;
  const log = openSqliteLog(
    path,
    replayEnvironment("schema-v2", () => now),
  );
  await log.append([{ ...event, actor }]);
  await log.close();
}
