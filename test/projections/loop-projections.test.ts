import { expect, test } from "vitest";
import type { PayloadOf } from "../../src/events/types/index.ts";
import { event } from "./board/history.ts";
import { end, reduced, rowsIn, start, task } from "./loop-drafts.ts";

/*
 * Catches: what an agent's program did not tell counted as 0, files of a session that is over, a last report that does
 * not count, rows that are kept twice.
 */
const session = "s-1";
const agentStarted = (fields: Partial<PayloadOf<"agent.started">> = {}) =>
  event("agent.started", { session, agent: "claude", server: "connected", ...fields }, "driver");
const agentProgressed = (fields: Partial<PayloadOf<"agent.progressed">>) =>
  event("agent.progressed", { session, ...fields }, "driver");
const agentEnded = (fields: Partial<PayloadOf<"agent.ended">>) =>
  event("agent.ended", { session, ...fields }, "driver");
const AGENT = `SELECT agent, model, server, turns, input_tokens, output_tokens, cost_micro_usd, exit_code, signal, result,
  is_error, denied, last_words, problem, problem_text, resets_at, started_at IS NOT NULL AS started, ended_at IS NOT NULL AS ended FROM agents`;

test("an agent's row has the reported values, and null instead of 0 for the others", async () => {
  const running = await reduced(
    agentStarted({ model: "sonnet" }),
    agentProgressed({ turns: 3, output_tokens: 90 }),
  );
  expect(rowsIn(running, AGENT)).toEqual([
    {
      agent: "claude",
      model: "sonnet",
      server: "connected",
      turns: 3,
      input_tokens: null,
      output_tokens: 90,
      cost_micro_usd: null,
      exit_code: null,
      signal: null,
      result: null,
      is_error: null,
      denied: "[]",
      last_words: null,
      problem: null,
      problem_text: null,
      resets_at: null,
      started: 1,
      ended: 0,
    },
  ]);
});

test("a later report of an agent's program replaces only the values that it contains", async () => {
  const readModel = await reduced(
    agentStarted(),
    agentProgressed({ turns: 3, input_tokens: 1_000, cost_usd: 0.1 }),
    agentProgressed({ turns: 5 }),
    agentEnded({
      exit_code: 0,
      result: "success",
      is_error: false,
      cost_usd: 0.61,
      denied: [{ tool: "Bash", times: 3 }],
      last_words: "I may not.",
      problem: { kind: "limit", text: "The limit is reached.", resets_at: "2026-11-22T18:00:00.000Z" },
    }),
  );
  expect(rowsIn(readModel, AGENT)).toMatchObject([
    {
      turns: 5,
      input_tokens: 1_000,
      cost_micro_usd: 610_000,
      exit_code: 0,
      result: "success",
      is_error: 0,
      denied: '[{"tool":"Bash","times":3}]',
      last_words: "I may not.",
      problem: "limit",
      problem_text: "The limit is reached.",
      resets_at: "2026-11-22 18:00:00.000",
      ended: 1,
    },
  ]);
});

test("an agent that never reported its servers still has a row: ended, server unknown", async () => {
  const readModel = await reduced(agentEnded({ signal: "SIGKILL", stderr: "no such model" }));
  expect(rowsIn(readModel, AGENT)).toMatchObject([
    {
      agent: null,
      server: "unknown",
      exit_code: null,
      signal: "SIGKILL",
      cost_micro_usd: null,
      started: 0,
      ended: 1,
    },
  ]);
  expect(rowsIn(readModel, "SELECT stderr FROM agents")).toEqual([{ stderr: "no such model" }]);
});

const changed = (task: number, session: string, ...files: string[]) =>
  event("workspace.reported", { session, task, files, more: 0 }, "driver");
const FILES = "SELECT session_id, path, task_id, position, open FROM session_files";
const OVERLAPS = "SELECT * FROM file_overlaps ORDER BY path";

test("a session's files are those of its last report", async () => {
  const readModel = await reduced(
    changed(1, "s-1", "a.ts", "b.ts", "b.ts"),
    changed(1, "s-1", "b.ts", "c.ts"),
  );
  expect(rowsIn(readModel, FILES)).toEqual([
    { session_id: "s-1", path: "b.ts", task_id: 1, position: 2, open: 1 },
    { session_id: "s-1", path: "c.ts", task_id: 1, position: 2, open: 1 },
  ]);
});

