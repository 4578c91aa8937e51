import { decodeEvent, storedDefinition } from "../../events/encoding.ts";
import { LogError } from "../../events/log-error.ts";
import { type AuditedFile, auditFile } from "../../events/sqlite-audit.ts";
import { fromIsoTime } from "../../events/time.ts";
import { definitionOf } from "../../events/types/index.ts";
import { type Checkpoint, originOf, type TreeHead } from "./checkpoint.ts";
import { compareHeads } from "./compare-heads.ts";
import type { Damage } from "./damage.ts";
import { MerkleTree } from "./merkle.ts";
import { Redactions } from "./redactions.ts";
import { isAsAppended, isBare, recordOf, type StoredRecord } from "./stored-record.ts";

/** What came of verifying a log. */
export interface Verified {
  /** How many events were found in order, up to the first damage. */
  readonly events: number;
  /** The tree head of these events. */
  readonly head: TreeHead;
  /** The first that is wrong; undefined for a log without damage. */
  readonly damage: Damage | undefined;
}

/**
 * Looks at each event of a log as it lies in its file: gapless positions, columns, leaf hash, stream version, time,
 * payload against its schema; that every payload that is gone was redacted; then at the file's pages and indexes, then whether the log continues older heads.
 *
 * @param path the log's file, `.ralph/db/events.db`
 * @param heads of the same log, from whenever
 * @throws LogError `disk`, `busy`; `newer_schema`: there is no damage, but what a newer program wrote cannot be checked
 */
export function verifyLog(path: string, heads: readonly Checkpoint[] = []): Verified {
  const reading = new Reading(heads.map(({ size }) => size));
  try {
    return auditFile(path, (file) => {
      const damage = lookAtAll(file, reading) ?? compareHeads(reading, heads);
      if (!damage && reading.newer) throw reading.newer;
      return { ...reading.found(), damage };
    });
  } catch (error) {
    // What SQLite cannot read is damage like any other: it begins behind what could be read.
    if (!(error instanceof LogError) || error.code !== "damaged") throw error;
    const damage = {
      check: "file",
      position: reading.events + 1,
      what: `it cannot be read: ${error.message}`,
    } as const;
    return { ...reading.found(), damage };
  }
}

function lookAtAll(file: AuditedFile, reading: Reading): Damage | undefined {
  const streams = file.streams();
  for (const row of file.rows()) {
    const position = reading.events + 1;
    if (row.position !== position) {
      const what = `it is missing: the next event that is there has position ${row.position}`;
      return { check: "gap", position, what };
    }
    const record = recordOf(row, streams.get(row.stream));
    const damage =
      typeof record === "string" ? ({ check: "row", what: record } as const) : reading.fault(record);
    if (damage) return { position, ...damage };
    if (typeof record !== "string") reading.add(record);
  }
  // Last: whatever else is wrong may be why a redaction is not seen.
  return faultBeside(file, streams, reading) ?? reading.redactionFault();
}

/** What is wrong in the file although each event that was read is right. */
function faultBeside(
  file: AuditedFile,
  streams: Map<unknown, unknown>,
  { events, versions }: Reading,
): Damage | undefined {
  const { last, count } = file.indexed();
  if (last > events || count > events) {
    const what = `it is missing, with all behind it: the index by id knows ${count} events, up to position ${last}`;
    return { check: "tail", position: events + 1, what };
  }
  const doubled = file.doubledId();
  if (doubled !== undefined) {
    return { check: "id", position: doubled, what: "another event has the same id" };
  }
  const empty = [...streams.values()].find((name) => !versions.has(String(name)));
  if (empty !== undefined) {
    return { check: "stream", position: events + 1, what: `the stream ${empty} has no event` };
  }
  const fault = file.fault();
  const what = `every event is as it was appended, but the file is not whole, and something may be missing from here on: ${fault}`;
  return fault === undefined ? undefined : { check: "file", position: events + 1, what };
}

/** What was read so far. */
class Reading {
  readonly #tree = new MerkleTree();
  readonly #redactions = new Redactions();
  readonly #wanted: ReadonlySet<number>;
  #origin = originOf(undefined);
  #lastTime = "";
  /** The roots of the wanted sizes. */
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

  found(): Pick<Verified, "events" | "head"> {
    return {
      events: this.events,
      head: { origin: this.#origin, size: this.events, root: this.#tree.root() },
    };
  }

  /** What is wrong with the next event. */
  fault(record: StoredRecord): Pick<Damage, "check" | "what"> | undefined {
    if (!isAsAppended(record)) {
      return {
        check: "leaf_hash",
        what: "it is not as it was appended: its leaf hash is that of another content",
      };
    }
    const version = (this.versions.get(record.stream) ?? 0) + 1;
    if (record.streamVersion !== version) {
      const what = `it has version ${record.streamVersion} of the stream ${record.stream}, and must have ${version}`;
      return { check: "stream_version", what };
    }
    if (Number.isNaN(fromIsoTime(record.recordedAt)) || record.recordedAt <= this.#lastTime) {
      const what = `its time ${record.recordedAt} is no time after that of the event before, ${this.#lastTime || "none"}`;
      return { check: "time", what };
    }
    const what = this.#payloadFault(record);
    return what === undefined ? undefined : { check: "payload", what };
  }

  /** Of redactions that only a newer program can read nothing is said. */
  redactionFault(): Damage | undefined {
    return this.newer ? undefined : this.#redactions.fault();
  }

  add(record: StoredRecord): void {
    if (record.position === 1) this.#origin = originOf(record.id);
    this.#tree.add(record.leafHash);
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
      const parsed = definition?.payload.safeParse(decodeEvent(record).payload);
      if (definition && parsed && !parsed.success) {
        const [issue] = parsed.error.issues;
        return `its payload is not that of a ${record.type}: ${issue?.path.join(".") || "payload"}: ${issue?.message}`;
      }
      if (definition && parsed?.success && definition.stream(parsed.data) !== record.stream) {
        return `it is in the stream ${record.stream}, and belongs to ${definition.stream(parsed.data)}`;
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      if (error.code !== "newer_schema") return "its payload is not JSON";
      this.newer ??= error;
      return undefined;
    }
  }
}
