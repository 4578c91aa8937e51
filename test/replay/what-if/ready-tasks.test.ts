import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadyTasks } from "../../../src/history/what-if/ready-tasks.ts";
import type { Task } from "../../../src/projections/board/tables.ts";

/** What became of a task: its row, none where it was deleted; or that it is left out from now on. */
const changes = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    does: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
      { weight: 3, arbitrary: fc.constantFrom("waits" as const, "is deleted" as const) },
      { weight: 1, arbitrary: fc.constant("is left out" as const) },
    ),
  }),
  { maxLength: 60 },
);

test("the next of the ready tasks is the one that a walk over all of them finds", () => {
  fc.assert(
    fc.property(changes, (all) => {
      const ready = new ReadyTasks();
      const rows = new Map<number, number>();
      const leftOut = new Set<number>();
      for (const { id, does } of all) {
        if (does === "is left out") leftOut.add(id);
        else {
          ready.note(id, does === "is deleted" ? undefined : rowOf(id, does));
          if (typeof does === "number") rows.set(id, does);
          else rows.delete(id);
        }
        const [walked] = [...rows]
          .filter(([one]) => !leftOut.has(one))
          .sort(([a, rankOfA], [b, rankOfB]) => rankOfA - rankOfB || a - b);
        expect(ready.next((one) => leftOut.has(one))).toBe(walked?.[0]);
      }
    }),
    { numRuns: 500 },
  );
});

/** A ready task of this rank, or one that waits for another one. */
function rowOf(id: number, does: number | "waits"): Task {
  const row: Pick<Task, "id" | "status" | "priority_rank"> &
    Pick<Task, "open_dependencies" | "unapproved_gates" | "held_at"> = {
    id,
    status: "pending",
    priority_rank: does === "waits" ? 0 : does,
    open_dependencies: does === "waits" ? 1 : 0,
    unapproved_gates: 0,
    held_at: 0,
  };
  // The other columns say nothing of turns.
  return row as Task;
}
