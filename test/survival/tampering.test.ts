import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { Random } from "../../bench/lib/random.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { checkpointText, readCheckpoint } from "../../src/history/audit/checkpoint.ts";
import type { Damage } from "../../src/history/audit/damage.ts";
import { headOf } from "../../src/history/audit/tree.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { comment, environmentAt, NOON, temporaryFolder } from "../events/given.ts";
import { tamperWith } from "../events/log-file.ts";
import { readTree, verifyLog } from "../support/audited-files.ts";
import { campaign, type Figures } from "./campaign.ts";
import { fileDamages } from "./damages.ts";
import { clumsy, type SkilledTamper, skilled, type Tamper } from "./log-tampers.ts";
import { makeProject } from "./projects-to-damage.ts";
import { putWords, redactionTampers } from "./redaction-tampers.ts";

/*
 * Catches: a change of content that verify does not see, one that it names the wrong position of, a program that stops
 * at a damaged file instead of naming it, a head that vouches for another log.
 */
campaign({
  line: "tampering",
  promise:
    "every change of content is found by verify, with its position: bits, rows edited, deleted, swapped, inserted; against an old head also a cut end, a wholesale rewrite and rows rewritten with their hashes",
  small: 122,
  large: 5_000,
  async open() {
    const folder = temporaryFolder();
    try {
      const { files, events } = await makeProject(folder.path, "closed", SIZE, 7);
      const plain = join(folder.path, "events.db");
      writeFileSync(plain, files.get("events.db") ?? "");
      const redacted = join(folder.path, "redacted.db");
      await makeRedactedLog(redacted, events);
      return { plain: await givenOf(plain), redacted: await givenOf(redacted) };
    } finally {
      folder.remove();
    }
  },
  async point(number, { plain, redacted }) {
    const random = new Random(number);
    const chosen = cases[number % cases.length];
    if (!chosen) throw new Error("There is no case.");
    const turn = Math.floor(number / cases.length) % 2 === 0 ? plain : redacted;
    const given = { plain, redacted, either: turn }[chosen.log];
    const folder = temporaryFolder();
    try {
      const path = join(folder.path, "events.db");
      writeFileSync(path, given.bytes);
      return await chosen.check(path, random, given);
    } catch (cause) {
      throw new Error(`${chosen.what}: ${cause instanceof Error ? cause.stack : cause}`, { cause });
    } finally {
      folder.remove();
    }
  },
  conclude(figures) {
    expect(figures.found).toBeGreaterThan(0);
    expect(figures.found_by_head).toBeGreaterThan(0);
  },
});

/** The events of a project, with redactions among them, and one of a redaction. */
async function makeRedactedLog(path: string, events: readonly Event[]): Promise<void> {
  createLogFile(path);
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "redacted"));
  for (let start = 0; start < events.length; start += REDACTED_EVERY) {
    await log.append(events.slice(start, start + REDACTED_EVERY).map(({ position: _, ...event }) => event));
    await log.append([comment("a word too much")]);
    const head = await log.head();
    const redaction = start === REDACTED_EVERY ? [REDACTED_EVERY + 2] : [];
    for (const position of [head, head - 3, ...redaction])
      await log.append([await redactionOf(log, position)]);
    await log.append([comment("and what came then")]);
  }
  await log.close();
}

async function givenOf(path: string): Promise<Given> {
  const tree = await readTree(path, [FIRST, KEPT]);
  const heads = [FIRST, KEPT].map((size) => readCheckpoint(checkpointText(headOf(tree, size))));
  expect((await verifyLog(path, heads)).damage).toBeUndefined();
  return { bytes: readFileSync(path), content: contentOf(path), heads };
}

const SIZE = 150;
const REDACTED_EVERY = 25;
/** The sizes of the heads that were kept. */
const FIRST = 60;
const KEPT = 110;

interface Given {
  readonly bytes: Buffer;
  readonly content: readonly object[];
  readonly heads: Parameters<typeof verifyLog>[1];
}

