import type { AuditedLog, RawRow } from "../../events/audit.ts";
import { checkPayload, decodeEvent, storedDefinition } from "../../events/encoding.ts";
import type { EventLog } from "../../events/log.ts";
import { definitionOf } from "../../events/types/index.ts";
import { LogError } from "../../lib/log-error.ts";
import { MerkleTree } from "../../lib/merkle.ts";
import { fromIsoTime } from "../../lib/time.ts";
import { originOf, type TreeHead } from "./checkpoint.ts";
import { compareHeads } from "./compare-heads.ts";
import type { Damage } from "./damage.ts";
import { type Redacted, Redactions } from "./redactions.ts";
import { isAsAppended, isBare, recordOf, type StoredRecord } from "./stored-record.ts";

/** The result of verifying a log. */
export interface Verified {
  /** The number of events in order, up to the first damage. */
  readonly events: number;
  /** The tree head over these events. */
  readonly head: TreeHead;
  /** The redacted ones among them, in log order. */
  readonly redacted: readonly Redacted[];
  /** The first fault; undefined for an intact log. */
  readonly damage: Damage | undefined;
}

/**
 * Verifies a log as it is stored. First each event: gapless positions, columns, leaf hash, stream version,
 * time, payload against its schema, and a redaction for every missing payload. Then the store's
 * pages and indexes, then whether the log continues older heads.
 *
 * @param heads older heads of the same log
 * @throws LogError `disk`, `busy`; `newer_schema`: undamaged, but only a newer program can check
 * the rest
 */
export async function verifyLog(
  log: Pick<EventLog, "audit">,
  heads: readonly TreeHead[] = [],
): Promise<Verified> {
  const reading = new Reading(heads.map(({ size }) => size));
  let newerFormat: LogError | undefined;
  try {
    return await log.audit(async (stored) => {
      newerFormat = stored.newer;
      const damage = (await lookAtAll(stored, reading)) ?? compareHeads(reading, heads);
      if (newerFormat && !(damage && IN_ANY_FORMAT.has(damage.check))) throw newerFormat;
      if (!damage && reading.newer) throw reading.newer;
      return { ...reading.found(), damage };
    }, true);
  } catch (error) {
    // An error of SQLite is damage too: it starts after the last readable row.
    if (!(error instanceof LogError) || error.code !== "damaged") throw error;
    // A newer format may have other tables.
    if (newerFormat) throw newerFormat;
    const damage = {
      check: "file",
      position: reading.events + 1,
      what: `it cannot be read: ${error.message}`,
    } as const;
    return { ...reading.found(), damage };
  }
}

/** Damage in any format, even a newer one: positions, leaf hashes and heads never change. */
const IN_ANY_FORMAT: ReadonlySet<Damage["check"]> = new Set([
  "gap",
  "leaf_hash",
  "origin",
  "tail",
  "tree_head",
]);

async function lookAtAll(stored: AuditedLog, reading: Reading): Promise<Damage | undefined> {
  const lowest = await stored.lowest();
  if (lowest !== undefined && lowest < 1) {
    return { check: "row", position: lowest, what: "there is a row, but the first event has position 1" };
  }
  for await (const page of stored.rows()) {
    for (const row of page) {
      const damage = faultOfRow(row, reading);
      if (damage) return damage;
    }
  }
  if (stored.newer) return undefined;
  const schema = await stored.schemaFault();
  // If the indexes differ from a log's, they prove nothing, and may be missing.
  const beside = await (schema === undefined ? faultBeside(stored, reading) : doubledId(stored));
  // Last: another fault may be why a redaction was not seen.
  return beside ?? reading.redactionFault() ?? schemaDamage(schema, reading.events);
}

function faultOfRow(row: RawRow, reading: Reading): Damage | undefined {
  const position = reading.events + 1;
  if (row.position !== position) {
    const what = `it is missing: the next event has position ${row.position}`;
    return { check: "gap", position, what };
  }
  const record = recordOf(row);
  if (typeof record === "string") return { check: "row", position, what: record };
  const damage = reading.fault(record);
  if (damage) return { position, ...damage };
  reading.add(record);
  return undefined;
}

async function doubledId(stored: AuditedLog): Promise<Damage | undefined> {
  const doubled = await stored.doubledId();
  if (doubled === undefined) return undefined;
  return { check: "id", position: doubled, what: "another event has the same id" };
}

