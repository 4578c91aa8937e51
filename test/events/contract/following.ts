import fc from "fast-check";
import { firstValueFrom, lastValueFrom, type Observable, takeWhile, tap, toArray } from "rxjs";
import { expect, test } from "vitest";
import type { Event } from "../../../src/events/types/index.ts";
import { comment, comments, followed, numbers, positionsOf } from "../given.ts";
import { type OpenLog, openForTest, withLog } from "./opened-log.ts";

/** Catches: a gap or repetition between what was there and what comes, an empty batch, a follower that outlives its log. */
export function describeFollowing(open: OpenLog): void {
  test("follow emits existing events, then new ones, from any start, without gaps or duplicates", async () => {
    const plan = fc.record({
      before: fc.integer({ min: 0, max: 5 }),
      after: fc.integer({ min: 0, max: 12 }),
      batches: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, ({ before, after, batches }) =>
        withLog(open, async ({ log, another }) => {
          const handles = [log, another()];
          await log.append(comments(before));
          const seen = follow(log.follow(after));
          for (const [index, size] of batches.entries()) await handles[index % 2]?.append(comments(size));
          const last = before + batches.reduce((sum, size) => sum + size, 0);
          // The last event is beyond every start, so that its arrival ends the wait.
          await handles[1]?.append(comments(Math.max(1, after + 1 - last)));
          const head = await log.head();
          await seen.until(head);
          await log.close();
          expect(await seen.positions).toEqual(numbers(head, after + 1));
          expect(seen.sizes).not.toContain(0);
        }),
      ),
      { numRuns: 25 },
    );
  });

  test("a follower far behind gets every event once, page after page", async () => {
    const { log } = await openForTest(open);
    await log.append(comments(2_500));
    expect(positionsOf(await followed(log, 0, 2_500))).toEqual(numbers(2_500));
    expect(positionsOf(await followed(log, 1_500, 1_000))).toEqual(numbers(2_500, 1_501));
  });

  test("two followers of one handle each get everything", async () => {
    const { log, another } = await openForTest(open);
    const both = Promise.all([followed(log, 0, 6), followed(log, 2, 4)]);
    await log.append(comments(3));
    await another().append(comments(3));
    const [all, some] = await both;
    expect(positionsOf(all)).toEqual(numbers(6));
    expect(positionsOf(some)).toEqual(numbers(6, 3));
  });

  test("a follower gets the same events as read", async () => {
    const { log } = await openForTest(open);
    const arriving = followed(log, 0, 3);
    await log.append([comment("one"), comment("two", 8)]);
    await log.append([comment("three")]);
    expect(await arriving).toEqual(await log.read(0, 10));
  });

  test("an unsubscribed follower gets nothing more, and others continue", async () => {
    const { log, another } = await openForTest(open);
    const got: number[] = [];
    const subscription = log.follow(0).subscribe((events) => got.push(...positionsOf(events)));
    const other = followed(log, 0, 4);
    await log.append(comments(2));
    await followed(log, 0, 2);
    subscription.unsubscribe();
    const before = [...got];
    await another().append(comments(2));
    expect(positionsOf(await other)).toEqual(numbers(4));
    expect(got).toEqual(before);
  });

  test("a follower that takes one batch is done with it", async () => {
    const { log } = await openForTest(open);
    await log.append(comments(2_500));
    const batch = await firstValueFrom(log.follow(0));
    expect(positionsOf(batch)).toEqual(numbers(batch.length));
    expect(batch.length).toBeGreaterThan(0);
  });

  test("followers complete when the log is closed, or at once if it is closed", async () => {
    const { log } = await openForTest(open);
    await log.append(comments(2));
    const waiting = [follow(log.follow(0)), follow(log.follow(2)), follow(log.follow(99))];
    await waiting[0]?.until(2);
    await log.close();
    expect(await Promise.all(waiting.map(({ positions }) => positions))).toEqual([[1, 2], [], []]);
    expect(await lastValueFrom(log.follow(0).pipe(toArray()))).toEqual([]);
  });

  test("an event that a follower appends comes after the current batch", async () => {
    const { log } = await openForTest(open);
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
    expect(positionsOf((await chain).flat())).toEqual(numbers(5));
  });
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
    until: (position: number) =>
      new Promise<void>((resolve) => {
        waiting.set(position, resolve);
        if (seen.includes(position)) resolve();
      }),
  };
}