test("two sessions that change the same file at the same time overlap, once for each file, until one ends", async () => {
  const events = [
    changed(1, "s-1", "a.ts", "b.ts"),
    changed(2, "s-2", "b.ts", "c.ts"),
    changed(3, "s-3", "d.ts"),
  ];
  const overlap = { path: "b.ts", session_id: "s-1", task_id: 1, other_session_id: "s-2", other_task_id: 2 };
  expect(rowsIn(await reduced(...events), OVERLAPS)).toEqual([overlap]);
  const apart = await reduced(...events, changed(1, "s-1", "a.ts"));
  expect(rowsIn(apart, OVERLAPS)).toEqual([]);
  const over = await reduced(task(1), start(1, "s-1"), ...events, end("s-1"));
  expect(rowsIn(over, OVERLAPS)).toEqual([]);
  expect(rowsIn(over, `${FILES} WHERE open = 0`)).toHaveLength(2);
});

const size = { characters: 400, tokens: 100, sha256: "ab" };
const built = (session: string, positions: number[], cut: number) =>
  event("prompt.built", { session, task: 1, positions, cut, ...size }, "driver");

test("a session's prompt is the last one that was built for it", async () => {
  const readModel = await reduced(built("s-1", [1, 2], 1), built("s-2", [], 0), built("s-1", [1, 2, 3], 0));
  const sql = "SELECT session_id, task_id, position, positions, characters, tokens, cut, sha256 FROM prompts";
  expect(rowsIn(readModel, sql)).toEqual([
    { session_id: "s-1", task_id: 1, position: 3, positions: "[1,2,3]", cut: 0, ...size },
    { session_id: "s-2", task_id: 1, position: 2, positions: "[]", cut: 0, ...size },
  ]);
});

test("a driver's run has a row from its start, with its ending once it stops", async () => {
  const loop = (driver: string, agent = "claude", jobs = 2) =>
    event("loop.started", { driver, agent, jobs }, "driver");
  const stopped = { ending: "budget", reason: "20 dollars are spent", sessions: 12 } as const;
  const readModel = await reduced(
    loop("d-1"),
    loop("d-2"),
    loop("d-1", "other", 9),
    event("loop.stopped", { driver: "d-1", ...stopped }, "driver"),
  );
  const sql =
    "SELECT driver, agent, jobs, position, stopped_position, ending, reason, sessions, stopped_at IS NULL AS runs FROM loops";
  const started = { agent: "claude", jobs: 2 };
  const none = { ending: null, reason: null, sessions: null };
  expect(rowsIn(readModel, sql)).toEqual([
    { driver: "d-1", ...started, position: 1, stopped_position: 4, ...stopped, runs: 0 },
    { driver: "d-2", ...started, position: 2, stopped_position: null, ...none, runs: 1 },
  ]);
});

test("a session's row names the driver that watches it, or null", async () => {
  const readModel = await reduced(task(1), task(2), start(1, "s-1", "d-1"), start(2, "s-2"));
  expect(rowsIn(readModel, "SELECT id, driver FROM sessions ORDER BY id")).toEqual([
    { id: "s-1", driver: "d-1" },
    { id: "s-2", driver: null },
  ]);
});

test("criteria and context files of a task or feature are there, and a change replaces them", async () => {
  const given = [
    task(1, { criteria: ["One header row."], context_files: ["src/a.ts"] }),
    task(2),
    event("feature.created", {
      ...{ feature: "reports", display_name: "Reports", description: "" },
      context_files: ["docs/reports.md"],
    }),
  ];
  const before = await reduced(...given);
  expect(rowsIn(before, "SELECT id, criteria, context_files FROM tasks ORDER BY id")).toEqual([
    { id: 1, criteria: '["One header row."]', context_files: '["src/a.ts"]' },
    { id: 2, criteria: "[]", context_files: "[]" },
  ]);
  expect(rowsIn(before, "SELECT context_files FROM features")).toEqual([
    { context_files: '["docs/reports.md"]' },
  ]);
  const after = await reduced(
    ...given,
    event("task.changed", { task: 1, criteria: [] }),
    event("task.changed", { task: 2, context_files: ["b.ts"] }),
    event("feature.changed", { feature: "reports", context_files: [] }),
  );
  expect(rowsIn(after, "SELECT id, criteria, context_files FROM tasks ORDER BY id")).toEqual([
    { id: 1, criteria: "[]", context_files: '["src/a.ts"]' },
    { id: 2, criteria: "[]", context_files: '["b.ts"]' },
  ]);
  expect(rowsIn(after, "SELECT context_files, display_name FROM features")).toEqual([
    { context_files: "[]", display_name: "Reports" },
  ]);
});
