import fc from "fast-check";
import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { foretell } from "../../../src/projections/board/foretell.ts";
import { learned } from "../given.ts";
import { given } from "./given.ts";
import * as h from "./history.ts";

/* Catches: a forecast that does not follow a policy, or that differs from what the session's end then does. */

const policy = fc.constantFrom(
  ["stuck_limit", 1],
  ["stuck_limit", 2],
  ["waiting_is_stuck", true],
  ["partial_resets", true],
  ["partial_with_learnings_resets", true],
  ["no_progress", 1],
  ["partials", 2],
  ["closing", "first"],
  ["closing", "worst"],
);
const said = (session: string) =>
  fc.constantFrom<Draft>(
    h.done({ session }),
    h.partial("The rest.", { session }),
    h.stuck("No GPU.", { session }),
    h.ask({ session }),
    h.aside({ session }),
    h.missing("Redis", { session }),
    h.blocked("task 2", { session }),
    learned("Rows.", { task: 1, session }),
    h.attempted(0),
  );
const exit = fc.constantFrom("exited" as const, "crashed" as const, "cancelled" as const);

test("what is foretold of a running session is what its end does, under every policy", async () => {
  const history = fc.record({
    policies: fc.array(policy, { maxLength: 4 }),
    task: fc.record({ hasGate: fc.boolean(), accept: fc.constantFrom("auto" as const, "human" as const) }),
    before: fc.array(said("s-1"), { maxLength: 3 }),
    now: fc.array(said("s-2"), { maxLength: 5 }),
    end: fc.record({ exit, hasChanged: fc.boolean() }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ policies, task: { hasGate, accept }, before, now, end }) => {
      const board = await given(
        ...policies.map(([name, value]) => h.event("policy.set", { policy: name, value } as never)),
        h.created(1, { accept, ...(hasGate && h.gated({})) }),
        h.created(2),
        h.set(2, "done"),
        h.started("s-1", 1, { workspace: "a" }),
        ...before,
        h.ended("exited", "s-1", { workspace: "a" }),
        h.started("s-2", 1, { workspace: "a" }),
        ...now,
      );
      const [task, session] = [board.tasks.get(1), board.sessions.get("s-2")];
      if (!task || !session) throw new Error("The session has not started.");
      const { status, stuck_count } = foretell(board, task, { ...session, task_id: 1 }, end);
      await board.add(h.ended(end.exit, "s-2", { workspace: end.hasChanged ? "b" : "a" }));
      expect(board.tasks.get(1)).toMatchObject({ status, stuck_count });
    }),
    { numRuns: 300 },
  );
});
