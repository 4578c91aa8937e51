import fc from "fast-check";
import { expect, test } from "vitest";
import { replayEnvironment } from "../../../src/decisions/system-environment.ts";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import { logUntil } from "../../../src/history/time-travel/log-until.ts";
import { pointAt } from "../../../src/history/time-travel/point-at.ts";
import { fromIsoTime, toIsoTime } from "../../../src/lib/time.ts";
import { histories } from "../../properties/commands.ts";
import { eventsOf, runs } from "../../properties/runs.ts";
import { logOf } from "./given.ts";

const at = (time: string) => fromIsoTime(`${time}.000000Z`);
/** At no edge of a day or an hour. */
const NOW = at("2026-02-11T12:34:56");

/** Events at 9:00, 10:00 and 11:00 of the 11th, and one at noon of the 10th before them. */
async function givenLog() {
  let now = 0;
  const log = openMemoryLog(replayEnvironment("seed", () => now));
  for (const time of [
    "2026-02-10T12:00:00",
    "2026-02-11T09:00:00",
    "2026-02-11T10:00:00",
    "2026-02-11T11:00:00",
  ]) {
    now = at(time);
    await log.append([{ type: "progress.noted", actor: "human", payload: { text: time } }]);
  }
  return log;
}

test.each([
  ["0", 0, "2026-02-10T12:00:00"],
  ["3", 3, "2026-02-11T10:00:00"],
  ["HEAD", 4, "2026-02-11T12:34:56"],
  ["head~1", 3, "2026-02-11T10:00:00"],
  ["HEAD~4", 0, "2026-02-10T12:00:00"],
  ["2026-02-11", 1, "2026-02-11T00:00:00"],
  ["2026-02-11T10:00", 3, "2026-02-11T10:00:00"],
  ["2026-02-11 10:00:00", 3, "2026-02-11T10:00:00"],
  ["2026-02-11T10:59:59+01:00", 2, "2026-02-11T09:59:59"],
  ["2026-02-11 10:00:00.000000 UTC", 3, "2026-02-11T10:00:00"],
  ["2026-02-11T09:59:59Z", 2, "2026-02-11T09:59:59"],
  ["2 hours ago", 3, "2026-02-11T10:34:56"],
  ["90 minutes ago", 4, "2026-02-11T11:04:56"],
  ["2 days ago", 0, "2026-02-09T12:34:56"],
  ["last year", 0, "2025-02-11T12:34:56"],
  ["today", 1, "2026-02-11T00:00:00"],
  ["yesterday", 0, "2026-02-10T00:00:00"],
  ["the day before yesterday", 0, "2026-02-09T00:00:00"],
  ["last friday", 0, "2026-02-06T00:00:00"],
  ["10 february 2026", 0, "2026-02-10T00:00:00"],
  ["2026/02/11", 1, "2026-02-11T00:00:00"],
  ["yesterday at 11:59", 0, "2026-02-10T11:59:00"],
  ["yesterday at noon", 1, "2026-02-10T12:00:00"],
])("%s is position %i, and the time is %s then", async (text, position, moment) => {
  const point = await pointAt(await givenLog(), text, NOW);
  expect({ position: point.position, moment: toIsoTime(point.moment).slice(0, 19) }).toEqual({
    position,
    moment,
  });
});

test.each([
  ["5", "not_found", "the log's head is 4"],
  ["HEAD~5", "not_found", "the log's head is 4"],
  ["2026-02-11T12:34:57", "not_found", "2026-02-11T12:34:57.000000Z, which is in the future"],
  ["tomorrow", "not_found", "2026-02-12T00:00:00.000000Z, which is in the future"],
  ["task 7 since yesterday", "no_point", '"task 7 since yesterday" is not a valid point'],
  ["", "no_point", '"" is not a valid point'],
  ["1.5", "no_point", '"1.5" is not a valid point'],
  ["2026-13-01", "no_point", '"2026-13-01" is not a valid point'],
  ["from monday to tuesday", "no_point", "not a valid point"],
  ["11/12/2025", "no_point", "not a valid point"],
  ["12.11.2025", "no_point", "not a valid point"],
  ["2/10 at 14:00", "no_point", "not a valid point"],
  ["january", "no_point", "not a valid point"],
])("%j is refused as %s", async (text, code, message) => {
  const reading = pointAt(await givenLog(), text, NOW);
  await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test("the time of an event names that event, and a microsecond earlier the one before it", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.double({ min: 0, max: 1, noNaN: true }), async (history, fraction) => {
      const events = await eventsOf(history);
      const log = await logOf(events);
      const event = events[Math.round(fraction * (events.length - 1))];
      if (!event) return;
      const time = fromIsoTime(event.recordedAt);
      const position = async (moment: number) => (await pointAt(log, toIsoTime(moment), NOW)).position;
      expect(await position(time)).toBe(event.position);
      expect(await position(time - 1)).toBe(event.position - 1);
    }),
    runs(20),
  );
});

test("a log until a position answers as one that never had more", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.double({ min: 0, max: 1, noNaN: true }), async (history, fraction) => {
      const events = await eventsOf(history);
      const position = Math.round(fraction * events.length);
      const prefix = events.slice(0, position);
      const [whole, alone] = [await logOf(events), await logOf(prefix)];
      const until = logUntil(whole, position);
      expect(await until.head()).toBe(position);
      expect(await until.read(0, 10_000)).toEqual(prefix);
      expect(await until.read(position, 10)).toEqual([]);
      const head = events.length;
      for (const { stream, id } of events) {
        expect(await until.streamVersion(stream)).toBe(await alone.streamVersion(stream));
        expect(await until.readStream(stream, 1, 3)).toEqual(await alone.readStream(stream, 1, 3));
        expect(await until.positionsIn([stream], 2, head)).toEqual(
          await alone.positionsIn([stream], 2, head),
        );
        expect(await until.find(id)).toEqual(await alone.find(id));
      }
      const followed: unknown[] = [];
      await until.follow(1).forEach((batch) => void followed.push(...batch));
      expect(followed).toEqual(prefix.slice(1));
    }),
    runs(20),
  );
});
