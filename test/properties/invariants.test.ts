import fc from "fast-check";
import { expect, test } from "vitest";
import { type State, stateOf } from "../../src/decisions/state.ts";
import type { Event } from "../../src/events/types/index.ts";
import { policies } from "../../src/events/types/policies.ts";
import type { Task } from "../../src/projections/board/tables.ts";
import { listInbox } from "../../src/queries/inbox.ts";
import type { InboxItem } from "../../src/queries/inbox-item.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { histories } from "./commands.ts";
import { assertUntil, eventsOf, runs } from "./runs.ts";

interface Moment {
  readonly event: Event;
  readonly state: State;
  readonly tasks: readonly Task[];
  readonly before: ReadonlyMap<number, Task>;
  readonly ready: readonly number[];
  inbox(): InboxItem[];
}

/** Looks at the board after every event of generated histories, until what an invariant is about was met. */
async function always(invariant: (moment: Moment) => void, hasMet = () => true): Promise<void> {
  await assertUntil(
    fc.asyncProperty(histories, async (history) => {
      const readModel = new ReadModel(":memory:");
      const state = stateOf(readModel);
      const listReady = readModel.database.prepare<[], number>("SELECT id FROM ready_tasks").pluck();
      let before = new Map<number, Task>();
      for (const event of await eventsOf(history)) {
        readModel.advance([event], event.position);
        const tasks = state.tasks.scan();
        const inbox = () => listInbox(readModel);
        invariant({ event, state, tasks, before, ready: listReady.all(), inbox });
        before = new Map(tasks.map((task) => [task.id, task]));
      }
      readModel.close();
    }),
    30,
    hasMet,
  );
}

test("a task has at most one open session, and its row names it", async () => {
  await always(({ state, tasks }) => {
    const open = state.sessions
      .scan(({ completed_at }) => completed_at === null)
      .map(({ id, task_id }) => [task_id, id]);
    const named = tasks.flatMap(({ id, open_session }) =>
      open_session === null ? [] : [[id, open_session]],
    );
    expect(open.sort()).toEqual(named.sort());
    for (const { status, open_session } of tasks)
      if (open_session !== null) expect(status).toBe("in_progress");
  });
});

test("a ready task is pending, with all dependencies done or skipped and no gate to approve", async () => {
  await always(({ state, tasks, ready }) => {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    for (const task of tasks) {
      const dependsOn: number[] = JSON.parse(task.depends_on);
      const waitsFor = dependsOn.filter(
        (id) => !["done", "skipped"].includes(byId.get(id)?.status ?? "missing"),
      );
      expect(task.open_dependencies).toBe(waitsFor.length);
      const gates = state.gates.where({ task_id: task.id, approval: "waiting" });
      expect(task.unapproved_gates).toBe(gates.length);
      expect(ready.includes(task.id)).toBe(
        task.status === "pending" && waitsFor.length === 0 && gates.length === 0,
      );
    }
  });
});

test("a gate that waits for a human was never run, and the inbox has it while its task is not done or skipped", async () => {
  let waited = 0;
  await always(
    ({ state, tasks, inbox }) => {
      const waiting = state.gates.where({ approval: "waiting" });
      for (const gate of waiting)
        expect(gate).toMatchObject({ state: "pending", attempts: 0, last_position: null });
      waited += waiting.length;
      const open = new Set(
        tasks.flatMap(({ id, status }) => (status === "done" || status === "skipped" ? [] : [id])),
      );
      const declared = waiting.flatMap((gate) => (open.has(gate.task_id) ? [gate.declared] : []));
      const shown = inbox().flatMap(({ id, kind }) => (kind === "gate_approval" ? [id] : []));
      expect(shown).toEqual([...new Set(declared)].sort((a, b) => a - b));
    },
    () => waited > 0,
  );
});

test("every gate that runs was declared or approved by a human", async () => {
  await always(({ event, state }) => {
    if (event.type !== "gate.attempted") return;
    const gate = state.gates.get(event.payload.task, event.payload.gate);
    expect(["unneeded", "approved"]).toContain(gate?.approval);
  });
});

test("a task fails only by its stuck count, an aborted gate or a human's word", async () => {
  await always(({ event, state, tasks, before }) => {
    const limit = Number(state.policies.get("stuck_limit")?.value ?? policies.stuck_limit.absent);
    for (const task of tasks) {
      if (task.status !== "failed" || before.get(task.id)?.status === "failed") continue;
      const aborted = state.gates.where({ task_id: task.id, state: "aborted" }).length > 0;
      const reasons: Partial<Record<Event["type"], boolean>> = {
        "session.ended": task.stuck_count >= limit || aborted,
        "gate.acted": aborted,
        "task.status_set": true,
        "task.created": true,
      };
      expect(reasons[event.type], `task ${task.id} failed by ${event.type}`).toBe(true);
    }
  });
});

