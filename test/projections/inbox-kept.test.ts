import fc from "fast-check";
import { expect, test } from "vitest";
import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import type { Draft, Event } from "../../src/events/types/index.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { itemKinds } from "../../src/projections/board/inbox-tables.ts";
import { countInbox, inboxKey, inboxPage, listInbox } from "../../src/queries/inbox.ts";
import type { InboxItem } from "../../src/queries/inbox-item.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { inProcessAgents } from "../../src/replay/agent.ts";
import { replay } from "../../src/replay/replay.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";
import { histories } from "../properties/commands.ts";
import { execute, openMemoryStore, PRESENT_US } from "../properties/executor.ts";
import { runs } from "../properties/runs.ts";
import {
  blocked,
  created,
  deleted,
  ended,
  event,
  flag,
  inSession,
  partial,
  set,
  started,
} from "./board/history.ts";
import { blockingFromTables, inboxFromTables, shownOf } from "./inbox-oracle.ts";

function expectSame(readModel: ReadModel): InboxItem[] {
  const items = listInbox(readModel);
  const at = `at ${readModel.position()}`;
  expect(items.map(shownOf), at).toEqual(inboxFromTables(readModel));
  expect(listInbox(readModel, { all: true }).map(shownOf), at).toEqual(inboxFromTables(readModel, true));
  const newest = [...items].sort((a, b) => b.id - a.id || (a.kind < b.kind ? -1 : 1))[0];
  const blocking = items.filter(({ blocks_work }) => blocks_work).map(inboxKey);
  expect(blocking.toSorted(), at).toEqual(blockingFromTables(readModel).toSorted());
  const kinds = itemKinds
    .map((kind) => ({ kind, items: items.filter((item) => item.kind === kind) }))
    .filter((of) => of.items.length > 0);
  expect(countInbox(readModel), at).toEqual({
    total: items.length,
    blocking: blocking.length,
    kinds: kinds.map((of) => ({ ...of, items: of.items.length })),
    newest: newest && { kind: newest.kind, id: newest.id },
  });
  for (const of of kinds) expect(listInbox(readModel, { kind: of.kind }), at).toEqual(of.items);
  return items;
}

async function expectSameAfterEach(events: readonly Event[]): Promise<Set<string>> {
  const kinds = new Set<string>();
  const readModel = new ReadModel(":memory:");
  for (const event of events) {
    readModel.advance([event], event.position);
    for (const { kind } of expectSame(readModel)) kinds.add(kind);
  }
  expect(readModel.checkpoints.list().filter(({ state }) => state === "stopped")).toEqual([]);
  readModel.close();
  return kinds;
}

