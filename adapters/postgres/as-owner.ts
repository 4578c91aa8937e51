import type { Connection } from "./connection.ts";
import {
  type Appended,
  type AppendRequest,
  decodeEvent,
  type Environment,
  type EventRecord,
  exactFromIsoTime,
  type LogState,
  planAppend,
  planRestore,
  REDACTION_TYPE,
  redactionIn,
  tagsOf,
} from "./core.ts";
import { COLUMNS, toRecords } from "./rows.ts";

/** True for an append that only the log's owner may do, since it removes texts. */
export function isForOwner({ events }: AppendRequest): boolean {
  return events.some(({ encoded }) => encoded.type === REDACTION_TYPE);
}

/**
 * Appends events with redactions among them: planned here, as in every other log, while the log is locked.
 *
 * @param ownClock takes the time of the environment, not of the server
 */
export function appendAsOwner(
  connection: Connection,
  request: AppendRequest,
  environment: Environment,
  ownClock: boolean,
): Promise<{ readonly insert: readonly EventRecord[]; readonly appended: Appended }> {
  const { events, condition } = request;
  return writing(connection, async (head) => {
    // An answer that was lost is told by the id, so none counts as new.
    const known = { ...request, events: events.map((event) => ({ ...event, isNewId: false })) };
    const after = condition.unless?.after ?? head.position;
    const state = await stateOf(connection, {
      ids: events.map(({ id }) => id),
      positions: [
        ...events.flatMap(({ encoded }) => redactedBy(encoded) ?? []),
        ...Array.from({ length: Math.max(0, head.position - after) }, (_, index) => after + index + 1),
        head.position,
      ],
      streams: [
        ...events.map(({ encoded }) => encoded.stream),
        ...(condition.expectedStreamVersion ? [condition.expectedStreamVersion.stream] : []),
      ],
      head: head.position,
    });
    const now = ownClock ? environment.now : () => head.now;
    const planned = planAppend(known, state, { ...environment, now });
    return { ...planned, result: planned };
  });
}

/** @returns how many were inserted */
export function restoreAsOwner(connection: Connection, records: readonly EventRecord[]): Promise<number> {
  return writing(connection, async (head) => {
    const state = await stateOf(connection, {
      ids: records.map(({ id }) => id),
      positions: [...records.flatMap((record) => redactedBy(record) ?? []), head.position],
      streams: records.map(({ stream }) => stream),
      head: head.position,
    });
    const insert = planRestore(records, state);
    return { insert, result: insert.length };
  });
}

interface Head {
  readonly position: number;
  /** The server's clock in microseconds. */
  readonly now: number;
}

/** Plans and writes in one transaction that holds the log's lock from its beginning. */
async function writing<T>(
  connection: Connection,
  plan: (head: Head) => Promise<{ readonly insert: readonly EventRecord[]; readonly result: T }>,
): Promise<T> {
  const { schema } = connection;
  await connection.query("BEGIN");
  try {
    await connection.query(`SELECT ${schema}.lock_log()`);
    const { rows } = await connection.query(
      `SELECT (SELECT coalesce(max(position), 0) FROM ${schema}.events), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`,
    );
    const { insert, result } = await plan({ position: Number(rows[0]?.[0]), now: Number(rows[0]?.[1]) });
    if (insert.length > 0)
      await connection.query(`SELECT ${schema}.write($1)`, [JSON.stringify(insert.map(toWritten))]);
    // What was found is acknowledged, too, so it must be durable.
    await connection.query(`SELECT ${schema}.confirm()`);
    await connection.durably("COMMIT");
    return result;
  } catch (error) {
    await connection.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** A record as the function `write` takes it. */
function toWritten(record: EventRecord): Record<string, unknown> {
  const redaction = redactionIn(record)?.payload;
  const { type, stream, payload } = decodeEvent(record);
  return {
    position: record.position,
    id: record.id,
    stream: record.stream,
    stream_version: record.streamVersion,
    type: record.type,
    schema_version: record.schemaVersion,
    payload: record.payload,
    salt: Buffer.from(record.salt).toString("hex"),
    recorded_us: String(exactFromIsoTime(record.recordedAt)),
    actor: record.actor,
    causation: record.causation,
    correlation: record.correlation,
    leaf_hash: Buffer.from(record.leafHash).toString("hex"),
    // What the type says of the payload holds for every stored event.
    tags: tagsOf({ type, stream, payload } as Parameters<typeof tagsOf>[0]),
    redacts: redaction?.position,
    payload_hash: redaction?.payload_hash,
  };
}

/** The position that an event redacts, if it is a redaction with a valid payload. */
function redactedBy({ type, payload }: Pick<EventRecord, "type" | "payload">): number | undefined {
  if (type !== REDACTION_TYPE) return undefined;
  const { position } = JSON.parse(payload) as { readonly position?: unknown };
  return typeof position === "number" && Number.isSafeInteger(position) ? position : undefined;
}

/** What a plan asks of the log, read at once. */
async function stateOf(
  connection: Connection,
  wanted: {
    readonly ids: readonly string[];
    readonly positions: readonly number[];
    readonly streams: readonly string[];
    readonly head: number;
  },
): Promise<LogState> {
  const { schema } = connection;
  const [found, versions] = await Promise.all([
    connection.query(
      `SELECT ${COLUMNS} FROM ${schema}.events e WHERE id = ANY ($1) UNION SELECT ${COLUMNS} FROM ${schema}.events e WHERE position = ANY ($2)`,
      [wanted.ids, wanted.positions],
    ),
    connection.query(
      `SELECT stream, max(stream_version) FROM ${schema}.events WHERE stream = ANY ($1) GROUP BY stream`,
      [[...new Set(wanted.streams)]],
    ),
  ]);
  const records = await toRecords(found.rows, connection);
  const byId = new Map(records.map((record) => [record.id, record]));
  const byPosition = new Map(records.map((record) => [record.position, record]));
  const byStream = new Map(versions.rows.map(([stream, version]) => [stream, Number(version)]));
  return {
    last: () => byPosition.get(wanted.head),
    find: (id) => byId.get(id),
    at: (position) => byPosition.get(position),
    streamVersion: (stream) => byStream.get(stream) ?? 0,
  };
}
