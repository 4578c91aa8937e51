import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { comment, comments } from "./given.ts";
import { givenLogFile, openForTest } from "./log-file.ts";

/* Catches: a follower that is slow or starves others, an error in place of an end. */
test("a follower far behind gets a page in every turn of the event loop, and lets others have theirs between", async () => {
  const log = openForTest(givenLogFile());
  await log.append(comments(2_500));
  const turns: number[] = [];
  let turn = 0;
  const done = new Promise<void>((resolve) => {
    log.follow(0).subscribe((events) => {
      turns.push(turn);
      if (events.at(-1)?.position === 2_500) resolve();
    });
  });
  void (async () => {
    for (; turn < 1_000; turn++) await nextTurn();
  })();
  await done;
  expect(turns).toEqual([0, 1, 2]);
});

test("a follower that reads on while the log is closed completes, and gets no error", async () => {
  const log = openForTest(givenLogFile());
  await log.append(comments(1));
  const append = log.append([comment("still accepted")]);
  const seen: string[] = [];
  log.follow(0).subscribe({
    next: () => seen.push("events"),
    error: () => seen.push("error"),
    complete: () => seen.push("complete"),
  });
  await log.close();
  await append;
  expect(seen.at(-1)).toBe("complete");
});
