import { BehaviorSubject, Subject } from "rxjs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { configSchema } from "../../src/config/schema.ts";
import type { Stop } from "../../src/loop/agent/verdict.ts";
import { watchdog } from "../../src/loop/watchdog.ts";

/*
 * Catches: a limit that is counted from elsewhere than the last sign, one that goes on during a gate, a second reason. The clock is
 * the test's.
 */
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS = {
  ...configSchema.parse({}).limits,
  session_s: 100,
  silence_s: 10,
  after_closing_s: 5,
};

/** An agent under watch, with what it was ended for so far. */
function watched(limits = LIMITS) {
  const [activity, closed, gates] = [new Subject<void>(), new Subject<void>(), new BehaviorSubject(false)];
  const stops: Stop[] = [];
  const watching = watchdog(limits, { activity, closed, gates }).subscribe((stop) => stops.push(stop));
  return { activity, closed, gates, watching, why: () => stops.map(({ why }) => why), stops };
}

const after_ms = (ms: number) => vi.advanceTimersByTime(ms);

test("silence counts from the last activity, or from the start if there was none", () => {
  const { activity, why, stops } = watched();
  after_ms(9_999);
  activity.next();
  after_ms(9_999);
  expect(why()).toEqual([]);
  after_ms(1);
  expect(stops).toEqual([{ why: "silence", reason: "its agent was silent for 10 s" }]);
  const mute = watched();
  after_ms(10_000);
  expect(mute.why()).toEqual(["silence"]);
});

test("the time limit also ends an active agent, and the reason is given once", () => {
  const { activity, closed, watching, stops } = watched();
  for (let second = 1; second < 100; second++) {
    after_ms(1_000);
    activity.next();
  }
  expect(stops).toEqual([]);
  after_ms(1_000);
  expect(stops).toEqual([{ why: "session_limit", reason: "it took longer than 100 s" }]);
  closed.next();
  after_ms(1_000_000);
  expect(stops).toHaveLength(1);
  expect(watching.closed).toBe(true);
});

test("after it has closed an agent has the shorter time, from its last sign of life", () => {
  const { activity, closed, why, stops } = watched();
  after_ms(4_000);
  closed.next();
  after_ms(4_999);
  activity.next();
  after_ms(4_998);
  // Who closes once more has no more time.
  closed.next();
  after_ms(1);
  expect(why()).toEqual([]);
  after_ms(1);
  expect(stops).toEqual([
    { why: "closed", reason: "its agent had closed the session, but did not exit within 5 s" },
  ]);
});

test("while a gate is run no silence counts, before closing and after it, but the session's limit does", () => {
  const { closed, gates, why } = watched();
  gates.next(true);
  after_ms(20_000);
  gates.next(false);
  after_ms(9_999);
  closed.next();
  gates.next(true);
  after_ms(20_000);
  gates.next(false);
  after_ms(4_999);
  expect(why()).toEqual([]);
  after_ms(1);
  expect(why()).toEqual(["closed"]);
  const busy = watched();
  busy.gates.next(true);
  after_ms(99_999);
  expect(busy.why()).toEqual([]);
  after_ms(1);
  expect(busy.why()).toEqual(["session_limit"]);
});