interface Case {
  readonly what: string;
  /** The log that it is about: one without redactions, one with some, or both in turn. */
  readonly log: "plain" | "redacted" | "either";
  check(path: string, random: Random, given: Given): Promise<Figures>;
}

const cases: readonly Case[] = [
  ...Object.entries(fileDamages).map(([what, damage]) => ({
    what: `${what} of the file`,
    log: "either" as const,
    async check(path: string, random: Random, { bytes, content }: Given): Promise<Figures> {
      writeFileSync(path, damage(Buffer.from(bytes), random));
      return checkDamage(path, content);
    },
  })),
  ...Object.entries(clumsy).map(([what, tamper]) => foundAtOnce("either", what, tamper)),
  ...Object.entries(redactionTampers).map(([what, tamper]) => foundAtOnce("redacted", what, tamper)),
  ...Object.entries(skilled).map(([what, tamper]) => foundByHead("plain", what, tamper)),
  foundByHead("redacted", "words put into what a redaction kept, with its hash", putWords),
];

function foundAtOnce(log: Case["log"], what: string, tamper: Tamper): Case {
  return {
    what,
    log,
    async check(path, random) {
      const position = tamperWith(path, (database) => tamper(database, random));
      expect((await verifyLog(path)).damage).toMatchObject({ position });
      return { found: 1 };
    },
  };
}

function foundByHead(log: Case["log"], what: string, tamper: SkilledTamper): Case {
  return {
    what,
    log,
    async check(path, random, { heads }) {
      const position = tamperWith(path, (database) => tamper(database, random, KEPT));
      expect(
        (await verifyLog(path)).damage,
        "what is right in itself is not found without a head",
      ).toBeUndefined();
      const { damage } = await verifyLog(path, heads);
      expect(damage?.position).toBeLessThanOrEqual(position);
      expect(damage?.to ?? damage?.position).toBeGreaterThanOrEqual(position);
      // What the first head vouches for is not suspected for what the second tells.
      if (position > FIRST) expect(damage?.position).toBeGreaterThan(FIRST);
      return { found_by_head: 1 };
    },
  };
}

/** A damaged file: where its content is another, verify says so, and from where. */
async function checkDamage(path: string, before: readonly object[]): Promise<Figures> {
  const after = contentOf(path);
  const damage = await damageOf(path);
  if (damage === "newer") {
    expect(after, "the number of the format is all that is another").toEqual(before);
    return { taken_for_newer: 1 };
  }
  const different = before.findIndex((row, index) => !isDeepStrictEqual(row, after[index]));
  if (different < 0 && after.length === before.length) return damage ? { found_beside: 1 } : { unchanged: 1 };
  expect(damage, "the content is another").toBeDefined();
  expect(damage?.position, damage?.what).toBe((different < 0 ? before.length : different) + 1);
  return { found: 1 };
}

/** A flipped bit in the number of the file's format makes it one that this program does not know, which it says. */
async function damageOf(path: string): Promise<Damage | undefined | "newer"> {
  try {
    return (await verifyLog(path)).damage;
  } catch (error) {
    if (error instanceof LogError && error.code === "newer_schema") return "newer";
    throw error;
  }
}

/** All rows as plain SQL reads them, up to the first that it cannot. */
function contentOf(path: string): object[] {
  const rows: object[] = [];
  try {
    const database = new Database(path, { readonly: true });
    try {
      const names = new Map(
        database
          .prepare<[], { key: number; name: string }>("SELECT key, name FROM streams NOT INDEXED")
          .all()
          .map(({ key, name }) => [key, name]),
      );
      const all = database.prepare<[], { stream: number }>(
        "SELECT * FROM events NOT INDEXED ORDER BY position",
      );
      for (const row of all.iterate()) rows.push({ ...row, stream: names.get(row.stream) });
    } finally {
      database.close();
    }
  } catch {
    // What cannot be read is not there.
  }
  return rows;
}