/** Events as no decision makes them, on the tasks and sessions of a history, in any order. */
const task = fc.integer({ min: 1, max: 5 });
const session = fc.constantFrom("x-1", "x-2", "x-3");
const at = fc.integer({ min: 1, max: 60 });
const merge = { branch: "b", commit: "1".repeat(40), base: "main" };
/** Three sessions in a row that are cancelled. */
const hold = task.map((task) =>
  ["y-1", "y-2", "y-3"].flatMap((name) => [
    started(`${name}-${task}`, task, { forced: true }),
    ended("cancelled", `${name}-${task}`, { cause: "denied" }),
  ]),
);
/** Three sessions in a row that do not get on. */
const stall = task.map((task) =>
  ["w-1", "w-2", "w-3"].flatMap((name) => {
    const session = `${name}-${task}`;
    return [
      started(session, task, { forced: true, workspace: "a" }),
      partial("The rest.", { task, session }),
      ended("exited", session, { workspace: "a" }),
    ];
  }),
);
/** A session whose blocker names a task that is done already. */
const contest = fc.record({ task, other: task }).map(({ task, other }) => {
  const session = `z-${task}-${other}`;
  return [
    set(other, "done"),
    started(session, task, { forced: true }),
    blocked(`task ${other}`, { task, session }),
    ended("exited", session),
  ];
});
const one = fc.oneof<fc.Arbitrary<Draft>[]>(
  task.map((task) => event("merge.proposed", { task, ...merge }, "driver")),
  task.map((task) => event("task.continued", { task })),
  task.map((task) => event("merge.queued", { task, ...merge })),
  task.map((task) => event("merge.withdrawn", { task, reason: "no" })),
  task.map((task) => event("merge.waits", { task, begun: 1, reason: "busy" }, "driver")),
  fc.record({ task, session }).map(({ task, session }) => started(session, task, { forced: true })),
  session.map((session) => ended("cancelled", session, { cause: "denied" })),
  fc.record({ task, session }).map(flag),
  fc.record({ task, session, other: task }).map(({ other, ...origin }) => blocked(`task ${other}`, origin)),
  fc
    .tuple(task, fc.constantFrom("done", "skipped", "pending", "needs_input", "in_progress", "draft"))
    .map(([task, status]) => set(task, status)),
  task.map((task) => deleted(task)),
  fc
    .record({ task, exit_code: fc.constantFrom(0, 1) })
    .map(({ task, exit_code }) =>
      event(
        "workspace.prepared",
        { task, command: "npm ci", ...resultFromElsewhere({ exit_code, stderr: "no" }) },
        "driver",
      ),
    ),
  fc.tuple(task, at).map(([task, question]) => event("question.reopened", { task, question })),
  fc.tuple(task, at).map(([task, blocker]) => event("blocker.resolved", { task, blocker })),
  fc.tuple(task, at).map(([task, blocker]) => event("blocker.reopened", { task, blocker })),
);
const drafts = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: one },
    { weight: 4, arbitrary: hold },
    { weight: 4, arbitrary: stall },
    { weight: 4, arbitrary: contest },
  ),
  { maxLength: 40 },
);

/*
 * Catches: an item that is added or removed too early, too late or twice, one that a deletion leaves behind, a count that drifts.
 */
test("after every event of any history, the inbox items match all other tables", async () => {
  const kinds = await expectSameAfterEach(await contested());
  await fc.assert(
    fc.asyncProperty(histories, drafts, async (history, more) => {
      const store = openMemoryStore();
      await execute(store, history);
      for (const draft of more.flat()) await store.log.append([draft]);
      for (const kind of await expectSameAfterEach(await store.log.read(0, 10_000))) kinds.add(kind);
      store.readModel.close();
    }),
    // The same each time: so many at random need not have every kind.
    { ...runs(25), seed: 7 },
  );
  // Plans are not in these histories: test/projections/board/plans.test.ts.
  expect([...kinds].sort()).toEqual(itemKinds.filter((kind) => kind !== "plan").sort());
});

/** A blocker that names a task which is done: histories hardly come to that. */
async function contested(): Promise<readonly Event[]> {
  const { log, readModel } = openMemoryStore();
  await log.append([created(1), created(2, { status: "done" }), ...inSession(blocked("#2"), partial())]);
  readModel.close();
  return log.read(0, 100);
}

test("the inbox items of every recorded simulation match all other tables", async () => {
  const simulations = loadSimulations([packagePath("fixtures/sims")]);
  expect(simulations).toHaveLength(83);
  for (const simulation of simulations) {
    let now = PRESENT_US;
    const store = openMemoryStore(() => now);
    await replay(simulation, store, inProcessAgents(store), (seconds) => {
      now += seconds * 1_000_000;
    });
    await expectSameAfterEach(await store.log.read(0, 10_000));
    store.readModel.close();
  }
});

test("pages by key give the whole list, each item once", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 4 }), async (history, limit) => {
      const { readModel, ...store } = openMemoryStore();
      await execute({ readModel, ...store }, history);
      const all = listInbox(readModel);
      const paged: InboxItem[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { rows, next } = inboxPage(readModel, { after, limit });
        expect(rows.length).toBe(next === null ? rows.length : limit);
        paged.push(...rows);
        after = next;
      }
      expect(paged).toEqual(all);
      for (const after of ["flag", "flag-0", "flag-1x", "nothing-1", ""])
        expect(() => inboxPage(readModel, { after, limit })).toThrow("Ask for the first page again");
      readModel.close();
    }),
    runs(10),
  );
});
