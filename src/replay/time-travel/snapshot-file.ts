import { createHash, hash } from "node:crypto";
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { z } from "zod";
import { projections } from "../../projections/all.ts";
import type { Checkpoint } from "../../projections/checkpoints.ts";
import { ReadModel } from "../../projections/read-model.ts";
import { READ_MODEL_FORMAT, schemaOf } from "../../projections/schema.ts";

/*
 * A snapshot is one file: the SHA-256 of all that follows, in hex; what it is of, as a line of JSON; the bytes of the read
 * model's database. So it is whole or seen not to be, whatever byte of it was lost.
 */

/** What a snapshot is of. */
const facts = z.strictObject({
  position: z.int().min(1),
  /** Of the event there: tells the snapshot of another log. */
  leaf_hash: z.string(),
  /** How many redactions the log had before it was read for this: of later ones the texts may be in it. */
  redactions: z.int().min(0),
  /** Which reducers and tables made it. */
  made_by: z.string(),
});
type Facts = z.infer<typeof facts>;

/** Why a snapshot cannot be used. */
class UnfitSnapshot extends Error {
  override readonly name = "UnfitSnapshot";
}

/**
 * The file's content for a read model, or undefined where a projection is stopped: that is no state to go on from.
 *
 * @param redactions how many the log had before it was read for this
 */
export function encodeSnapshot(readModel: ReadModel, redactions: number): readonly Uint8Array[] | undefined {
  const checkpoints = readModel.checkpoints.list();
  const [first] = checkpoints;
  if (!first || first.position === 0 || !checkpoints.every((one) => isAt(one, first))) return undefined;
  const about: Facts = {
    position: first.position,
    leaf_hash: first.leaf_hash,
    redactions,
    made_by: madeBy(),
  };
  const parts = [Buffer.from(`${JSON.stringify(about)}\n`), readModel.database.serialize()];
  return [Buffer.from(`${sha256(parts)}\n`), ...parts];
}

function isAt({ state, position }: Checkpoint, first: Checkpoint): boolean {
  return state === "live" && position === first.position;
}

/**
 * Reads a snapshot into memory.
 *
 * @param leafHashAt that of the log at a position, or undefined where it has no event there
 * @param redactions how many the log has
 * @throws UnfitSnapshot: it is damaged, of another log, made by other reducers, or before a redaction; Error of the system
 */
export async function readSnapshot(
  path: string,
  leafHashAt: (position: number) => Promise<string | undefined>,
  redactions: number,
): Promise<ReadModel> {
  const content = readFileSync(path);
  const body = content.subarray(HASH_LINE);
  if (content.subarray(0, HASH_LINE).toString("latin1") !== `${sha256([body])}\n`) {
    throw new UnfitSnapshot("its bytes are not those that were written");
  }
  const end = body.indexOf("\n");
  const about = facts.parse(JSON.parse(body.subarray(0, end).toString()));
  if (about.made_by !== madeBy()) throw new UnfitSnapshot("another version of signalbox made it");
  if (about.redactions < redactions) throw new UnfitSnapshot("an event was redacted since");
  if ((await leafHashAt(about.position)) !== about.leaf_hash) throw new UnfitSnapshot("it is of another log");
  return new ReadModel(":memory:", projections, () => new Database(body.subarray(end + 1)));
}

const HASH_LINE = 65;

function sha256(parts: readonly Uint8Array[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex");
}

/** The same reducers make the same rows: their versions, and the declarations of their tables. */
export function madeBy(): string {
  const versions = projections.map((one) => [one.name, one.version, schemaOf(one)]);
  return hash("sha256", JSON.stringify([READ_MODEL_FORMAT, versions])).slice(0, 16);
}
