import { describe, expect, test } from "vitest";
import { given } from "./given.ts";
import {
  answered,
  aside,
  ask,
  attempted,
  blockerReopened,
  blockerResolved,
  created,
  done,
  ended,
  gateActed,
  gated,
  inSession,
  missing,
  partial,
  reopened,
  started,
  stuck,
  stuckLimit,
  suggest,
} from "./history.ts";

const running = [created(1), started()];

describe("after partial and stuck", () => {
  test("the third stuck in a row fails the task, and a partial between them does not count", async () => {
    const board = await given(created(1));
    for (const [index, said] of [stuck, partial, stuck, stuck].entries()) {
      const session = `s-${index}`;
      await board.add(started(session), said("…", { session }));
      expect(board.sessions.get(session)).toMatchObject({ stuck_count: null });
      await board.add(ended("exited", session));
    }
    // The stuck count of the task after each session's end.
    expect(board.sessions.scan().map(({ stuck_count }) => stuck_count)).toEqual([1, 1, 2, 3]);
    expect(board.tasks.get(1)).toMatchObject({ status: "failed", stuck_count: 3, partials_in_a_row: 0 });
    expect(board.changesOf(1).at(-1)).toBe("in_progress → failed, settlement 7a, [12,13]");
  });

  test("the limit is a policy, which is named among the causes", async () => {
    const board = await given(stuckLimit(2), created(1), ...inSession());
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", inferred_stucks: 1 });
    await board.add(stuckLimit(1), started("s-2"), ended("crashed", "s-2"));
    expect(board.changesOf(1).at(-1)).toBe("in_progress → failed, settlement 7a, [5,7]");
    expect(board.policies.scan()).toEqual([{ name: "stuck_limit", value: 1, position: 5 }]);
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
      ...inSession(attempted(1), gateActed("abort"), partial()),
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
    expect(board.questions.scan().map(({ state }) => state)).toEqual(["raised", "open"]);
    expect(board.blockers.scan().map(({ state }) => state)).toEqual(["raised", "open"]);
    await board.add(done(), ended());
    expect(board.questions.scan().map(({ state }) => state)).toEqual(["informational", "open"]);
    expect(board.blockers.scan().map(({ state }) => state)).toEqual(["informational", "open"]);
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
    expect(board.suggestions.scan().map(({ what, late, state }) => [what, late, state])).toEqual([
      ["Cache", 0, "proposed"],
      ["Split", 0, "stored"],
      ["Strange", 1, "stored"],
    ]);
    expect(board.tasks.scan().map(({ title }) => title)).toEqual(["Export", "Login", "Cache"]);
  });
});
