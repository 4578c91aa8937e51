import fc from "fast-check";
import { expect, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { leafHash } from "../../src/events/leaf-hash.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { readRecord, recordLine } from "../../src/outside/exchange/log-line.ts";
import { comment, everythingIn } from "../events/given.ts";
import { runs } from "../properties/runs.ts";
import { verifyLog } from "../support/audited-files.ts";
import { coded } from "../support/refusal.ts";
import { environment, exported, givenLog, restored } from "./given.ts";

const SECRET = "sk-live-7f3a9c0d";

/*
 * Catches: an export that brings removed words out, or loses that they were removed; an import that takes an event without
 * payload on trust, or brings back what was redacted here.
 */
async function givenComments(count: number): Promise<string> {
  const path = await givenLog();
  await restored('{"signalbox_log":1,"head":0}\n', path);
  const bodies = Array.from({ length: count }, (_, index) => comment(`${index + 1}: ${SECRET}`));
  await withLog(path, (log) => log.append(bodies));
  return path;
}

async function withLog<T>(
  path: string,
  work: (log: ReturnType<typeof openSqliteLog>) => Promise<T>,
): Promise<T> {
  const log = openSqliteLog(path, environment);
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

const redact = (path: string, ...positions: readonly number[]) =>
  withLog(path, async (log) => {
    for (const position of positions) await log.append([await redactionOf(log, position)]);
  });

const eventsIn = (path: string) => withLog(path, everythingIn);

test("an exported log with any redactions is restored byte for byte, without the removed texts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (count, picks, again) => {
        const path = await givenComments(count);
        await redact(path, ...new Set(picks.map((pick) => (pick % count) + 1)));
        if (again) await redact(path, count + 1);
        const text = await exported(path);
        const here = await givenLog();
        await restored(text, here);
        expect(await exported(here)).toBe(text);
        expect(await eventsIn(here)).toEqual(await eventsIn(path));
        expect((await verifyLog(here)).damage).toBeUndefined();
        expect(await restored(text, here)).toMatchObject({ restored: 0 });
      },
    ),
    runs(8),
  );
});

test("a line of a redacted event has the hash in the place of payload and salt, and names the redaction", async () => {
  const path = await givenComments(2);
  await redact(path, 1);
  const [, first = ""] = (await exported(path)).split("\n");
  expect(JSON.parse(first)).toMatchObject({ position: 1, redacted: 3, payloadHash: expect.any(String) });
  expect(first).not.toMatch(/sk-live|"payload"|"salt"/);
});

test("an event and its redaction may be further apart than a batch", async () => {
  const path = await givenComments(2_500);
  await redact(path, 1, 2_400);
  const here = await givenLog();
  await restored(await exported(path), here);
  expect(await exported(here)).toBe(await exported(path));
});

test("a project from before the redaction gets it by the import, and loses the words", async () => {
  const path = await givenComments(3);
  const before = await givenLog();
  await restored(await exported(path), before);
  await redact(path, 2);
  const after = await exported(path);
  expect(await restored(after, before)).toMatchObject({ before: 3, restored: 1 });
  expect(await exported(before)).toBe(after);
});

test("an export from before the redaction does not bring the text back", async () => {
  const path = await givenComments(3);
  const older = await exported(path);
  await redact(path, 2);
  const now = await exported(path);
  expect(await restored(older, path)).toMatchObject({ restored: 0 });
  expect(await exported(path)).toBe(now);
});

const lineChanged = (number: number, change: (fields: Record<string, unknown>) => object) => (text: string) =>
  text
    .split("\n")
    .map((line, index) => (index === number ? JSON.stringify(change(JSON.parse(line))) : line))
    .join("\n");

test.each<[string, (text: string, whole: string) => string, string, string]>([
  [
    "an event without payload and no redaction",
    (text) => text.replace('"head":4', '"head":3').split("\n").slice(0, 4).join("\n"),
    "damaged",
    "Position 2",
  ],
  [
    "a redaction whose event has its payload",
    (text, whole) =>
      text
        .split("\n")
        .with(2, whole.split("\n")[2] ?? "")
        .join("\n"),
    "damaged",
    "Position 2",
  ],
  [
    "another hash",
    lineChanged(2, (line) => ({ ...line, payloadHash: "00".repeat(32) })),
    "damaged",
    "Position 2",
  ],
  ["another redaction", lineChanged(2, (line) => ({ ...line, redacted: 3 })), "damaged", "Position 2"],
  ["a payload beside it", lineChanged(2, (line) => ({ ...line, payload: {} })), "malformed", "Line 3"],
])("a file with %s is refused", async (_what, change, code, place) => {
  const path = await givenComments(3);
  const whole = await exported(path);
  await redact(path, 2);
  await expect(restored(change(await exported(path), whole), await givenLog())).rejects.toMatchObject({
    code,
    message: expect.stringContaining(place),
  });
});

/** An export whose redaction kept something else than the one that was appended; its hashes are those of what it says now. */
function keptOtherwise(text: string, number: number, change: object): string {
  const lines = text.split("\n");
  const record = readRecord({ number, text: lines[number] ?? "" });
  const payload = JSON.parse(record.payload);
  const changed = {
    ...record,
    payload: JSON.stringify({ ...payload, kept: { ...payload.kept, ...change } }),
  };
  return lines.with(number, recordLine({ ...changed, leafHash: leafHash(changed) })).join("\n");
}

test.each<[string, object]>([
  ["words in a field that its type does not have", { more: "words" }],
  ["words in the place of a number", { task: "words" }],
  ["words in the place of a name that has none", { author: "words\nand more" }],
  ["the number of another stream", { task: 8 }],
  ["no text and no mark", { body: undefined }],
])("a redaction that kept %s is refused, although its hashes fit", async (_what, change) => {
  const path = await givenComments(3);
  await redact(path, 2);
  const here = await givenLog();
  const text = keptOtherwise(await exported(path), 4, change);
  await expect(restored(text, here)).rejects.toMatchObject(coded("damaged", /^Position [24]: /));
});

test("a redaction that changes other words of an intact event is refused", async () => {
  const path = await givenComments(3);
  const before = await givenLog();
  await restored(await exported(path), before);
  await redact(path, 2);
  const text = keptOtherwise(await exported(path), 4, { body: "I said that all is fine" });
  await expect(restored(text, before)).rejects.toMatchObject(coded("damaged", "its `kept` does not match"));
  expect((await eventsIn(before)).map(({ payload }) => payload)).toEqual(
    [1, 2, 3].map((number) => comment(`${number}: ${SECRET}`).payload),
  );
});
