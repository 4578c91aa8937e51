import { filter, firstValueFrom, lastValueFrom, take, tap, toArray } from "rxjs";
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { catchUp, keepUpToDate } from "../../src/read-model/worker.ts";
import { useChild } from "../children.ts";
import { comment, comments, environmentAt, NOON, numbers } from "../events/given.ts";
import {
  echo,
  expectAsFresh,
  givenFreshReadModel,
  givenProject,
  givenReduced,
  history,
  shownState,
  tally,
} from "./given.ts";

/* Catches: a worker that misses events of other processes, doubles them beside a second worker, or dies of a closed log. */

const startAppending = useChild("test/events/children/append-batches.ts");

test("a worker reduces existing events and those that another process appends", async () => {
  const { logPath, openLog, openReadModel } = givenProject();
  const log = openLog();
  await log.append(comments(3));
  const readModel = openReadModel();
  const there = firstValueFrom(keepUpToDate(readModel, log).pipe(filter((position) => position >= 43)));
  const child = startAppending(logPath, "other", "20", "2");
  child.tell("go");
  await child.finish();
  expect(await there).toBe(43);
  await expectAsFresh(readModel, log);
  expect(readModel.position()).toBe(43);
});

test("two workers on one file reduce every event once", async () => {
  const { openLog, openReadModel } = givenProject();
  const logs = [openLog(), openLog()];
  const readModels = [openReadModel([tally, echo]), openReadModel([tally, echo])];
  const both = Promise.all(
    logs.map((log, index) => {
      const readModel = readModels[index] ?? readModels[0];
      if (!readModel) throw new Error("There are two.");
      return firstValueFrom(keepUpToDate(readModel, log).pipe(filter((position) => position >= 60)));
    }),
  );
  const writer = openLog();
  for (const number of numbers(60)) await writer.append([comment(`comment ${number}`)]);
  await both;
  expect(readModels[0]?.rowsOf(tally.tables).tally?.get(7)).toEqual({ task_id: 7, comments: 60 });
  expect(readModels[1]?.rowsOf(echo.tables).echo?.scan()).toHaveLength(60);
});

test("the positions that a worker emits never go back, and are each reduced when they are emitted", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  const readModel = openReadModel([tally]);
  const emitted = lastValueFrom(
    keepUpToDate(readModel, log).pipe(
      tap((position) => expect(shownState(readModel, "tally")?.position).toBeGreaterThanOrEqual(position)),
      filter((position) => position >= 10),
      take(1),
      toArray(),
    ),
  );
  for (const number of numbers(10)) await log.append([comment(`comment ${number}`)]);
  expect(await emitted).toEqual([10]);
});

test("an unsubscribed worker reduces nothing more", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  const [idle, busy] = [openReadModel([tally]), givenFreshReadModel([tally])];
  await log.append(comments(2));
  await firstValueFrom(keepUpToDate(idle, log));
  const arrival = firstValueFrom(keepUpToDate(busy, log).pipe(filter((position) => position >= 4)));
  await log.append(comments(2));
  await arrival;
  expect(shownState(idle, "tally")?.position).toBe(2);
});

test("a worker completes when its log is closed while it waits", async () => {
  const { log, readModel } = await givenReduced(comments(2), [tally]);
  const all = lastValueFrom(keepUpToDate(readModel, log).pipe(toArray()));
  await log.close();
  for (const position of await all) expect(position).toBe(2);
});

test("a worker completes, without an error, when its log is closed while it reduces", async () => {
  const memory = openMemoryLog(environmentAt({ now: NOON }, "closing"));
  await memory.append(comments(5));
  const log: EventLog = {
    ...memory,
    async read(after, limit) {
      await memory.close();
      return memory.read(after, limit);
    },
  };
  const worker = keepUpToDate(givenFreshReadModel([tally]), log);
  expect(await lastValueFrom(worker.pipe(toArray()))).toEqual([]);
});

test("a worker brings a read model of another, longer log to its own log without waiting for an event", async () => {
  const [here, elsewhere] = [givenProject(), givenProject()];
  const [log, other] = [here.openLog(), elsewhere.openLog()];
  await log.append(comments(9));
  await other.append([comment("elsewhere")]);
  const readModel = here.openReadModel([tally]);
  await catchUp(readModel, log);
  const worker = keepUpToDate(readModel, other);
  const first = firstValueFrom(worker);
  await other.append([comment("elsewhere too")]);
  expect(await first).toBeLessThanOrEqual(2);
  await catchUp(readModel, other);
  expect(readModel.rowsOf(tally.tables).tally?.get(7)).toEqual({ task_id: 7, comments: 2 });
});

test("a worker on a memory log keeps up with it", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "worker"));
  const readModel = givenFreshReadModel();
  const there = firstValueFrom(keepUpToDate(readModel, log).pipe(filter((position) => position >= 12)));
  await log.append(history());
  await log.append([comment("last")]);
  expect(await there).toBe(12);
  expect(readModel.position()).toBe(12);
});

test("a read model continues after another process swaps in slightly older tables", async () => {
  const { openReadModel } = givenProject();
  const memory = openMemoryLog(environmentAt({ now: NOON }, "swap"));
  await memory.append(comments(5));
  const [slow, swapping] = [openReadModel([tally]), openReadModel([tally])];
  await catchUp(slow, memory);
  await memory.append(comments(2));
  let swapped = false;
  const log: EventLog = {
    ...memory,
    async read(after, limit) {
      const events = await memory.read(after, limit);
      // What a rebuild elsewhere does that read the log before position 5 was there.
      if (after === 5 && !swapped) {
        swapped = true;
        swapping.transaction(() => {
          swapping.database.exec("UPDATE tally SET comments = 4; UPDATE projections SET position = 4");
        });
      }
      return events;
    },
  };
  await catchUp(slow, log);
  expect(swapped).toBe(true);
  expect(slow.rowsOf(tally.tables).tally?.get(7)).toEqual({ task_id: 7, comments: 7 });
});
