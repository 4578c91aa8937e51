import { describe, expect, test } from "vitest";
import { given } from "./given.ts";
import { ask, attempted, created, done, ended, gateActed, gated, partial, set, started } from "./history.ts";

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
    ["failed", [attempted(2)], "Gate 1 (npm test) failed with exit code 2."],
    [
      "failed with output",
      [attempted(1, { stdout: "1 failing", stderr: "at 7" })],
      "Gate 1 (npm test) failed with exit code 1.\n\n1 failing\nat 7",
    ],
    [
      "failed with output on stderr only",
      [attempted(1, { stderr: "No such file" })],
      "Gate 1 (npm test) failed with exit code 1.\n\nNo such file",
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
      "Gate 1 (npm test) has not been run in this session.\n\nGate 2 (lint) failed with exit code 7.",
    );
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [1,6,7,8]");
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