test("a done task has no open question, no open blocker and no stuck count", async () => {
  await always(({ event, state, tasks }) => {
    for (const { id, status, stuck_count } of tasks) {
      // Created as done or not: nothing was asked on it then.
      if (status !== "done") continue;
      expect(state.questions.where({ task_id: id, state: ["open", "raised"] }), event.type).toEqual([]);
      expect(state.blockers.where({ task_id: id, state: ["open", "raised"] }), event.type).toEqual([]);
      expect(stuck_count).toBe(0);
    }
  });
});

test("only a task that waits for input waits to be accepted", async () => {
  await always(({ tasks }) => {
    for (const { awaiting_acceptance, status } of tasks) {
      if (awaiting_acceptance) expect(status).toBe("needs_input");
    }
  });
});

test("status changes form a chain that ends in the task's status, each with its rule and causes", async () => {
  await always(({ event, state, tasks }) => {
    for (const { id, status } of tasks) {
      let from: string | null = null;
      for (const change of state.statusChanges.where({ task_id: id })) {
        expect(change.from_status).toBe(from);
        expect(change.to_status).not.toBe(from);
        from = change.to_status;
        expect(change.rule).not.toBe("");
        const causes: number[] = JSON.parse(change.causes);
        expect(causes).toContain(change.position);
        for (const cause of causes) expect(cause).toBeLessThanOrEqual(change.position);
      }
      expect(from, `task ${id} at ${event.position}`).toBe(status);
    }
  });
});

test("dependencies never close a circle and only name tasks that exist", async () => {
  await always(({ tasks }) => {
    const waiting = new Map(tasks.map(({ id, depends_on }) => [id, JSON.parse(depends_on) as number[]]));
    for (const dependsOn of waiting.values()) for (const id of dependsOn) expect(waiting.has(id)).toBe(true);
    // Takes away, again and again, what depends on nothing that is left; a circle would remain.
    for (let size = -1; size !== waiting.size; ) {
      size = waiting.size;
      for (const [id, dependsOn] of waiting)
        if (!dependsOn.some((other) => waiting.has(other))) waiting.delete(id);
    }
    expect([...waiting.keys()]).toEqual([]);
  });
});

test("a proposal is undecided just as long as its task is a draft", async () => {
  let proposals = 0;
  await always(
    ({ state }) => {
      for (const { proposed_task } of state.suggestions.where({ state: "proposed" })) {
        proposals += 1;
        expect(state.tasks.get(proposed_task ?? 0)?.status).toBe("draft");
      }
    },
    () => proposals > 0,
  );
});

test("a deleted task leaves no count, gate, dependency or inbox item behind", async () => {
  let deletions = 0;
  await always(
    ({ event, state, tasks, inbox }) => {
      if (event.type === "task.deleted") deletions += 1;
      const ids = new Set(tasks.map(({ id }) => id));
      const counted = state.taskCounts.scan().reduce((sum, { tasks: count }) => sum + count, 0);
      expect(counted).toBe(tasks.length);
      for (const { task_id } of state.gates.scan()) expect(ids).toContain(task_id);
      for (const { task_id, depends_on } of state.dependencies.scan()) {
        expect(ids).toContain(task_id);
        expect(ids).toContain(depends_on);
      }
      const items = inbox();
      for (const { task } of items) expect(ids).toContain(task);
      const proposed = state.suggestions.where({ state: "proposed" }).map(({ id }) => id);
      expect(items.flatMap(({ id, kind }) => (kind === "proposal" ? [id] : []))).toEqual(proposed);
    },
    () => deletions > 0,
  );
});

test("positions have no gaps, and a task stays there under its id until it is deleted, and no other one gets that", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
      const created = events.flatMap((event) => (event.type === "task.created" ? [event.payload.task] : []));
      expect(new Set(created).size).toBe(created.length);
    }),
    runs(30),
  );
  await always(({ event, state, tasks, before }) => {
    const deleted = event.type === "task.deleted" ? event.payload.task : undefined;
    for (const { id, origin, created } of before.values()) {
      const task = tasks.find((one) => one.id === id);
      if (id === deleted) expect(task).toBeUndefined();
      else expect(task).toMatchObject({ origin, created });
    }
    const begun = state.statusChanges.scan(({ from_status }) => from_status === null);
    expect(new Set(begun.map(({ task_id }) => task_id)).size).toBe(begun.length);
  });
});
