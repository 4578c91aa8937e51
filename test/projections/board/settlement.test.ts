import { describe, expect, test } from "vitest";
import { given, timeOf } from "./given.ts";
import { aside, created, done, ended, flag, partial, started, stuck } from "./history.ts";

const running = [created(1), started()];

describe("the closing verb and the exit decide", () => {
  test.each([
    // said, exit → closing, inferred, outcome, last state, status
    ["done", "exited", "done", 0, "success", "done", "done"],
    ["done", "crashed", "done", 0, "success", "done", "done"],
    ["done", "cancelled", "done", 0, "success", "done", "done"],
    ["partial", "exited", "partial", 0, "partial", "done", "pending"],
    ["partial", "timed_out", "partial", 0, "partial", "done", "pending"],
    ["partial", "cancelled", "partial", 0, "partial", "done", "pending"],
    ["stuck", "exited", "stuck", 0, "failure", "failed", "pending"],
    ["stuck", "crashed", "stuck", 0, "failure", "failed", "pending"],
    ["stuck", "timed_out", "stuck", 0, "timeout", "failed", "pending"],
    ["stuck", "cancelled", "stuck", 0, "cancelled", "failed", "pending"],
    ["nothing", "exited", "stuck", 1, "failure", "failed", "pending"],
    ["nothing", "crashed", "stuck", 1, "failure", "failed", "pending"],
    ["nothing", "timed_out", "stuck", 1, "timeout", "failed", "pending"],
    ["nothing", "cancelled", null, 0, "cancelled", "failed", "pending"],
  ] as const)(
    "%s, then %s: closing %s, inferred %s, %s",
    async (said, exit, closing, inferred, outcome, state, status) => {
      const verbs = { done: [done()], partial: [partial()], stuck: [stuck()], nothing: [] };
      const board = await given(...running, ...verbs[said], ended(exit));
      expect(board.sessions.get("s-1")).toMatchObject({
        exit,
        closing,
        inferred,
        outcome,
        current_state: state,
      });
      expect(board.sessions.get("s-1")).toMatchObject({ unverified: 0 });
      const stuckOnes = closing === "stuck" ? 1 : 0;
      expect(board.tasks.get(1)).toMatchObject({
        status,
        open_session: null,
        unverified_done: 0,
        stuck_count: stuckOnes,
        inferred_stucks: inferred,
        partials_in_a_row: outcome === "partial" ? 1 : 0,
      });
    },
  );

  test("the last closing verb counts, and signals after it count like those before it", async () => {
    const board = await given(...running, stuck(), done(), partial(), aside(), flag(), ended());
    expect(board.sessions.get("s-1")).toMatchObject({
      closing: "partial",
      last_closing_position: 5,
      signals: 5,
    });
    expect(board.changesOf(1)).toEqual([
      "null → pending, created, [1]",
      "pending → in_progress, sessions: start, [2]",
      "in_progress → pending, settlement 7d, [5,8]",
    ]);
  });

  test("a session's row says all about its end", async () => {
    const board = await given(
      created(1),
      started("s-1", 1, { workspace: "a", driver: "d-1", forced: true }),
      done(),
      ended("crashed", "s-1", { workspace: "b", reason: "Signal 9." }),
    );
    expect(board.sessions.get("s-1")).toEqual({
      id: "s-1",
      task_id: 1,
      host: null,
      recipe: null,
      implicit: 0,
      forced: 1,
      current_state: "done",
      states: 2,
      exit: "crashed",
      cause: null,
      end_reason: "Signal 9.",
      closing: "done",
      inferred: 0,
      unverified: 0,
      outcome: "success",
      stuck_count: 0,
      irregular: 0,
      signals: 1,
      late: 0,
      learned: 0,
      driver: "d-1",
      workspace_start: "a",
      workspace_end: "b",
      started_position: 2,
      ended_position: 4,
      started_at: timeOf(2),
      completed_at: timeOf(4),
      last_closing: "done",
      last_closing_position: 3,
      last_closing_text: "All of it.",
      state_since_us: 1_770_805_399_000_000,
      idle_us: 2_000_000,
      analyzing_us: null,
      implementing_us: null,
      testing_us: null,
      committing_us: null,
      reviewing_us: null,
      returns: 0,
    });
  });

  test("an end without workspace and reason leaves both empty", async () => {
    const board = await given(...running, done(), ended());
    expect(board.sessions.get("s-1")).toMatchObject({ workspace_end: null, end_reason: null });
  });

  test.each([
    ["what stuck said", [stuck("No GPU.")], "exited", undefined, '{"error":"No GPU."}'],
    ["why it ended, before what stuck said", [stuck("No GPU.")], "crashed", "Killed.", '{"error":"Killed."}'],
    ["that nothing was said", [], "exited", undefined, '{"error":"session ended without closing signal"}'],
    ["why it ended, where nothing was said", [], "timed_out", "Too slow.", '{"error":"Too slow."}'],
    ["that it was cancelled", [], "cancelled", undefined, '{"error":"cancelled"}'],
    ["nothing after done", [done()], "exited", "Bye.", "{}"],
    ["nothing after partial", [partial()], "timed_out", undefined, "{}"],
  ] as const)("the last state of a session says %s", async (_what, said, exit, reason, metadata) => {
    const board = await given(
      ...running,
      ...said,
      ended(exit, "s-1", reason === undefined ? {} : { reason }),
    );
    expect(board.sessionStates.get("s-1", 2)).toMatchObject({ metadata, irregular: 0 });
  });

  test("a second end of the same session settles nothing", async () => {
    const board = await given(...running, stuck(), ended());
    const before = board.everything();
    await board.add(ended("cancelled"), ended("exited", "s-9"));
    expect(board.everything()).toEqual(before);
  });
});
