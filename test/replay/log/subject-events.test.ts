import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../../src/decisions/refusal.ts";
import { planRedaction, takeRedaction } from "../../../src/decisions/rules/redact.ts";
import type { Store } from "../../../src/decisions/store.ts";
import type { EventLog } from "../../../src/events/log.ts";
import { tagsOf } from "../../../src/events/tags.ts";
import type { Draft, Event } from "../../../src/events/types/index.ts";
import { type LogFilter, matching } from "../../../src/history/log/filter.ts";
import { readLog } from "../../../src/history/log/read-log.ts";
import { readFiltered } from "../../../src/history/log/subject-events.ts";
import { subjectsIn } from "../../../src/history/log/subjects.ts";
import { taskActsTable } from "../../../src/projections/task-acts.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import * as h from "../../projections/board/history.ts";
import { histories } from "../../properties/commands.ts";
import { execute, openMemoryStore } from "../../properties/executor.ts";
import { assertUntil } from "../../properties/runs.ts";

type Pages = AsyncIterable<readonly Event[]>;

async function positionsOf(store: Store, filter: LogFilter, pages: Pages): Promise<number[]> {
  const isWanted = matching(filter, subjectsIn(store.readModel));
  const found: number[] = [];
  for await (const events of pages) found.push(...events.filter(isWanted).map(({ position }) => position));
  return found;
}

interface Stray {
  readonly type: "comment" | "learning" | "feature" | "ask" | "redaction";
  readonly task: number;
  readonly nth: number;
}

/** Events that stand in no stream of their subject: of a session on another task, of one that nobody started, of no task. */
const strays = fc.array(
  fc.record<Stray>({
    type: fc.constantFrom("comment", "learning", "feature", "ask", "redaction"),
    task: fc.integer({ min: 1, max: 6 }),
    nth: fc.nat(),
  }),
  { maxLength: 12 },
);

async function add(store: Store, { type, task, nth }: Stray, sessions: readonly string[]): Promise<void> {
  if (type === "redaction") {
    try {
      const position = (nth % (await store.log.head())) + 1;
      await takeRedaction(store, await planRedaction(store, { position, reason: "a secret" }), {
        actor: "human",
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    return;
  }
  const session = sessions[nth % sessions.length] ?? "nobody";
  const by = { actor: "agent", correlation: session };
  const drafts: Record<typeof type, Draft> = {
    comment: { ...by, type: "comment.added", payload: { task, author: "x", body: "y" } },
    learning: {
      ...by,
      type: "learning.added",
      payload: { task, text: "t", kind: "discovery", source: "agent" },
    },
    feature: {
      ...by,
      type: "feature.created",
      // No decision makes a feature that is there: a name of its own.
      payload: { feature: `f-${(await store.log.head()) + 1}`, display_name: "f", description: "" },
    },
    ask: { ...by, type: "signal.ask", payload: { task, session, question: "q?", blocking: false } },
  };
  await store.log.append([drafts[type]]);
}

function sessionsIn(store: Store, events: readonly Event[]): string[] {
  const subjectOf = subjectsIn(store.readModel);
  return [...new Set(events.map((event) => subjectOf(event).session ?? "nobody"))];
}

test("events by task or session equal a scan of the whole log, in either order and any range", async () => {
  let found = 0;
  const range = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 200 }));
  await assertUntil(
    fc.asyncProperty(histories, strays, range, async (history, added, [from, to]) => {
      const store = openMemoryStore();
      await execute(store, history);
      const sessions = sessionsIn(store, await store.log.read(0, 10_000));
      for (const stray of added) await add(store, stray, [...sessions, "nobody"]);
      await catchUp(store.readModel, store.log);
      const filters: LogFilter[] = [
        ...[1, 2, 3, 4, 5, 6, 99].map((task) => ({ task })),
        ...sessions.map((session) => ({ session })),
        ...[...sessions, "nobody"].map((session) => ({ session, task: 2 })),
      ];
      for (const filter of filters) {
        for (const order of ["oldest_first", "newest_first"] as const) {
          for (const within of [
            { from: 1, to: Number.POSITIVE_INFINITY },
            { from, to },
          ]) {
            const scanned = await positionsOf(store, filter, readLog(store.log, within, order));
            const read = readFiltered(store.log, store.readModel, filter, within, order);
            expect(await positionsOf(store, filter, read), JSON.stringify(filter)).toEqual(scanned);
            found += scanned.length;
          }
        }
      }
      store.readModel.close();
    }),
    10,
    () => found > 100,
  );
});

test("a decision on a plan is an event of each task that it names, and of no other", async () => {
  const store = openMemoryStore();
  const decided = h.planDecided("rejected", [1, 2]);
  await store.log.append([...h.planned(1, [1, 2, 3]), { ...decided, actor: "human" }]);
  await catchUp(store.readModel, store.log);
  for (const [task, found] of [
    [1, [3, 7]],
    [2, [4, 7]],
    [3, [5]],
  ] as const) {
    const range = { from: 1, to: 100 };
    const pages = readFiltered(store.log, store.readModel, { task }, range);
    expect(await positionsOf(store, { task }, pages)).toEqual(found);
    expect(store.readModel.rowsOf({ acts: taskActsTable }).acts.where({ task_id: task })).toHaveLength(
      found.length,
    );
  }
  const [event] = await store.log.read(6, 1);
  expect(event && tagsOf(event)).toEqual(expect.arrayContaining(["task-1", "task-2", "plan-1"]));
});

test("of a task only its own events are read, however long the log is", async () => {
  const store = openMemoryStore();
  const said = (task: number): Draft => ({
    actor: "human",
    type: "comment.added",
    payload: { task, author: "x", body: "y" },
  });
  const started = (task: number): Draft => ({
    actor: "driver",
    type: "session.started",
    payload: { session: `s-${task}`, task, forced: false },
  });
  await store.log.append(
    Array.from({ length: 500 }, (_, index) => [said(index + 1), started(index + 1)]).flat(),
  );
  await catchUp(store.readModel, store.log);
  let read = 0;
  const counting: EventLog = {
    ...store.log,
    read: async (after, limit) => {
      const events = await store.log.read(after, limit);
      read += events.length;
      return events;
    },
  };
  for (const filter of [{ task: 250 }, { session: "s-250" }]) {
    read = 0;
    const pages = readFiltered(counting, store.readModel, filter, { from: 1, to: 1_000 });
    const found = await positionsOf(store, filter, pages);
    expect(found).toEqual(filter.task ? [499, 500] : [500]);
    expect(read).toBe(found.length);
  }
});
