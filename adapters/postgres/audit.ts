import { createHash } from "node:crypto";
import type { Connection, Row } from "./connection.ts";
import { type AuditedLog, exactToIsoTime, idToBytes, type RawLeaf, type RawRow } from "./core.ts";
import { SCHEMA_DIGEST } from "./schema.ts";

/**
 * Runs `work` on what the tables hold, as of one moment.
 *
 * @throws errors of the server; whatever `work` throws
 */
export async function auditSchema<T>(
  connection: Connection,
  work: (log: AuditedLog) => Promise<T>,
): Promise<T> {
  await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await work(audited(connection));
  } finally {
    await connection.query("ROLLBACK").catch(() => {});
  }
}

const PAGE = 1_000;

function audited(connection: Connection): AuditedLog {
  const { schema } = connection;
  const ask = async (sql: string, values?: readonly unknown[]) => (await connection.query(sql, values)).rows;
  const first = async (sql: string, values?: readonly unknown[]) =>
    (await ask(sql, values))[0]?.[0] ?? undefined;
  async function* pages<Raw extends RawLeaf>(
    columns: string,
    after: number,
    last: number,
    toRaw: (row: Row) => Raw,
  ): AsyncGenerator<readonly Raw[]> {
    for (let from = after; from < last; ) {
      const rows = await ask(
        `SELECT ${columns} FROM ${schema}.events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT ${PAGE}`,
        [from, last],
      );
      const page = rows.map(toRaw);
      if (page.length === 0) return;
      yield page;
      from = page.at(-1)?.position ?? last;
    }
  }
  return {
    // Such a log is not opened at all.
    newer: undefined,
    async lowest() {
      const lowest = await first(`SELECT min(position) FROM ${schema}.events`);
      return lowest === undefined ? undefined : Number(lowest);
    },
    head: async () => Number(await first(`SELECT max(position) FROM ${schema}.events`)) || 0,
    rows: () => pages(RAW, 0, Number.MAX_SAFE_INTEGER, toRawRow),
    leaves: (after, last) =>
      pages("position, leaf_hash", after, last, ([position, leafHash]) => ({
        position: Number(position),
        leaf_hash: bytes(leafHash),
      })),
    async row(position) {
      const [row] = await ask(`SELECT ${RAW} FROM ${schema}.events WHERE position = $1`, [position]);
      return row && toRawRow(row);
    },
    async positionsOf(type) {
      const rows = await ask(`SELECT position FROM ${schema}.events WHERE type = $1 ORDER BY position`, [
        type,
      ]);
      return rows.map(([position]) => Number(position));
    },
    streams: async () =>
      (await ask(`SELECT DISTINCT stream FROM ${schema}.events`)).map(([stream]) => stream),
    async schemaFault() {
      const digest = await digestOf(connection);
      return digest === SCHEMA_DIGEST
        ? undefined
        : `its tables, functions or triggers differ from those that signalbox makes (digest ${digest}, not ${SCHEMA_DIGEST})`;
    },
    async indexed() {
      const [row] = await ask(`SELECT max(position), count(id) FROM ${schema}.events`);
      return { last: Number(row?.[0]) || 0, count: Number(row?.[1]) };
    },
    async doubledId() {
      const found = await first(
        `SELECT max(position) FROM ${schema}.events GROUP BY id HAVING count(*) > 1 LIMIT 1`,
      );
      return found === undefined ? undefined : Number(found);
    },
    // The server checks its pages as it reads them (data checksums), and its operator does with amcheck.
    fault: async () => undefined,
  };
}

const RAW = `position, id, stream, stream_version, type, schema_version, payload, salt, recorded_us, actor, causation, correlation, leaf_hash,
  payload_hash`;

function toRawRow(row: Row): RawRow {
  const [position, id, stream, streamVersion, type, schemaVersion, payload, salt, us, actor, causation] = row;
  const [correlation, leafHash, payloadHash] = row.slice(11);
  return {
    position: Number(position),
    id: uuid(id),
    stream,
    stream_version: Number(streamVersion),
    type,
    schema_version: Number(schemaVersion),
    payload,
    salt: bytes(salt),
    recorded_at: exactToIsoTime(BigInt(us ?? 0)),
    actor,
    causation: uuid(causation),
    correlation,
    leaf_hash: bytes(leafHash),
    payload_hash: bytes(payloadHash),
  };
}

function uuid(text: string | null | undefined): Buffer | null {
  return text ? idToBytes(text) : null;
}

/** PostgreSQL writes bytes as `\x00ff`. */
function bytes(text: string | null | undefined): Buffer | null {
  return text ? Buffer.from(text.slice(2), "hex") : null;
}

/**
 * A digest of what a log's schema is made of: columns, constraints, indexes, triggers and functions, under any name of the schema and on
 * any version of the server.
 */
async function digestOf(connection: Connection): Promise<string> {
  const { schema } = connection;
  const { rows } = await connection.query(PARTS, [schema]);
  const name = schema.slice(1, -1).replaceAll('""', '"');
  const parts = rows.map((row) => {
    const settings = row.at(-1)?.replaceAll(/["\\]/g, "").replaceAll(name, "@");
    const others = row
      .slice(0, -1)
      .map((part) => part?.replaceAll(schema, "@").replaceAll(`'${name}_`, "'@_"));
    return [...others, settings].join("|");
  });
  return createHash("sha256").update(parts.sort().join("\n")).digest("hex").slice(0, 16);
}

/** What is generated in different words by different versions of the server is left out. */
const PARTS = `
  WITH s AS (SELECT to_regnamespace($1) AS oid), r AS (SELECT c.* FROM pg_class c, s WHERE c.relnamespace = s.oid)
  SELECT 'column', r.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, r.relpersistence::text
    FROM r JOIN pg_attribute a ON a.attrelid = r.oid WHERE r.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'constraint', r.relname, k.contype::text, k.conkey::text, k.convalidated::text, ''
    FROM r JOIN pg_constraint k ON k.conrelid = r.oid WHERE k.contype IN ('p', 'u', 'c')
  UNION ALL SELECT 'index', r.relname, i.indkey::text, i.indisunique::text, i.indisvalid::text, ''
    FROM r JOIN pg_index i ON i.indrelid = r.oid WHERE r.relkind = 'r'
  UNION ALL SELECT 'trigger', r.relname, t.tgname, t.tgtype::text, t.tgenabled::text, p.proname::text
    FROM r JOIN pg_trigger t ON t.tgrelid = r.oid JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal
  UNION ALL SELECT 'rule', r.relname, w.rulename, w.ev_type::text, '', ''
    FROM r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind = 'r'
  UNION ALL SELECT 'function', p.proname, p.prosrc, p.prosecdef::text, p.provolatile::text, coalesce(p.proconfig::text, '')
    FROM pg_proc p, s WHERE p.pronamespace = s.oid
`;
