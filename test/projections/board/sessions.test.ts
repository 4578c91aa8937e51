import { describe, expect, test } from "vitest";
import { sessionStates } from "../../../src/events/types/sessions.ts";
import { isIrregular } from "../../../src/projections/board/session-states.ts";
import { expectNothingFrom, given } from "./given.ts";
import { created, done, ended, inSession, reported, started, stuckLimit } from "./history.ts";

describe("a session that starts", () => {
  test("puts its task in progress", async () => {
    const board = await given(created(1), started("s-1", 1, { workspace: "a", driver: "d-1" }));
    expect(board.sessions.get("s-1")).toMatchObject({
      implicit: 0,
      forced: 0,
      driver: "d-1",
      workspace_start: "a",
      current_state: "idle",
      states: 1,
    });
    expect(board.tasks.get(1)).toMatchObject({
      status: "in_progress",
      open_session: "s-1",
      sessions: 1,
      last_start: 2,
    });
  });

  test("without driver and workspace has neither", async () => {
    const board = await given(created(1), started("s-1", 1, { forced: true }));
    expect(board.sessions.get("s-1")).toMatchObject({ forced: 1, driver: null, workspace_start: null });
  });

  test("starts once, for a task that is there and has no open session", async () => {
    const history = [created(1), created(2), started()];
    await expectNothingFrom(history, started(), started("s-2"), started("s-1", 2), started("s-2", 9));
    await expectNothingFrom([...history, done(), ended()], started(), started("s-1", 2));
  });
});

describe("a state that is reported", () => {
  const regular = [
    ["idle", "analyzing"],
    ["analyzing", "implementing"],
    ["implementing", "testing"],
    ["testing", "implementing"],
    ["testing", "committing"],
    ["committing", "reviewing"],
  ];

  test.each(sessionStates)("after %s is irregular unless rules.md lists the step", (from) => {
    for (const to of sessionStates) {
      const listed = regular.some(([one, other]) => one === from && other === to);
      expect(isIrregular(from, to), `${from} to ${to}`).toBe(!listed);
    }
  });

  test("is recorded in any order, and what is irregular is marked and counted", async () => {
    const board = await given(created(1), started(), reported("analyzing"), reported("analyzing"));
    await board.add(
      reported("testing", { metadata: { files: ["a.ts"] } }),
      reported("implementing"),
      ended(),
    );
    expect(
      board.sessionStates
        .scan()
        .map((row) => [row.ordinal, row.state, row.irregular, row.position, row.metadata]),
    ).toEqual([
      [1, "idle", 0, 2, "{}"],
      [2, "analyzing", 0, 3, "{}"],
      [3, "analyzing", 1, 4, "{}"],
      [4, "testing", 1, 5, '{"files":["a.ts"]}'],
      [5, "implementing", 0, 6, "{}"],
      [6, "failed", 0, 7, '{"error":"session ended without closing signal"}'],
    ]);
    expect(board.sessionStates.get("s-1", 2)?.entered_at).toBe("2026-02-11T10:23:18.000000Z");
    expect(board.sessions.get("s-1")).toMatchObject({ current_state: "failed", states: 6, irregular: 2 });
  });

  test("changes nothing of a session that has ended or is not there", async () => {
    const history = [created(1), ...inSession()];
    await expectNothingFrom(history, reported("testing"), reported("testing", { session: "s-9" }));
  });
});

test("a policy that is set again has the last value", async () => {
  const board = await given(stuckLimit(5), stuckLimit(2));
  expect(board.policies.scan()).toEqual([{ name: "stuck_limit", value: 2, position: 2 }]);
});
