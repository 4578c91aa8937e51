import { hash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { projections } from "../../src/projections/all.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { environmentAt, everythingIn, NOON, temporaryFolder } from "../events/given.ts";
import { recomputedLeafHash, storedRows } from "../events/stored-rows.ts";

/** What is known of a golden log, beside it in fixtures/logs; all hashes are SHA-256 in hex. */
const known = z.strictObject({
  /** Of the file, which is never written to. */
  file: z.string(),
  events: z.strictObject({
    count: z.int(),
    /** Of the events as they are read, in JSON: payloads are brought up to the present schema versions. */
    hash: z.string(),
  }),
  /** Of each projection: the version of its reducers that gave the content, and the content's hash. */
  projections: z.record(z.string(), z.strictObject({ version: z.int(), hash: z.string() })),
});
type Known = z.infer<typeof known>;

/** The log itself could not be read, or is read as something else: no word about the reduction. */
export class LogNotRead extends Error {
  override readonly name = "LogNotRead";
}

/** The log was read as ever; what is made of its events is another thing. */
export class ReductionChanged extends Error {
  override readonly name = "ReductionChanged";
}

/** @throws LogNotRead, ReductionChanged */
export async function checkGoldenLog(path: string): Promise<void> {
  const kept = known.parse(JSON.parse(readFileSync(path.replace(/\.db$/, ".json"), "utf8")));
  checkReduction(await readGoldenLog(path, kept), kept);
}

/**
 * The events of a golden log, read from a copy of it.
 *
 * @throws LogNotRead
 */
async function readGoldenLog(path: string, { file, events: kept }: Known): Promise<readonly Event[]> {
  const notRead = (why: string, cause?: unknown) =>
    new LogNotRead(`${path} could not be read: ${why}`, { cause });
  const present = hash("sha256", readFileSync(path));
  if (present !== file)
    throw notRead(`the file was changed, its hash is ${present} now; bring it back from git`);
  const folder = temporaryFolder();
  const copy = join(folder.path, "events.db");
  copyFileSync(path, copy);
  try {
    const events = await readAll(copy);
    const leaves = recomputedLeaves(copy);
    const wrong = leaves.findIndex((leaf, index) => leaf !== events[index]?.leafHash);
    if (wrong >= 0) throw notRead(`the leaf hash at position ${wrong + 1} does not hold`);
    if (events.length !== kept.count) throw notRead(`it has ${events.length} events, not ${kept.count}`);
    const read = hash("sha256", JSON.stringify(events));
    if (read !== kept.hash)
      throw notRead(`its events are read as others (${read}); was an upcaster changed?`);
    return events;
  } catch (cause) {
    throw cause instanceof LogNotRead
      ? cause
      : notRead(cause instanceof Error ? cause.message : "unknown", cause);
  } finally {
    folder.remove();
  }
}

/** @throws ReductionChanged names the projections whose content is another one */
function checkReduction(events: readonly Event[], { projections: kept }: Known): void {
  const present = contentsOf(events);
  const names = [...new Set([...Object.keys(kept), ...Object.keys(present)])];
  const changed = names.filter((name) => kept[name]?.hash !== present[name]?.hash);
  if (changed.length === 0) return;
  const changes = changed.map((name) => {
    const [before, now] = [kept[name], present[name]].map(
      (one) => one && `version ${one.version}, ${one.hash}`,
    );
    return `${name}: ${before ?? "not there"} → ${now ?? "not there"}`;
  });
  throw new ReductionChanged(
    `The log was read as ever, but the reduction changed of ${changes.join("; ")}. ` +
      "If that is meant, raise the projection's version and write the new hash into the log's .json.",
  );
}

/** Each projection reduced by itself, so that a change is told of the one that changed. */
function contentsOf(events: readonly Event[]): Known["projections"] {
  return Object.fromEntries(
    projections.map((projection) => {
      const readModel = new ReadModel(":memory:", [projection]);
      try {
        readModel.advance(events, events.length);
        const [checkpoint] = readModel.checkpoints.list();
        if (checkpoint?.state !== "live")
          throw new ReductionChanged(`${projection.name} stopped at ${checkpoint?.error}`);
        return [projection.name, { version: projection.version, hash: readModel.contentHash() }];
      } finally {
        readModel.close();
      }
    }),
  );
}

async function readAll(path: string): Promise<readonly Event[]> {
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "golden"));
  try {
    return await everythingIn(log);
  } finally {
    await log.close();
  }
}

function recomputedLeaves(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    return storedRows(database).map(recomputedLeafHash);
  } finally {
    database.close();
  }
}
