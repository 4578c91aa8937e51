import { takeFunction } from "./take.ts";

/** The latest schema that this program knows; stored in `about.format`. */
export const POSTGRES_FORMAT = 1;

/** What the schema of a log is made of (`digestOf`): another one was tampered with. */
export const SCHEMA_DIGEST = "5f3c7d41428e0def";

/** The names of a log's roles: groups without login, which the operator grants to logins. */
export function rolesOf(schema: string): {
  readonly owner: string;
  readonly host: string;
  readonly reader: string;
} {
  return { owner: `${schema}_owner`, host: `${schema}_host`, reader: `${schema}_reader` };
}

/** The statements by which an operator gives a host a login of its own, as an example. */
export function hostGrants(schema: string): readonly string[] {
  const login = quoted(`${schema}_a`);
  return [`CREATE ROLE ${login} LOGIN PASSWORD '…';`, `GRANT ${quoted(rolesOf(schema).host)} TO ${login};`];
}

/** An identifier in SQL, whatever characters it has. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/**
 * SQL that makes an empty log in a new schema, with its roles and their rights. Runs in one transaction, as a role that may create
 * schemas and roles.
 *
 * Hosts append through functions that run as the owner (docs/decisions/0053-the-log-on-postgresql.md); nobody else writes.
 */
export function postgresSchema(schema: string): string {
  const s = quoted(schema);
  const roles = rolesOf(schema);
  const [owner, host, reader] = [quoted(roles.owner), quoted(roles.host), quoted(roles.reader)];
  return `
    ${[roles.owner, roles.host, roles.reader].map(createRole).join("\n")}
    CREATE SCHEMA ${s} AUTHORIZATION ${owner};
    SET LOCAL ROLE ${owner};
    SET LOCAL search_path = ${s};
    ${TABLES}
    ${leafFunctions(s)}
    ${functions(`SET search_path = ${s}, pg_temp`, literal(roles.owner), literal(roles.host))}
    ${takeFunction(s)}
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${s} FROM PUBLIC;
    GRANT USAGE ON SCHEMA ${s} TO ${host}, ${reader};
    GRANT SELECT ON events, about, hosts TO ${host}, ${reader};
    GRANT EXECUTE ON FUNCTION post, take, confirm, beat TO ${host};
    GRANT EXECUTE ON FUNCTION confirm TO ${reader};
    GRANT EXECUTE ON FUNCTION standbys TO ${host}, ${reader};
    RESET ROLE;
    DO $do$ BEGIN
      EXECUTE format('GRANT pg_read_all_stats TO %I', ${literal(roles.owner)});
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE NOTICE 'the standbys of this log stay unseen by its hosts';
    END $do$;
  `;
}

