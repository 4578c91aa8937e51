import { deepStrictEqual, ok } from "node:assert/strict";
import { firstValueFrom, lastValueFrom, type Observable, takeWhile, tap, toArray } from "rxjs";
import type { Event } from "../core.ts";
import { comment, comments, followed, numbers, positionsOf } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";
import type { GivenLog } from "./opened-log.ts";

const starts: readonly [string, number][] = [
  ["the first event", 0],
  ["an event between", 2],
  ["the head", 3],
  ["a position beyond the head", 6],
];

/** Catches: a gap or repetition between what was there and what comes, an empty batch, a follower that outlives its log. */
export const following: readonly LogCase[] = [
  ...starts.map(([start, after]) =>
    logCase(
      `follow emits existing events, then new ones, from ${start}, without gaps or duplicates`,
      (given) => followsFrom(given, { before: 3, after, batches: [2, 0, 1, 4] }),
    ),
  ),
  logCase("a follower far behind gets every event once, page after page", async ({ log }) => {
    await log.append(comments(2_500));
    deepStrictEqual(positionsOf(await followed(log, 0, 2_500)), numbers(2_500));
    deepStrictEqual(positionsOf(await followed(log, 1_500, 1_000)), numbers(2_500, 1_501));
  }),
  logCase("two followers of one handle each get everything", async ({ log, another }) => {
    const both = Promise.all([followed(log, 0, 6), followed(log, 2, 4)]);
    await log.append(comments(3));
    await (await another()).append(comments(3));
    const [all, some] = await both;
    deepStrictEqual(positionsOf(all), numbers(6));
    deepStrictEqual(positionsOf(some), numbers(6, 3));
  }),
  logCase("a follower gets the same events as read", async ({ log }) => {
    const arriving = followed(log, 0, 3);
    await log.append([comment("one"), comment("two", 8)]);
    await log.append([comment("three")]);
    deepStrictEqual(await arriving, await log.read(0, 10));
  }),
  logCase("an unsubscribed follower gets nothing more, and others continue", async ({ log, another }) => {
    const got: number[] = [];
    const subscription = log.follow(0).subscribe((events) => got.push(...positionsOf(events)));
    const other = followed(log, 0, 4);
    await log.append(comments(2));
    await followed(log, 0, 2);
    subscription.unsubscribe();
    const before = [...got];
    await (await another()).append(comments(2));
    deepStrictEqual(positionsOf(await other), numbers(4));
    deepStrictEqual(got, before);
  }),
  logCase("a follower that takes one batch is done with it", async ({ log }) => {
    await log.append(comments(2_500));
    const batch = await firstValueFrom(log.follow(0));
    deepStrictEqual(positionsOf(batch), numbers(batch.length));
    ok(batch.length > 0);
  }),
  logCase("followers complete when the log is closed, or at once if it is closed", async ({ log }) => {
    await log.append(comments(2));
    const waiting = [follow(log.follow(0)), follow(log.follow(2)), follow(log.follow(99))];
    await waiting[0]?.until(2);
    await log.close();
    deepStrictEqual(await Promise.all(waiting.map(({ positions }) => positions)), [[1, 2], [], []]);
    deepStrictEqual(await lastValueFrom(log.follow(0).pipe(toArray())), []);
  }),
  logCase("an event that a follower appends comes after the current batch", async ({ log }) => {
    const chain = lastValueFrom(
      log.follow(0).pipe(
        tap((events) => {
          const last = events.at(-1)?.position ?? 0;
          if (last < 5) void log.append([comment(`after ${last}`)]);
        }),
        takeWhile((events) => (events.at(-1)?.position ?? 0) < 5, true),
        toArray(),
      ),
    );
    await log.append([comment("first")]);
    deepStrictEqual(positionsOf((await chain).flat()), numbers(5));
  }),
];

/** How many events are there before a follower starts, where it starts, and what is appended then. */
interface FollowPlan {
  readonly before: number;
  readonly after: number;
  readonly batches: readonly number[];
}

/** Appends by two handles while a follower of one gets all events after its start, each once. */
export async function followsFrom(
  { log, another }: GivenLog,
  { before, after, batches }: FollowPlan,
): Promise<void> {
  const other = await another();
  const handles = [log, other];
  await log.append(comments(before));
  const seen = follow(log.follow(after));
  for (const [index, size] of batches.entries()) await handles[index % 2]?.append(comments(size));
  const last = before + batches.reduce((sum, size) => sum + size, 0);
  // The last event is beyond every start, so that its arrival ends the wait.
  await other.append(comments(Math.max(1, after + 1 - last)));
  const head = await log.head();
  await seen.until(head);
  await log.close();
  deepStrictEqual(await seen.positions, numbers(head, after + 1));
  ok(!seen.sizes.includes(0));
}

/** Subscribes at once; `positions` resolves when the source completes. */
function follow(source: Observable<readonly Event[]>) {
  const sizes: number[] = [];
  const seen: number[] = [];
  const waiting = new Map<number, () => void>();
  const positions = lastValueFrom(
    source.pipe(
      tap((events) => {
        sizes.push(events.length);
        seen.push(...positionsOf(events));
        for (const [position, resolve] of waiting) if (seen.includes(position)) resolve();
      }),
    ),
    { defaultValue: [] },
  ).then(() => seen);
  return {
    sizes,
    positions,
    /** Waits for an event or for the end of the source: a log that ends its followers must not hang. */
    until(position: number): Promise<unknown> {
      const arrived = new Promise<void>((resolve) => {
        waiting.set(position, resolve);
        if (seen.includes(position)) resolve();
      });
      return Promise.race([arrived, positions]);
    },
  };
}