function schemaDamage(schema: string | undefined, events: number): Damage | undefined {
  if (schema === undefined) return undefined;
  const what = `every event is unchanged, but the file's schema is not that of a log, so later events are not protected: ${schema}`;
  return { check: "schema", position: events + 1, what };
}

/** The fault in a log whose readable events are all correct. */
async function faultBeside(stored: AuditedLog, { events, versions }: Reading): Promise<Damage | undefined> {
  const { last, count } = await stored.indexed();
  if (last > events || count > events) {
    const what = `it is missing, with all later events: the index by id has ${count} events, up to position ${last}`;
    return { check: "tail", position: events + 1, what };
  }
  const doubled = await doubledId(stored);
  if (doubled) return doubled;
  const empty = (await stored.streams()).find((name) => !versions.has(String(name)));
  if (empty !== undefined) {
    return { check: "stream", position: events + 1, what: `the stream ${empty} has no event` };
  }
  const fault = await stored.fault();
  const what = `every event is unchanged, but the file is damaged, and later events may be missing: ${fault}`;
  return fault === undefined ? undefined : { check: "file", position: events + 1, what };
}

/** The result so far. */
class Reading {
  readonly #tree = new MerkleTree();
  readonly #redactions = new Redactions();
  readonly #wanted: ReadonlySet<number>;
  #origin = originOf(undefined);
  #lastTime = "";
  /** The roots at the wanted sizes. */
  readonly roots = new Map<number, Buffer>();
  /** The last version of each stream. */
  readonly versions = new Map<string, number>();
  /** Set at the first event that this program does not know. */
  newer: LogError | undefined;

  constructor(sizes: readonly number[]) {
    this.#wanted = new Set(sizes);
    this.#keepRoot();
  }

  get events(): number {
    return this.#tree.size;
  }

  get origin(): string {
    return this.#origin;
  }

  found(): Omit<Verified, "damage"> {
    return {
      events: this.events,
      redacted: this.newer ? [] : this.#redactions.all(),
      head: { origin: this.#origin, size: this.events, root: this.#tree.root() },
    };
  }

  /** The fault of the next event. */
  fault(record: StoredRecord): Pick<Damage, "check" | "what"> | undefined {
    if (!isAsAppended(record)) {
      return {
        check: "leaf_hash",
        what: "it was changed after it was appended: its leaf hash does not match its content",
      };
    }
    const version = (this.versions.get(record.stream) ?? 0) + 1;
    if (record.streamVersion !== version) {
      const what = `it has version ${record.streamVersion} of the stream ${record.stream}, and must have ${version}`;
      return { check: "stream_version", what };
    }
    if (Number.isNaN(fromIsoTime(record.recordedAt)) || record.recordedAt <= this.#lastTime) {
      const what = `its time ${record.recordedAt} is not after that of the previous event, ${this.#lastTime || "none"}`;
      return { check: "time", what };
    }
    const what = this.#payloadFault(record);
    return what === undefined ? undefined : { check: "payload", what };
  }

  /** Skips redactions that only a newer program can read. */
  redactionFault(): Damage | undefined {
    return this.newer ? undefined : this.#redactions.fault();
  }

  add(record: StoredRecord): void {
    if (record.position === 1) this.#origin = originOf(record.id);
    const { buffer, byteOffset, length } = record.leafHash;
    this.#tree.add(Buffer.from(buffer, byteOffset, length));
    this.#redactions.add(record);
    this.versions.set(record.stream, record.streamVersion);
    this.#lastTime = record.recordedAt;
    this.#keepRoot();
  }

  #keepRoot(): void {
    if (this.#wanted.has(this.events)) this.roots.set(this.events, this.#tree.root());
  }

  #payloadFault(record: StoredRecord): string | undefined {
    const definition = definitionOf(record.type);
    try {
      if (isBare(record)) {
        storedDefinition(record);
        return undefined;
      }
      const decoded = decodeEvent(record).payload;
      if (!definition) return undefined;
      const { payload, fault } = checkPayload(definition, decoded, true);
      if (fault !== undefined) return `its payload is not that of a ${record.type}: ${fault}`;
      const stream = definition.stream(payload);
      return stream === record.stream
        ? undefined
        : `it is in the stream ${record.stream}, but belongs to ${stream}`;
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      // The upcaster is wrong, not what the log holds.
      if (error.code === "upcast_failed") return undefined;
      if (error.code !== "newer_schema") return "its payload is not JSON";
      this.newer ??= error;
      return undefined;
    }
  }
}
