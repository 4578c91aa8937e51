import type { AuditedLog } from "../../events/audit.ts";
import type { EventLog } from "../../events/log.ts";
import { LogError } from "../../lib/log-error.ts";
import { type LeafRange, MerkleTree } from "../../lib/merkle.ts";
import { AuditError } from "./audit-error.ts";
import { originOf, type TreeHead } from "./checkpoint.ts";
import type { Known } from "./compare-heads.ts";
import { recordOf } from "./stored-record.ts";

/**
 * The Merkle tree of a log, from the stored leaf hashes; `verifyLog` checks whether those match
 * their events.
 *
 * @param sizes numbers of events whose roots are wanted, besides that of all
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: an event is missing
 */
export function readTree(log: Pick<EventLog, "audit">, sizes: readonly number[] = []): Promise<Known> {
  return log.audit(async (stored) => {
    const head = await stored.head();
    const wanted = new Set([...sizes, head]);
    const tree = new MerkleTree();
    const roots = new Map<number, Buffer>();
    if (wanted.has(0)) roots.set(0, tree.root());
    for await (const leaves of leavesOf(stored, { start: 0, end: head })) {
      for (const leaf of leaves) {
        tree.add(leaf);
        if (wanted.has(tree.size)) roots.set(tree.size, tree.root());
      }
    }
    return { origin: await originIn(stored), events: tree.size, roots };
  });
}

/** Adds what a log has beyond a tree of its beginning. @throws LogError as `readTree` */
export function growTree(tree: MerkleTree, log: Pick<EventLog, "audit">): Promise<void> {
  return log.audit(async (stored) => {
    const range = { start: tree.size, end: await stored.head() };
    for await (const leaves of leavesOf(stored, range)) for (const leaf of leaves) tree.add(leaf);
  });
}

/** The tree's head at `size` events. @throws AuditError `no_such_position`: it has fewer */
export function headOf({ origin, events, roots }: Known, size = events): TreeHead {
  const root = roots.get(size);
  if (root) return { origin, size, root };
  throw noSuchPosition(size, events);
}

export function noSuchPosition(position: number, events: number): AuditError {
  return new AuditError(
    "no_such_position",
    events === 0
      ? `There is no position ${position}: the log has no events yet.`
      : `There is no position ${position}: the log has the positions 1 to ${events}.`,
  );
}

/** The name of the log. */
export async function originIn(stored: AuditedLog): Promise<string> {
  const first = await stored.row(1);
  if (!first) return originOf(undefined);
  const record = recordOf(first);
  if (typeof record === "string") throw damaged(1, record);
  return originOf(record.id);
}

/** The tree root over some leaves. @throws LogError `damaged` */
export async function rootIn(stored: AuditedLog, range: LeafRange): Promise<Buffer> {
  const tree = new MerkleTree();
  for await (const leaves of leavesOf(stored, range)) for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

/** @throws LogError `damaged`: the event is missing, or another one is in its place */
async function* leavesOf(
  stored: AuditedLog,
  { start, end }: LeafRange,
): AsyncGenerator<readonly Buffer[], void> {
  let position = start;
  for await (const page of stored.leaves(start, end)) {
    yield page.map((row) => {
      position += 1;
      if (row.position !== position) throw damaged(position, "it is missing");
      if (!Buffer.isBuffer(row.leaf_hash) || row.leaf_hash.length !== HASH_BYTES)
        throw damaged(position, "its leaf hash is not 32 bytes");
      return row.leaf_hash;
    });
  }
  if (position < end) throw damaged(position + 1, "it is missing");
}

const HASH_BYTES = 32;

function damaged(position: number, what: string): LogError {
  return new LogError("damaged", `position ${position}: ${what}; \`signalbox verify\` checks the whole log`);
}
