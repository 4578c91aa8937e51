import { describe, expect, test } from "vitest";
import { given, timeOf } from "./given.ts";
import {
  answered,
  aside,
  ask,
  attempted,
  blocked,
  blockerReopened,
  blockerResolved,
  created,
  done,
  ended,
  flag,
  gateActed,
  gated,
  missing,
  partial,
  reopened,
  set,
  started,
  stuck,
  stuckLimit,
  suggest,
} from "./history.ts";

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
      implicit: 0,
      forced: 1,
      current_state: "done",
      states: 2,
      exit: "crashed",
      end_reason: "Signal 9.",
      closing: "done",
      inferred: 0,
      unverified: 0,
      outcome: "success",
      irregular: 0,
      signals: 1,
      late: 0,
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

describe("after a done", () => {
  test("the task's row is as new, but done", async () => {
    const board = await given(
      ...running,
      stuck(),
      ended(),
      started("s-2"),
      partial("Tests.", { session: "s-2" }),
    );
    await board.add(ended("exited", "s-2"));
    expect(board.tasks.get(1)).toMatchObject({ stuck_count: 1, remaining: "Tests.", completed_at: null });
    await board.add(started("s-3"), done({ session: "s-3" }), ended("exited", "s-3"));
    expect(board.tasks.get(1)).toMatchObject({
      status: "done",
      stuck_count: 0,
      remaining: null,
      sessions: 3,
      partials_in_a_row: 0,
      updated: timeOf(10),
      completed_at: timeOf(10),
    });
    expect(board.changesOf(1).at(-1)).toBe("in_progress → done, settlement 5, [9,10]");
    expect(board.statusChanges.get(10, 1)?.session_id).toBe("s-3");
  });

  test("what was asked and what blocked is information, of this session and of earlier ones", async () => {
    const board = await given(...running, ask(), missing("Redis"), partial(), ended());
    await board.add(started("s-2"), ask({ session: "s-2" }), missing("Disk", { session: "s-2" }));
    await board.add(done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.questions.where({}).map(({ id, state }) => [id, state])).toEqual([
      [3, "informational"],
      [8, "informational"],
    ]);
    expect(board.blockers.where({}).map(({ id, state }) => [id, state])).toEqual([
      [4, "informational"],
      [9, "informational"],
    ]);
  });

  test("what a human acted on is information, should the act be taken back", async () => {
    const board = await given(
      ...running,
      ask(),
      missing("Redis"),
      partial(),
      ended(),
      answered(3),
      blockerResolved(4),
    );
    await board.add(started("s-2"), ask({ session: "s-2" }), missing("Disk", { session: "s-2" }));
    await board.add(answered(10), blockerResolved(11), done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.questions.where({}).map(({ state }) => state)).toEqual(["answered", "answered"]);
    expect(board.blockers.where({}).map(({ state }) => state)).toEqual(["resolved", "resolved"]);
    await board.add(reopened(3), reopened(10), blockerReopened(4), blockerReopened(11));
    for (const table of [board.questions, board.blockers]) {
      expect(table.where({}).map(({ state }) => state)).toEqual(["informational", "informational"]);
    }
    expect(board.tasks.get(1)?.status).toBe("done");
  });

  test("a dependency that only a blocker held is gone", async () => {
    const board = await given(
      created(1),
      created(2),
      started(),
      blocked("task 2"),
      missing("Disk"),
      partial(),
      ended(),
    );
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[2]", open_dependencies: 1 });
    await board.add(started("s-2"), done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[]", open_dependencies: 0 });
    expect(board.dependencies.where({})).toEqual([]);
    expect(board.blockers.get(4)).toMatchObject({ state: "informational", depends_on: 2 });
  });

  test("a blocker of the session itself is linked to no task", async () => {
    const board = await given(created(1), created(2), started(), blocked("task 2"), done(), ended());
    expect(board.blockers.get(4)).toMatchObject({ state: "informational", depends_on: null });
    expect(board.tasks.get(1)).toMatchObject({ status: "done", depends_on: "[]" });
  });

  test("a task that a human is to accept waits for that", async () => {
    const board = await given(created(1, { accept: "human" }), started(), ask(), done(), ended());
    expect(board.tasks.get(1)).toMatchObject({
      status: "needs_input",
      awaiting_acceptance: 1,
      stuck_count: 0,
      completed_at: null,
    });
    expect(board.questions.get(3)?.state).toBe("informational");
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, humans: accept, [4,5]");
    expect(board.statusChanges.get(5, 1)?.session_id).toBe("s-1");
  });
});

describe("after partial and stuck", () => {
  test("the third stuck in a row fails the task, and a partial between them does not count", async () => {
    const board = await given(created(1));
    for (const [index, said] of [stuck, partial, stuck, stuck].entries()) {
      const session = `s-${index}`;
      await board.add(started(session), said("…", { session }), ended("exited", session));
    }
    expect(board.tasks.get(1)).toMatchObject({ status: "failed", stuck_count: 3, partials_in_a_row: 0 });
    expect(board.changesOf(1).at(-1)).toBe("in_progress → failed, settlement 7a, [12,13]");
  });

  test("the limit is a policy, which is named among the causes", async () => {
    const board = await given(stuckLimit(2), created(1), started(), ended());
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", inferred_stucks: 1 });
    await board.add(stuckLimit(1), started("s-2"), ended("crashed", "s-2"));
    expect(board.changesOf(1).at(-1)).toBe("in_progress → failed, settlement 7a, [5,7]");
    expect(board.policies.where({})).toEqual([{ name: "stuck_limit", value: 1, position: 5 }]);
  });

  test("partials in a row are counted, and anything else ends the row", async () => {
    const board = await given(created(1));
    const counts: (number | undefined)[] = [];
    for (const [index, said] of [[partial()], [partial()], [], [partial()], [done()]].entries()) {
      const session = `s-${index}`;
      const verbs = said.map((verb) => ({ ...verb, payload: { ...verb.payload, session } }) as typeof verb);
      await board.add(started(session), ...verbs, ended("exited", session));
      counts.push(board.tasks.get(1)?.partials_in_a_row);
    }
    expect(counts).toEqual([1, 2, 0, 1, 0]);
  });

  test("an aborted gate fails the task, for which the abort is a cause", async () => {
    const board = await given(
      created(1, gated({ max: 1 })),
      started(),
      attempted(1),
      gateActed("abort"),
      partial(),
      ended(),
    );
    expect(board.changesOf(1).at(-1)).toBe("in_progress → failed, settlement 7a, [4,5,6]");
  });

  test("an escalated gate, then an open question, then an open blocker hold the task up", async () => {
    const signals = [ask(), missing("Redis"), partial(), ended()];
    const both = await given(...running, ...signals);
    expect(both.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [3,5,6]");
    const escalated = await given(created(1, gated({ max: 1 })), started(), attempted(1), ...signals);
    expect(escalated.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [3,4,6,7]");
    const blocker = await given(...running, aside(), missing("Redis"), missing("Disk"), partial(), ended());
    expect(blocker.changesOf(1).at(-1)).toBe("in_progress → blocked, settlement 7c, [4,5,6,7]");
    expect(blocker.questions.get(3)?.state).toBe("informational");
  });

  test.each([
    ["both fingerprints are equal", "a", "a", 2],
    ["they differ", "a", "b", 0],
    ["the start has none", undefined, "a", 1],
    ["the end has none", "a", undefined, 1],
    ["both have none", undefined, undefined, 1],
  ])("sessions in a row that changed nothing, where %s", async (_case, start, end, row) => {
    const board = await given(
      created(1),
      started("s-0", 1, { workspace: "a" }),
      ended("exited", "s-0", { workspace: "a" }),
    );
    expect(board.tasks.get(1)?.unchanged_in_a_row).toBe(1);
    await board.add(started("s-1", 1, start === undefined ? {} : { workspace: start }));
    await board.add(ended("exited", "s-1", end === undefined ? {} : { workspace: end }));
    expect(board.tasks.get(1)?.unchanged_in_a_row).toBe(row);
  });

  test("only partial says what remains; stuck and silence leave it as it was", async () => {
    const board = await given(...running, partial("Tests."), ended());
    const silent = [started("s-2"), ended("exited", "s-2"), started("s-3"), ended("cancelled", "s-3")];
    await board.add(...silent, started("s-4"), stuck("No GPU.", { session: "s-4" }), ended("exited", "s-4"));
    expect(board.tasks.get(1)).toMatchObject({ stuck_count: 2, remaining: "Tests." });
  });

  test("what a human acted on during the session is open, should the act be taken back", async () => {
    const board = await given(
      ...running,
      ask(),
      aside(),
      missing("Redis"),
      answered(3),
      answered(4),
      blockerResolved(5),
    );
    await board.add(partial(), ended());
    expect(board.questions.get(3)).toMatchObject({ state: "answered", state_without_act: "open" });
    expect(board.questions.get(4)).toMatchObject({ state: "answered", state_without_act: "informational" });
    expect(board.blockers.get(5)).toMatchObject({ state: "resolved", state_without_act: "open" });
    expect(board.tasks.get(1)?.status).toBe("pending");
    await board.add(blockerReopened(5));
    expect(board.tasks.get(1)?.status).toBe("blocked");
    await board.add(reopened(4));
    expect(board.tasks.get(1)?.status).toBe("blocked");
    await board.add(reopened(3));
    expect(board.tasks.get(1)?.status).toBe("needs_input");
  });

  test("what other sessions and other tasks raised stays as it is", async () => {
    const board = await given(created(1), created(2), started(), started("s-2", 2), ask(), missing("Redis"));
    await board.add(ask({ task: 2, session: "s-2" }), missing("Disk", { task: 2, session: "s-2" }));
    await board.add(ended("exited", "s-2"));
    expect(board.questions.where({}).map(({ state }) => state)).toEqual(["raised", "open"]);
    expect(board.blockers.where({}).map(({ state }) => state)).toEqual(["raised", "open"]);
    await board.add(done(), ended());
    expect(board.questions.where({}).map(({ state }) => state)).toEqual(["informational", "open"]);
    expect(board.blockers.where({}).map(({ state }) => state)).toEqual(["informational", "open"]);
  });

  test("only a new task that was suggested in time becomes a task, whatever the closing verb", async () => {
    const board = await given(
      created(1),
      created(2),
      started(),
      suggest("Cache"),
      suggest("Split", { kind: "split" }),
    );
    await board.add(suggest("Strange", { task: 2 }), stuck(), ended());
    expect(board.suggestions.where({}).map(({ what, late, state }) => [what, late, state])).toEqual([
      ["Cache", 0, "proposed"],
      ["Split", 0, "stored"],
      ["Strange", 1, "stored"],
    ]);
    expect(board.tasks.where({}).map(({ title }) => title)).toEqual(["Export", "Login", "Cache"]);
  });
});

describe("a done that the gates do not bear out", () => {
  test("settles as a partial", async () => {
    const board = await given(created(1, gated({})), started(), ask(), done(), ended());
    expect(board.sessions.get("s-1")).toMatchObject({ closing: "done", unverified: 1, outcome: "partial" });
    expect(board.tasks.get(1)).toMatchObject({
      status: "needs_input",
      unverified_done: 1,
      partials_in_a_row: 1,
      stuck_count: 0,
    });
    expect(board.sessionStates.get("s-1", 2)).toMatchObject({ state: "done", metadata: "{}" });
  });

  test.each([
    ["was never run", [], "Gate 1 (npm test) has not been run in this session."],
    ["failed", [attempted(2)], "Gate 1 (npm test) ended with exit code 2."],
    [
      "failed with output",
      [attempted(1, { stdout: "1 failing", stderr: "at 7" })],
      "Gate 1 (npm test) ended with exit code 1.\n\n1 failing\nat 7",
    ],
    [
      "failed with output on stderr only",
      [attempted(1, { stderr: "No such file" })],
      "Gate 1 (npm test) ended with exit code 1.\n\nNo such file",
    ],
    ["timed out", [attempted(137, { timed_out: true })], "Gate 1 (npm test) timed out."],
    [
      "timed out with exit code 0",
      [attempted(0, { timed_out: true, stdout: "3 of 9" })],
      "Gate 1 (npm test) timed out.\n\n3 of 9",
    ],
  ])("says of a gate that %s what remains", async (_case, attempts, remaining) => {
    const board = await given(created(1, gated({})), started(), ...attempts, done(), ended());
    expect(board.tasks.get(1)?.remaining).toBe(remaining);
  });

  test("says of a gate that passed in an earlier session that it was not run in this one", async () => {
    const board = await given(created(1, gated({})), started(), attempted(0), partial(), ended());
    await board.add(started("s-2"), done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.get(1)?.remaining).toBe("Gate 1 (npm test) has not been run in this session.");
  });

  test("names every gate that is neither passed nor skipped", async () => {
    const gates = gated({}, { command: "lint", max: 1 }, { command: "build" }, { command: "types", max: 1 });
    const board = await given(
      created(1, gates),
      started(),
      attempted(0, { gate: 3 }),
      attempted(1, { gate: 4 }),
    );
    await board.add(gateActed("skip", 4), attempted(7, { gate: 2 }), done(), ended());
    expect(board.tasks.get(1)?.remaining).toBe(
      "Gate 1 (npm test) has not been run in this session.\n\nGate 2 (lint) ended with exit code 7.",
    );
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [6,7,8]");
  });

  test("is a done where all gates are passed or skipped, but not where those of another task are", async () => {
    const gates = gated({ max: 1 }, {});
    const board = await given(
      created(1, gates),
      created(2, gates),
      started(),
      attempted(1),
      gateActed("skip"),
    );
    await board.add(attempted(0, { gate: 2 }), done(), ended());
    expect(board.tasks.get(1)).toMatchObject({ status: "done", unverified_done: 0, remaining: null });
    await board.add(started("s-2", 2), done({ task: 2, session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.get(2)).toMatchObject({ status: "pending", unverified_done: 1 });
  });

  test("is forgotten when the task is set to done by hand", async () => {
    const board = await given(created(1, gated({})), started(), done(), ended(), set(1, "done"));
    expect(board.tasks.get(1)).toMatchObject({ status: "done", unverified_done: 0, remaining: null });
  });
});
