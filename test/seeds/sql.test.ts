import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { stateOf } from "../../src/decisions/state.ts";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { inProcessAgents } from "../../src/replay/agent.ts";
import { replay } from "../../src/replay/replay.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";

/** What the seeds' programs ask of the database, as printed there, on a read model with real history. */
let readModel: ReadModel;

beforeAll(async () => {
  const [simulation] = loadSimulations([packagePath("fixtures/sims/056-L30.json")]);
  if (!simulation) throw new Error("there is no simulation 056-L30");
  const environment = replayEnvironment("sql", () => 1_767_225_600_000_000);
  readModel = new ReadModel(":memory:");
  const store = { log: openMemoryLog(environment), readModel, environment };
  await replay(simulation, store, inProcessAgents(store), () => {});
});

test.each([
  [
    "task_signals",
    "id task_id discipline_id session_id verb summary remaining reason question options preferred blocking what severity category kind scope rationale why feature_id on detail answer created text",
  ],
  [
    "task_comments",
    "id task_id session_id author signal_verb signal_payload signal_answered body created actor",
  ],
  ["ralph_sessions", "id ticket_id outcome current_state state_history started_at completed_at"],
])("the view %s has every column of its seed's schema, and what we add behind them", (view, columns) => {
  const found = readModel.database.prepare(`SELECT * FROM "${view}"`).columns();
  expect(found.map(({ name }) => name)).toEqual(columns.split(" "));
  expect(readModel.database.prepare(`SELECT count(*) FROM "${view}"`).pluck().get()).toBeGreaterThan(0);
});

test("the post-processing query of seed 002 gives a session's signals in log order", () => {
  const [session] = stateOf(readModel).sessions.scan(({ signals }) => signals > 2);
  const rows = readModel.database
    .prepare<[number, string], { signal_verb: string; signal_payload: string; created: string }>(
      `SELECT signal_verb, signal_payload, created
       FROM task_comments
       WHERE task_id = ? AND session_id = ? AND signal_verb IS NOT NULL
       ORDER BY created`,
    )
    .all(session?.task_id ?? 0, session?.id ?? "");
  expect(rows).toHaveLength(session?.signals ?? -1);
  for (const row of rows) {
    expect(JSON.parse(row.signal_payload)).toBeTypeOf("object");
    expect(row.created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
  }
  expect(rows.map(({ signal_verb }) => signal_verb)).toContain(session?.closing);
});

test("the debugging query of seed 003 says where failed sessions got stuck", () => {
  const { database } = readModel;
  const failed = database
    .prepare<[], { id: string; current_state: string; last_state: string; error: string }>(
      `SELECT
         id,
         current_state,
         json_extract(state_history, '$[#-1].state') as last_state,
         json_extract(state_history, '$[#-1].metadata.error') as error
       FROM ralph_sessions
       WHERE outcome = 'failure'
       ORDER BY completed_at DESC
       LIMIT 10`,
    )
    .all();
  expect(failed).toHaveLength(
    stateOf(readModel).sessions.scan(({ outcome }) => outcome === "failure").length,
  );
  for (const row of failed) expect(row).toMatchObject({ current_state: "failed", last_state: "failed" });
});

test("the join of list_tasks in seed 001 lists every task with its feature and discipline", () => {
  const rows = readModel.database
    .prepare(
      `SELECT t.id, t.title, t.status, t.priority, t.feature, t.discipline,
              f.display_name as feature_display, d.display_name as discipline_display
       FROM tasks t
       JOIN features f ON t.feature = f.name
       JOIN disciplines d ON t.discipline = d.name
       ORDER BY t.id`,
    )
    .all();
  expect(rows).toHaveLength(stateOf(readModel).tasks.scan().length);
});

test("no view is left out of this file", () => {
  const views = readModel.database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    .pluck();
  expect(views.all()).toEqual([
    "file_overlaps",
    "ralph_sessions",
    "ready_tasks",
    "stagnation",
    "task_comments",
    "task_signals",
  ]);
  expect(readdirSync(packagePath("fixtures/sims")).filter((file) => file.endsWith(".json"))).toHaveLength(83);
});
