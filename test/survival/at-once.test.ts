import { join } from "node:path";
import { expect } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { useChild } from "../children.ts";
import { everythingIn, numbers, positionsOf, temporaryFolder } from "../events/given.ts";
import { campaign } from "./campaign.ts";
import { madeBy } from "./own-order.ts";

/*
 * Catches: a lock that is not waited for, or waited for in a queue that some never leave; positions that two processes
 * give at once; a stream version that is read outside of the transaction; appends of one process that overtake each other.
 */

const startAppending = useChild("test/survival/children/append-together.ts");

/** A point is one run of so many processes, each with so many events. */
const RUN =
  process.env.SIGNALBOX_LONG === "at-once" ? { processes: 16, events: 5_000 } : { processes: 8, events: 500 };

/** When the fastest process is done, each other one has done at least this part of its work. */
const FAIR_PART = 0.05;

campaign({
  line: "at-once",
  promise:
    "processes appending at once: gapless, unique positions, order kept per stream, no SQLITE_BUSY at a caller, none starved",
  small: 2,
  large: 10,
  open: () => {},
  async point(number) {
    const folder = temporaryFolder();
    const path = join(folder.path, "events.db");
    createLogFile(path);
    // By turns each process waits for every answer, or has ten appends under way.
    const atOnce = number % 2 === 0 ? 1 : 10;
    const children = numbers(RUN.processes).map((own) =>
      startAppending(path, String(own), String(RUN.events), String(atOnce)),
    );
    try {
      for (const child of children) expect(await child.says()).toBe("ready");
      for (const child of children) child.tell("go");
      // An error of an append, such as a lock that was not waited for, ends its process badly.
      const answers = await Promise.all(children.map((child) => child.finish()));

      const log = openSqliteLog(path, systemEnvironment());
      const events = await everythingIn(log);
      await log.close();
      expect(positionsOf(events)).toEqual(numbers(RUN.processes * RUN.events));
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expectOrder(events);
      const positions = positionsByProcess(events);
      expect(answers.map(([line]) => JSON.parse(line ?? ""))).toEqual(positions);
      const part = partOfTheSlowest(positions);
      expect(part, "what the slowest process had done when the fastest was done").toBeGreaterThan(FAIR_PART);
      return { events: events.length, percent_of_the_slowest: Math.round(part * 100) };
    } finally {
      await Promise.all(children.map((child) => child.kill()));
      folder.remove();
    }
  },
});

/** Stream versions have no gaps, times increase, and each process's events stand in the order in which it made them. */
function expectOrder(events: readonly Event[]): void {
  const versions = new Map<string, number>();
  const made = new Map<number, number>();
  let time = "";
  for (const event of events) {
    const { stream, streamVersion, recordedAt } = event;
    const { process, number } = madeBy(event);
    const place = {
      streamVersion: (versions.get(stream) ?? 0) + 1,
      number: (made.get(process) ?? 0) + 1,
      later: true,
    };
    expect({ streamVersion, number, later: recordedAt > time }, `position ${event.position}`).toEqual(place);
    versions.set(stream, streamVersion);
    made.set(process, number);
    time = recordedAt;
  }
}

function positionsByProcess(events: readonly Event[]): number[][] {
  const positions = numbers(RUN.processes).map((): number[] => []);
  for (const event of events) positions[madeBy(event).process - 1]?.push(event.position);
  return positions;
}

/** The log itself says who was how far: a process's events that stand before the last one of the fastest. */
function partOfTheSlowest(positions: readonly (readonly number[])[]): number {
  const done = Math.min(...positions.map((own) => own.at(-1) ?? 0));
  return Math.min(...positions.map((own) => own.filter((position) => position <= done).length)) / RUN.events;
}
