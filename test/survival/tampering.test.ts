import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { Random } from "../../bench/lib/random.ts";
import { LogError } from "../../src/events/log-error.ts";
import { checkpointText, readCheckpoint } from "../../src/replay/audit/checkpoint.ts";
import type { Damage } from "../../src/replay/audit/damage.ts";
import { headOf, readTree } from "../../src/replay/audit/tree.ts";
import { verifyLog } from "../../src/replay/audit/verify-log.ts";
import { temporaryFolder } from "../events/given.ts";
import { campaign, type Figures } from "./campaign.ts";
import { fileDamages } from "./damages.ts";
import { clumsy, skilled, tamperWith } from "./log-tampers.ts";
import { makeProject } from "./projects-to-damage.ts";

/*
 * Catches: a change of content that verify does not see, one that it names the wrong position of, a program that stops
 * at a damaged file instead of naming it, a head that vouches for another log.
 */
campaign({
  line: "tampering",
  promise:
    "every change of content is found by verify, with its position: bits, rows edited, deleted, swapped, inserted; against an old head also a cut end, a wholesale rewrite and rows rewritten with their hashes",
  small: 500,
  large: 5_000,
  async open() {
    const folder = temporaryFolder();
    try {
      const { files } = await makeProject(folder.path, "closed", SIZE, 7);
      const path = join(folder.path, "events.db");
      writeFileSync(path, files.get("events.db") ?? "");
      const tree = readTree(path, [FIRST, KEPT]);
      const heads = [FIRST, KEPT].map((size) => readCheckpoint(checkpointText(headOf(tree, size))));
      expect(verifyLog(path, heads).damage).toBeUndefined();
      return { bytes: readFileSync(path), content: contentOf(path), heads };
    } finally {
      folder.remove();
    }
  },
  point(number, given) {
    const random = new Random(number);
    const chosen = cases[number % cases.length];
    if (!chosen) throw new Error("There is no case.");
    const folder = temporaryFolder();
    try {
      const path = join(folder.path, "events.db");
      writeFileSync(path, given.bytes);
      return chosen.check(path, random, given);
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

const SIZE = 150;
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
  check(path: string, random: Random, given: Given): Figures;
}

const cases: readonly Case[] = [
  ...Object.entries(fileDamages).map(([what, damage]) => ({
    what: `${what} of the file`,
    check(path: string, random: Random, { bytes, content }: Given): Figures {
      writeFileSync(path, damage(Buffer.from(bytes), random));
      return checkDamage(path, content);
    },
  })),
  ...Object.entries(clumsy).map(([what, tamper]) => ({
    what,
    check(path: string, random: Random): Figures {
      const position = tamperWith(path, (database) => tamper(database, random));
      expect(verifyLog(path).damage).toMatchObject({ position });
      return { found: 1 };
    },
  })),
  ...Object.entries(skilled).map(([what, tamper]) => ({
    what,
    check(path: string, random: Random, { heads }: Given): Figures {
      const position = tamperWith(path, (database) => tamper(database, random, KEPT));
      expect(verifyLog(path).damage, "what is right in itself is not found without a head").toBeUndefined();
      const { damage } = verifyLog(path, heads);
      expect(damage?.position).toBeLessThanOrEqual(position);
      expect(damage?.to ?? damage?.position).toBeGreaterThanOrEqual(position);
      // What the first head vouches for is not suspected for what the second tells.
      if (position > FIRST) expect(damage?.position).toBeGreaterThan(FIRST);
      return { found_by_head: 1 };
    },
  })),
];

/** A damaged file: where its content is another, verify says so, and from where. */
function checkDamage(path: string, before: readonly object[]): Figures {
  const after = contentOf(path);
  const damage = damageOf(path);
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
function damageOf(path: string): Damage | undefined | "newer" {
  try {
    return verifyLog(path).damage;
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