/** A role may be left from a log that was dropped. Its creator needs it to make the schema. */
function createRole(role: string): string {
  return `
    DO $do$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(role)}) THEN CREATE ROLE ${quoted(role)} NOLOGIN; END IF;
      IF NOT pg_has_role(current_user, ${literal(role)}, 'MEMBER') THEN EXECUTE format('GRANT %I TO %I', ${literal(role)}, current_user); END IF;
    END $do$;`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * `payload` is text: the hash is over its bytes, which jsonb would rearrange. `waiting` has one row for each connection that appends,
 * updated in place: rows that came and went would pile up until a vacuum, and each leader would scan them.
 */
const TABLES = `
  CREATE TABLE events (
    position bigint PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    stream text NOT NULL,
    stream_version integer NOT NULL,
    type text NOT NULL,
    schema_version integer NOT NULL,
    payload text,
    salt bytea,
    recorded_us bigint NOT NULL,
    actor text NOT NULL,
    causation uuid,
    correlation text,
    leaf_hash bytea NOT NULL CHECK (octet_length(leaf_hash) = 32),
    payload_hash bytea,
    redacted_by bigint,
    tags text[] NOT NULL,
    host text NOT NULL,
    UNIQUE (stream, stream_version),
    CHECK ((payload IS NULL) = (salt IS NULL)),
    CHECK ((payload IS NULL) = (redacted_by IS NOT NULL)),
    CHECK ((payload IS NULL) = (payload_hash IS NOT NULL))
  );
  CREATE TABLE about (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    format integer NOT NULL,
    epoch integer NOT NULL,
    level integer NOT NULL,
    -- Where the log goes on, in words; then nothing is appended here any more.
    moved_to text
  );
  INSERT INTO about (format, epoch, level) VALUES (${POSTGRES_FORMAT}, 0, 1);
  CREATE TABLE hosts (
    host text PRIMARY KEY,
    name text NOT NULL,
    epoch bigint NOT NULL,
    level integer NOT NULL,
    beat_at timestamptz NOT NULL,
    -- Who alone beats under this id; NULL: an owner has made it known.
    login oid
  ) WITH (fillfactor = 50);
  CREATE UNLOGGED TABLE waiting (
    client uuid PRIMARY KEY,
    turn integer NOT NULL,
    at timestamptz NOT NULL,
    size bigint NOT NULL,
    host text NOT NULL,
    now_us bigint,
    calls integer[] NOT NULL,
    ids uuid[] NOT NULL,
    streams text[] NOT NULL,
    types text[] NOT NULL,
    versions integer[] NOT NULL,
    payloads text[] NOT NULL,
    salts bytea[] NOT NULL,
    actors text[] NOT NULL,
    causations uuid[] NOT NULL,
    correlations text[] NOT NULL,
    tags text[] NOT NULL,
    heads bigint[] NOT NULL,
    if_streams text[] NOT NULL,
    if_versions integer[] NOT NULL,
    afters bigint[] NOT NULL,
    reads text[] NOT NULL,
    answer json
  ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_scale_factor = 0);
  ALTER TABLE waiting ALTER payloads SET STORAGE EXTERNAL, ALTER ids SET STORAGE EXTERNAL, ALTER salts SET STORAGE EXTERNAL,
    ALTER streams SET STORAGE EXTERNAL, ALTER types SET STORAGE EXTERNAL, ALTER tags SET STORAGE EXTERNAL, ALTER answer SET STORAGE EXTERNAL;
`;

/**
 * The leaf hash of leaf-hash.ts. STABLE, so that it is inlined: as IMMUTABLE, which to_char is not, it takes thirty times as long. An
 * interval is a double: seconds and microseconds apart are exact in every year.
 */
const leafFunctions = (s: string) => `
  CREATE FUNCTION field(t text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT int4send(octet_length(t)) || convert_to(t, 'UTF8') $$;
  CREATE FUNCTION leaf(a_position bigint, a_id uuid, a_stream text, a_stream_version integer, a_type text, a_schema_version integer,
    a_us bigint, a_actor text, a_causation uuid, a_correlation text, a_salt bytea, a_payload text)
    RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT sha256('\\x00'::bytea || ${s}.field(a_position::text) || ${s}.field(a_id::text) || ${s}.field(a_stream)
      || ${s}.field(a_stream_version::text) || ${s}.field(a_type) || ${s}.field(a_schema_version::text)
      || ${s}.field(to_char(timestamp 'epoch' + (a_us / 1000000) * interval '1 second' + (a_us % 1000000) * interval '1 microsecond',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      || ${s}.field(a_actor) || ${s}.field(coalesce(a_causation::text, '')) || ${s}.field(coalesce(a_correlation, ''))
      || sha256(a_salt || convert_to(a_payload, 'UTF8')))
    $$;
`;

/** @param path the search path, which each function has of its own: a caller's would lead it to the caller's tables */
const functions = (path: string, owner: string, host: string) => `
  CREATE FUNCTION lock_key() RETURNS bigint LANGUAGE sql STABLE ${path} AS
    $$ SELECT (1936287598::bigint << 32) + 'events'::regclass::oid::bigint $$;

  -- What one connection wants appended: its calls, each of which is appended whole or not at all.
  CREATE FUNCTION post(a_client uuid, a_turn integer, a_level integer, a_now_us bigint, a_calls integer[], a_ids uuid[], a_streams text[],
    a_types text[], a_versions integer[], a_payloads text[], a_salts bytea[], a_actors text[], a_causations uuid[], a_correlations text[],
    a_tags text[], a_heads bigint[], a_if_streams text[], a_if_versions integer[], a_afters bigint[], a_reads text[])
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${path} AS $post$
  <<own>>
  DECLARE
    n integer := cardinality(a_calls);
    c integer := cardinality(a_heads);
    needed integer := (SELECT level FROM about);
    -- Times are the server's, but for an owner, who tries the log with a clock of his own.
    now_us bigint := CASE WHEN pg_has_role(session_user, ${owner}, 'MEMBER') THEN a_now_us END;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    IF a_level < needed THEN
      RAISE EXCEPTION 'this log needs level %', needed USING ERRCODE = 'SB001';
    END IF;
    -- A leader inserts the requests of all: no fault of one may fail its statement.
    IF NOT (n = ALL (ARRAY[cardinality(a_ids), cardinality(a_streams), cardinality(a_types), cardinality(a_versions), cardinality(a_payloads),
        cardinality(a_salts), cardinality(a_actors), cardinality(a_causations), cardinality(a_correlations), cardinality(a_tags)])
      AND c = ALL (ARRAY[cardinality(a_if_streams), cardinality(a_if_versions), cardinality(a_afters), cardinality(a_reads)]))
      OR num_nulls(VARIADIC a_calls) + num_nulls(VARIADIC a_ids) + num_nulls(VARIADIC a_streams) + num_nulls(VARIADIC a_types)
        + num_nulls(VARIADIC a_versions) + num_nulls(VARIADIC a_payloads) + num_nulls(VARIADIC a_salts) + num_nulls(VARIADIC a_actors)
        + num_nulls(VARIADIC a_tags) > 0
      OR EXISTS (SELECT FROM unnest(a_streams) u(stream) WHERE octet_length(stream) > 2000)
      OR (SELECT count(DISTINCT id) FROM unnest(a_ids) u(id)) <> n
      OR 'event.redacted' = ANY (a_types)
    THEN
      RAISE EXCEPTION 'signalbox: no request that a program of this log makes' USING ERRCODE = '22023';
    END IF;
    UPDATE waiting w SET turn = a_turn, at = clock_timestamp(), size = pg_column_size(a_payloads), host = session_user, now_us = own.now_us,
      calls = a_calls, ids = a_ids, streams = a_streams, types = a_types, versions = a_versions, payloads = a_payloads, salts = a_salts,
      actors = a_actors, causations = a_causations, correlations = a_correlations, tags = a_tags, heads = a_heads,
      if_streams = a_if_streams, if_versions = a_if_versions, afters = a_afters, reads = a_reads, answer = NULL
      WHERE w.client = a_client;
    IF NOT FOUND THEN
      DELETE FROM waiting w WHERE w.at < clock_timestamp() - interval '1 hour';
      INSERT INTO waiting VALUES (a_client, a_turn, clock_timestamp(), pg_column_size(a_payloads), session_user, own.now_us, a_calls, a_ids,
        a_streams, a_types, a_versions, a_payloads, a_salts, a_actors, a_causations, a_correlations, a_tags, a_heads, a_if_streams,
        a_if_versions, a_afters, a_reads, NULL);
    END IF;
  END $post$;

  -- Returns once everything that the caller has seen is durable: a commit that wrote nothing waits for nobody.
  CREATE FUNCTION confirm() RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${path} AS $confirm$
  BEGIN
    PERFORM durably();
    PERFORM pg_logical_emit_message(true, 'signalbox', '');
  END $confirm$;

  CREATE FUNCTION durably() RETURNS void LANGUAGE plpgsql ${path} AS $durably$
  BEGIN
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  END $durably$;

  CREATE FUNCTION beat(a_host text, a_name text, a_epoch bigint, a_level integer)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${path} AS $beat$
  DECLARE
    me oid := (SELECT oid FROM pg_roles WHERE rolname = session_user AND NOT pg_has_role(session_user, ${owner}, 'MEMBER'));
    other oid;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    -- A login that is gone, or no host any more, leaves its ids to others.
    SELECT login INTO other FROM hosts WHERE host = a_host AND login <> me AND pg_has_role(login, ${host}, 'MEMBER');
    IF FOUND THEN RAISE EXCEPTION '%', pg_get_userbyid(other) USING ERRCODE = 'SB004', DETAIL = a_host; END IF;
    INSERT INTO hosts VALUES (a_host, a_name, a_epoch, a_level, clock_timestamp(), me)
      ON CONFLICT (host) DO UPDATE SET name = a_name, epoch = a_epoch, level = a_level, beat_at = clock_timestamp(),
        login = coalesce(me, hosts.login)
      WHERE hosts.epoch <= a_epoch;
    IF NOT FOUND THEN RAISE EXCEPTION 'the host has beaten in a later epoch' USING ERRCODE = 'SB002'; END IF;
  END $beat$;

  -- Who may see the standbys depends on the owner, whom their creator may have given the right to.
  CREATE FUNCTION standbys() RETURNS TABLE (name text, sync text, behind bigint) LANGUAGE sql STABLE SECURITY DEFINER ${path} AS $standbys$
    SELECT r.application_name, r.sync_state, pg_wal_lsn_diff(pg_current_wal_lsn(), r.flush_lsn)::bigint FROM pg_stat_replication r ORDER BY 1
  $standbys$;

  -- For restores and redactions: records as they are, by the owner, who holds the lock (lock_log) until they are committed.
  CREATE FUNCTION lock_log() RETURNS void LANGUAGE plpgsql ${path} AS $lock$
  BEGIN
    PERFORM durably();
    -- A program that hangs must not keep everybody else waiting.
    PERFORM set_config('idle_in_transaction_session_timeout', '60s', true);
    PERFORM pg_advisory_xact_lock(lock_key());
  END $lock$;

  CREATE FUNCTION write(a_records json) RETURNS void LANGUAGE plpgsql ${path} AS $write$
  DECLARE r record;
  BEGIN
    INSERT INTO events (position, id, stream, stream_version, type, schema_version, payload, salt, recorded_us, actor, causation, correlation,
        leaf_hash, tags, host)
      SELECT position, id, stream, stream_version, type, schema_version, payload, decode(salt, 'hex'), recorded_us, actor, causation,
        correlation, decode(leaf_hash, 'hex'), tags, session_user
      FROM json_to_recordset(a_records) AS x(position bigint, id uuid, stream text, stream_version integer, type text, schema_version integer,
        payload text, salt text, recorded_us bigint, actor text, causation uuid, correlation text, leaf_hash text, tags text[])
      ORDER BY position;
    FOR r IN SELECT position, redacts, payload_hash FROM json_to_recordset(a_records) AS x(position bigint, redacts bigint, payload_hash text)
      WHERE redacts IS NOT NULL ORDER BY position
    LOOP
      UPDATE events e SET payload = NULL, salt = NULL, payload_hash = decode(r.payload_hash, 'hex'), redacted_by = r.position
        WHERE e.position = r.redacts;
    END LOOP;
  END $write$;

  CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql ${path} AS $guard$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF OLD.payload IS NOT NULL AND NEW.payload IS NULL AND NEW.salt IS NULL AND NEW.redacted_by > OLD.position
        AND (to_jsonb(NEW) - '{payload,salt,payload_hash,redacted_by}'::text[]) = (to_jsonb(OLD) - '{payload,salt,payload_hash,redacted_by}'::text[])
        AND EXISTS (SELECT FROM events r WHERE r.position = NEW.redacted_by AND r.type = 'event.redacted'
          AND (r.payload::json->>'position')::bigint = OLD.position AND r.payload::json->>'payload_hash' = encode(NEW.payload_hash, 'hex'))
      THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'events: the log is append-only' USING ERRCODE = '42501';
  END $guard$;
  CREATE TRIGGER events_are_not_changed BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION guard();
  CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql ${path} AS $moved$
  DECLARE place text := (SELECT moved_to FROM about);
  BEGIN
    IF place IS NOT NULL THEN RAISE EXCEPTION '%', place USING ERRCODE = 'SB003'; END IF;
    RETURN NULL;
  END $moved$;
  CREATE TRIGGER events_went_elsewhere BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
  CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION guard();
`;
