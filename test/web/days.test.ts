import { expect, test } from "vitest";
import { lastDays } from "../../adapters/page/server/days.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { comment, environmentAt } from "../events/given.ts";

/* Catches: days that begin at midnight in UTC for a person who lives elsewhere, and a day of 24 hours where the clocks change. */

const at = (time: string) => Date.parse(time) * 1_000;

async function logOf(...times: string[]) {
  const clock = { now: 0 };
  const log = openMemoryLog(environmentAt(clock, "days"));
  for (const time of times) {
    clock.now = at(time);
    await log.append([comment(time)]);
  }
  return log;
}

test("a day has the events between two midnights of its zone", async () => {
  const log = await logOf(
    "2026-02-10T22:59:59Z",
    "2026-02-10T23:00:00Z",
    "2026-02-11T22:30:00Z",
    "2026-02-12T01:00:00Z",
  );
  const now = at("2026-02-12T02:00:00Z");
  const positions = async (zone: string) =>
    (await lastDays(log, now, { days: 30, zone })).days.map(({ day, after, upto }) => [day, after, upto]);
  expect(await positions("Europe/Berlin")).toEqual([
    ["2026-02-10", 0, 1],
    ["2026-02-11", 1, 3],
    ["2026-02-12", 3, 4],
  ]);
  expect(await positions("UTC")).toEqual([
    ["2026-02-10", 0, 2],
    ["2026-02-11", 2, 3],
    ["2026-02-12", 3, 4],
  ]);
});

test("days on which the clocks change have 23 and 25 hours", async () => {
  const log = await logOf("2026-03-28T12:00:00Z");
  const hours = async (now: string) => {
    const { days } = await lastDays(log, at(now), { days: 2, zone: "Europe/Berlin" });
    return days.map(({ start, end }) => (end - start) / 3_600_000);
  };
  expect(await hours("2026-03-30T12:00:00Z")).toEqual([23, 24]);
  expect(await hours("2026-10-26T12:00:00Z")).toEqual([25, 24]);
});

test("there is no day before the first event, and none in an empty log", async () => {
  const log = await logOf("2026-02-10T12:00:00Z");
  const window = await lastDays(log, at("2026-02-12T12:00:00Z"), { days: 7, zone: "UTC" });
  expect(window.days.map(({ day }) => day)).toEqual(["2026-02-10", "2026-02-11", "2026-02-12"]);
  expect(new Date(window.from).toISOString()).toBe("2026-02-06T00:00:00.000Z");
  const empty = await lastDays(await logOf(), at("2026-02-12T12:00:00Z"), { days: 7, zone: "UTC" });
  expect(empty.days).toEqual([]);
});
