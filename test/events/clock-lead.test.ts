import { expect, test } from "vitest";
import { clockLead } from "../../src/events/clock-lead.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { comment, environmentAt, NOON } from "./given.ts";

/* Catches: a wrong clock that nobody is told of, a warning because two hosts differ by seconds. */
const MINUTE_US = 60_000_000;
const YEAR_2245 = Date.UTC(2245, 1, 11, 10, 23, 15) * 1_000;

test("a log with times in the future is reported with the first such position and its lead", async () => {
  const clock = { now: NOON };
  const log = openMemoryLog(environmentAt(clock, "lead"));
  expect(await clockLead(log, NOON)).toBeUndefined();
  await log.append([comment("one"), comment("two")]);
  clock.now = YEAR_2245;
  await log.append([comment("of a wrong clock")]);
  clock.now = NOON;
  await log.append([comment("of a right one")]);
  expect(await clockLead(log, NOON)).toEqual({
    from_position: 3,
    recorded_at: "2245-02-11T10:23:15.000001Z",
    seconds: (YEAR_2245 - NOON) / 1_000_000,
  });
  expect(await clockLead(log, YEAR_2245)).toBeUndefined();
});

test("a head up to a minute ahead is the difference of two hosts' clocks", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "lead"));
  await log.append([comment("one")]);
  expect(await clockLead(log, NOON - MINUTE_US)).toBeUndefined();
  expect(await clockLead(log, NOON - MINUTE_US - 1)).toMatchObject({ from_position: 1, seconds: 60 });
});
