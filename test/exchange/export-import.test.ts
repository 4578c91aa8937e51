import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { comment, everythingIn } from "../events/given.ts";
import { histories } from "../properties/commands.ts";
import { hashOf } from "../properties/reducing.ts";
import { eventsOf, runs } from "../properties/runs.ts";
import { coded } from "../support/refusal.ts";
import { environment, exported, givenLog, restored } from "./given.ts";

/*
 * Catches: a field that is not kept, or in another form; what is taken without being checked; a project that is left half
 * imported, or mixed of two histories.
 */
async function eventsIn(path: string) {
  const log = openSqliteLog(path, environment);
  const events = await everythingIn(log);
  await log.close();
  return events;
}

const threeComments = async () => {
  const path = await givenLog();
  await restored('{"signalbox_log":1,"head":0}\n', path);
  const log = openSqliteLog(path, environment);
  await log.append([comment("one"), comment("two"), comment("three")]);
  await log.close();
  return path;
};

test("an exported log comes back equal to the byte, and reduces to the same read model", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (history, cut) => {
      const events = await eventsOf(history);
      const text = await exported(await givenLog(events));
      const here = await givenLog();
      expect(await restored(text, here)).toMatchObject({ head: events.length, restored: events.length });
      expect(await exported(here)).toBe(text);
      expect(hashOf(await eventsIn(here))).toBe(hashOf(events));

      const part = await givenLog(events.slice(0, 5 + (cut % events.length)));
      await restored(text, part);
      expect(await exported(part)).toBe(text);
      expect(await restored(text, part)).toMatchObject({ restored: 0 });
    }),
    runs(8),
  );
});

test("a log with later events takes nothing from an older export, and loses nothing", async () => {
  const path = await threeComments();
  const older = await exported(path);
  const log = openSqliteLog(path, environment);
  await log.append([comment("four")]);
  await log.close();
  expect(await restored(older, path)).toMatchObject({ head: 3, before: 3, restored: 0 });
  expect(await eventsIn(path)).toHaveLength(4);
});

test("a dry run gives the same answer and records nothing", async () => {
  const text = await exported(await threeComments());
  const path = await givenLog();
  expect(await restored(text, path, true)).toMatchObject({ restored: 3 });
  expect(existsSync(path)).toBe(false);
});

const changeLine = (number: number, change: (line: string) => string) => (text: string) =>
  text
    .split("\n")
    .map((line, index) => (index + 1 === number ? change(line) : line))
    .join("\n");

test.each<[string, (text: string) => string, string, string]>([
  ["a changed word", (text) => text.replace("two", "2"), "damaged", "Line 3"],
  [
    "a changed actor",
    changeLine(3, (line) => line.replace('"actor":"human"', '"actor":"agent"')),
    "damaged",
    "Position 2",
  ],
  [
    "a line that is missing",
    (text) => text.split("\n").toSpliced(2, 1).join("\n"),
    "damaged",
    "position 2 must come first",
  ],
  [
    "two lines swapped",
    (text) => {
      const [head, one, two, ...rest] = text.split("\n");
      return [head, two, one, ...rest].join("\n");
    },
    "damaged",
    "Position 1 is missing",
  ],
  ["its end cut off", (text) => text.split("\n").slice(0, 3).join("\n"), "damaged", "ends at position 2"],
  ["half a line", (text) => text.slice(0, -40), "malformed", "Line 4"],
  ["a field too many", changeLine(2, (line) => line.replace("{", '{"more":1,')), "malformed", "Line 2"],
  ["no header", (text) => text.split("\n").slice(1).join("\n"), "malformed", "first line"],
  ["a newer form", (text) => text.replace('"signalbox_log":1', '"signalbox_log":2'), "malformed", "Update"],
  ["nothing at all", () => "", "malformed", "first line"],
])(
  "a file with %s is refused with the place, whole, and so it is by a dry run",
  async (_what, change, code, place) => {
    const text = change(await exported(await threeComments()));
    const path = await givenLog();
    for (const dryRun of [true, false]) {
      await expect(restored(text, path, dryRun)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(place),
      });
      expect(existsSync(path)).toBe(false);
    }
  },
);

test("a project with another history stays unchanged, and the first position that differs is named", async () => {
  const [one, other] = [await threeComments(), await givenLog()];
  await restored(await exported(one), other);
  const log = openSqliteLog(one, environment);
  await log.append([comment("here")]);
  await log.close();
  const elsewhere = openSqliteLog(other, environment);
  await elsewhere.append([comment("there"), comment("there too")]);
  await elsewhere.close();
  const before = await exported(one);
  for (const dryRun of [true, false]) {
    await expect(restored(await exported(other), one, dryRun)).rejects.toMatchObject(
      coded("differs", "Position 4"),
    );
  }
  expect(await exported(one)).toBe(before);
});
