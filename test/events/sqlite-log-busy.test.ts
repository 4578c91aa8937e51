import { expect, onTestFinished, test, vi } from "vitest";
import { codeOf, comment, environmentAt, NOON } from "./given.ts";
import { givenLogFile, openElsewhere, openForTest } from "./log-file.ts";

/* Another process that holds the log's lock. Catches: an append that waits for ever, or not at all, or is half done. */
const LIMIT_MS = 10;

/**
 * A log whose every waiting is 2.5 ms, while another holds its lock; `waits` counts them.
 *
 * @param attempt_ms how long each attempt takes by itself
 */
function givenLockedLog(whileWaiting: (waits: number) => void = () => {}, attempt_ms = 0) {
  const path = givenLogFile();
  const seen = { waits: 0, attempts: -1 };
  const environment = {
    ...environmentAt({ now: NOON }, "busy"),
    elapsed_ms() {
      seen.attempts += 1;
      return seen.waits * 2.5 + seen.attempts * attempt_ms;
    },
    jitter() {
      seen.waits += 1;
      whileWaiting(seen.waits);
      return 0.5;
    },
  };
  const log = openForTest(path, environment, LIMIT_MS);
  const other = openElsewhere(path);
  other.exec("BEGIN IMMEDIATE");
  return { path, log, other, seen };
}

test("if another process holds the lock beyond the limit, every waiting append fails", async () => {
  const { path, log, other, seen } = givenLockedLog();
  const answers = [log.append([comment("one")]), log.append([comment("two")])];
  for (const answer of answers) {
    await expect(answer).rejects.toMatchObject({
      name: "LogError",
      code: "busy",
      message: `The log ${path} is locked by another process; try again.`,
      cause: { code: "SQLITE_BUSY" },
    });
  }
  expect(seen.waits).toBe(LIMIT_MS / 2.5);
  other.exec("ROLLBACK");
  expect((await log.append([comment("three")])).events[0]?.position).toBe(1);
});

test("the limit counts elapsed time, including the time of attempts", async () => {
  const { log, seen } = givenLockedLog(() => {}, LIMIT_MS / 2);
  expect(await codeOf(log.append([comment("one")]))).toBe("busy");
  expect(seen.waits).toBe(1);
});

test("a process that waits long for the lock retries less often, and starts the next wait afresh", async () => {
  const path = givenLogFile();
  const other = openElsewhere(path);
  let now_ms = 0;
  let tries = 0;
  const environment = {
    ...environmentAt({ now: NOON }, "rare"),
    elapsed_ms: () => now_ms,
    jitter() {
      tries += 1;
      now_ms += 250;
      if (tries === 4) other.exec("ROLLBACK");
      return 0.5;
    },
  };
  const log = openForTest(path, environment);
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const pauses = () => timers.mock.calls.map(([, pause_ms]) => pause_ms);

  other.exec("BEGIN IMMEDIATE");
  await log.append([comment("one")]);
  expect(pauses()).toEqual([2.5, 3.5, 6, 8.5]);
  timers.mockClear();
  tries = 3;
  other.exec("BEGIN IMMEDIATE");
  await log.append([comment("two")]);
  expect(pauses()).toEqual([2.5]);
});

test("when another gives the lock back within the limit, the append is done", async () => {
  const { log, other } = givenLockedLog((waits) => {
    if (waits === 3) other.exec("ROLLBACK");
  });
  expect((await log.append([comment("patient")])).outcome).toBe("appended");
});

test("a log that is closed while an append waits for the lock first gives its answer, to every close", async () => {
  const { log } = givenLockedLog();
  const settled: string[] = [];
  const append = codeOf(log.append([comment("late")])).then((code) => settled.push(code));
  const closes = [log.close(), log.close()].map((close) => close.then(() => settled.push("closed")));
  await Promise.all([append, ...closes]);
  expect(settled).toEqual(["busy", "closed", "closed"]);
});
