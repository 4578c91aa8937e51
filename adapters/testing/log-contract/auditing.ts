import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { copyRecords, type EventLog, openMemoryLog, replayEnvironment, verifyLog } from "../core.ts";
import { comment, everythingIn } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";
import { NOON } from "./opened-log.ts";
import { redactionOf } from "./redaction-of.ts";

/** Five comments, of which the second and the fourth are redacted, and then the second's redaction. */
async function redactSome(log: EventLog): Promise<void> {
  await log.append([1, 2, 3, 4, 5].map((number) => comment(`secret ${number}`)));
  for (const position of [2, 4, 6]) await log.append([await redactionOf(log, position)]);
}

const memoryLog = () => openMemoryLog(replayEnvironment("a log beside", () => NOON));

/** What readers and auditors see of a log. */
async function seenIn(log: EventLog) {
  const events = await everythingIn(log);
  const hashes: (string | undefined)[] = [];
  for (const { position } of events) hashes.push(await log.payloadHash(position));
  const { head, redacted, damage } = await verifyLog(log);
  return { events, hashes, root: head.root.toString("hex"), origin: head.origin, redacted, damage };
}

/** Catches: a copy that lost a redaction or a hash, an audit that is of several moments, or of what readers make of the rows. */
export const auditing: readonly LogCase[] = [
  logCase("a copy of its records in another log reads equal, with each redaction", async ({ log }) => {
    await redactSome(log);
    const copy = memoryLog();
    strictEqual(await copyRecords(log, copy), 8);
    deepStrictEqual(await seenIn(copy), await seenIn(log));
  }),
  logCase("another log's records read equal in it, with each redaction", async ({ log, another }) => {
    const original = memoryLog();
    await redactSome(original);
    await copyRecords(original, log);
    deepStrictEqual(await seenIn(await another()), await seenIn(original));
    // Again: nothing is to be done.
    await copyRecords(original, log);
    strictEqual(await log.head(), 8);
  }),
  logCase(
    "what came after a copy is carried over alone, a redaction of what was copied too",
    async ({ log }) => {
      const original = memoryLog();
      await original.append([comment("secret 1"), comment("secret 2")]);
      const copied = await copyRecords(original, log);
      await original.append([comment("secret 3")]);
      await original.append([await redactionOf(original, 1)]);
      strictEqual(await copyRecords(original, log, copied), 4);
      deepStrictEqual(await seenIn(log), await seenIn(original));
    },
  ),
  logCase("an audit finds no fault, and each redacted event without its text", async ({ log }) => {
    await redactSome(log);
    const { events, damage, redacted, head } = await verifyLog(log);
    deepStrictEqual({ events, damage, size: head.size }, { events: 8, damage: undefined, size: 8 });
    deepStrictEqual(redacted, [
      { position: 2, redaction: 6 },
      { position: 4, redaction: 7 },
      { position: 6, redaction: 8 },
    ]);
    await log.audit(async (stored) => {
      const rows = (await gathered(stored.rows())).flat();
      deepStrictEqual(
        rows.map(({ position, payload }) => [position, payload === null]),
        [1, 2, 3, 4, 5, 6, 7, 8].map((position) => [position, [2, 4, 6].includes(position)]),
      );
      deepStrictEqual(await stored.positionsOf("event.redacted"), [6, 7, 8]);
      strictEqual((await stored.row(3))?.stream, rows[2]?.stream);
      strictEqual(await stored.row(9), undefined);
      const leaves = (await gathered(stored.leaves(2, 5))).flat();
      deepStrictEqual(
        leaves.map(({ position }) => position),
        [3, 4, 5],
      );
      deepStrictEqual(await stored.indexed(), { last: 8, count: 8 });
    });
  }),
  logCase("an audit is of one moment, whatever is appended meanwhile", async ({ log, another }) => {
    await log.append([comment("one"), comment("two")]);
    const other = await another();
    await log.audit(async (stored) => {
      strictEqual(await stored.head(), 2);
      await other.append([comment("three")]);
      strictEqual(await stored.head(), 2);
      strictEqual((await gathered(stored.rows())).flat().length, 2);
    });
    strictEqual(await log.head(), 3);
  }),
  logCase("an audit fails with what its work throws, and an empty log has nothing", async ({ log }) => {
    const failing = log.audit(async () => {
      throw new Error("no more");
    });
    await rejects(failing, /no more/);
    await log.audit(async (stored) => {
      deepStrictEqual(
        [await stored.lowest(), await stored.head(), await stored.row(1), await gathered(stored.rows())],
        [undefined, 0, undefined, []],
      );
    });
  }),
];

async function gathered<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  return all;
}
