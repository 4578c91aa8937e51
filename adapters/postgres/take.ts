/** Times have four-digit years. */
const LAST_US = BigInt(Date.UTC(10_000, 0)) * 1_000n - 1n;

/** What a leader takes at once, in bytes of payload; more waits for the next one. */
const LEADS_BYTES = 16 << 20;

/**
 * SQL of `take`, which appends: one caller at a time leads, and appends whatever waits, of all connections, in one durable commit.
 * Others wait until the leader has committed, and find their answer.
 *
 * Nothing is acknowledged on the word of another's commit: whose wait for the standbys was cancelled has committed, and is seen. So
 * each caller whose answer acknowledges events makes a durable commit of its own, which comes after the leader's and shares its flush
 * with those of the others.
 */
export function takeFunction(s: string): string {
  return `
  -- Answers a posted turn: an array with an object for each call, or NULL where nothing was posted (a crash empties the table waiting);
  -- and whether this call has led, so that it tells other hosts.
  -- Planned once for each connection and without statistics: nested loops over indexes are right at any size, and jit never is.
  CREATE FUNCTION take(a_client uuid, a_turn integer, a_alone boolean, OUT mine json, OUT has_led boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${s}, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
    SET plan_cache_mode = force_generic_plan AS $take$
  DECLARE
    isThere boolean := true;
    key bigint := lock_key();
  BEGIN
    has_led := false;
    PERFORM durably();
    SELECT answer INTO mine FROM waiting WHERE client = a_client AND turn = a_turn;
    IF NOT FOUND THEN RETURN; END IF;
    IF mine IS NULL THEN
      -- Of the session, so that who finds an answer lets the next one look before his own commit is durable.
      PERFORM pg_advisory_lock(key);
      SELECT answer INTO mine FROM waiting WHERE client = a_client AND turn = a_turn;
      isThere := FOUND;
      -- Of the transaction: nobody goes on from what he leads before it is durable.
      IF isThere AND mine IS NULL THEN PERFORM pg_advisory_xact_lock(key); END IF;
      PERFORM pg_advisory_unlock(key);
    END IF;
    WHILE isThere AND mine IS NULL LOOP
      PERFORM lead(a_client, a_alone);
      has_led := true;
      SELECT answer INTO mine FROM waiting WHERE client = a_client AND turn = a_turn;
      isThere := FOUND;
    END LOOP;
    IF mine::text LIKE '%"acknowledged"%' THEN PERFORM pg_logical_emit_message(true, 'signalbox', ''); END IF;
  END $take$;

  -- Appends what waits, under the lock. Requests that share an id with an earlier one are left for the next round, which finds it.
  CREATE FUNCTION lead(a_client uuid, a_alone boolean) RETURNS void LANGUAGE plpgsql
    SET search_path = ${s}, pg_temp AS $lead$
  <<own>>
  DECLARE
    clients uuid[];
    head bigint;
    next_us bigint;
    last_us bigint;
    total bigint;
    isPlain boolean;
    c record;
    why json;
    hit record;
    pending bigint := 0;
    pending_streams text[] := '{}';
    pending_types text[] := '{}';
    pending_tags text[] := '{}';
    refused bigint[] := '{}';
    reasons json[] := '{}';
  BEGIN
    SELECT array_agg(client ORDER BY at, client) INTO clients FROM (
      SELECT client, at, sum(size) OVER (ORDER BY at, client) - size AS before FROM waiting
      WHERE answer IS NULL AND (client = a_client OR NOT a_alone AND at > clock_timestamp() - interval '5 minutes')) w
      WHERE before < ${LEADS_BYTES} OR client = a_client;
    IF cardinality(clients) > 1 THEN
      SELECT coalesce(array_agg(client ORDER BY slot), '{}') INTO clients FROM unnest(clients) WITH ORDINALITY u(client, slot)
        WHERE client NOT IN (
          SELECT client FROM (
            SELECT s.client, row_number() OVER (PARTITION BY id ORDER BY slot) AS nth
            FROM unnest(clients) WITH ORDINALITY s(client, slot) JOIN waiting w ON w.client = s.client, unnest(w.ids) i(id)) t
          WHERE nth > 1);
    END IF;
    SELECT position, recorded_us INTO head, last_us FROM events ORDER BY position DESC LIMIT 1;
    head := coalesce(head, 0);
    next_us := greatest(coalesce((SELECT now_us FROM waiting WHERE client = a_client), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
      last_us + 1);

    SELECT sum(cardinality(ids)),
        bool_and(num_nonnulls(VARIADIC heads) + num_nonnulls(VARIADIC if_streams) + num_nonnulls(VARIADIC afters) = 0)
          AND NOT bool_or(EXISTS (SELECT FROM unnest(ids) i(id) JOIN events e ON e.id = i.id))
      INTO total, isPlain FROM waiting WHERE client = ANY (clients);
    IF NOT isPlain OR next_us + total > ${LAST_US} THEN
      FOR c IN
        WITH posted AS (
          SELECT s.slot, u.call, count(*) AS size, bool_or(e.id IS NOT NULL) AS known, array_agg(u.stream ORDER BY u.n) AS streams,
            array_agg(u.type ORDER BY u.n) AS types, array_agg(u.tags ORDER BY u.n) AS tags
          FROM unnest(clients) WITH ORDINALITY s(client, slot) JOIN waiting w ON w.client = s.client
            CROSS JOIN LATERAL unnest(w.calls, w.ids, w.streams, w.types, w.tags) WITH ORDINALITY u(call, id, stream, type, tags, n)
            LEFT JOIN events e ON e.id = u.id
          GROUP BY s.slot, u.call)
        SELECT s.slot, g.call, w.heads[g.call] AS head, w.if_streams[g.call] AS stream, w.if_versions[g.call] AS version,
          w.afters[g.call] AS after, string_to_array(w.reads[g.call], E'\\x1f') AS read, coalesce(p.size, 0) AS size,
          coalesce(p.known, false) AS known, p.streams, p.types, p.tags
        FROM unnest(clients) WITH ORDINALITY s(client, slot) JOIN waiting w ON w.client = s.client
          CROSS JOIN LATERAL generate_series(1, cardinality(w.heads)) g(call) LEFT JOIN posted p ON p.slot = s.slot AND p.call = g.call
        ORDER BY s.slot, g.call
      LOOP
        why := NULL;
        IF c.known THEN
          why := json_build_object('outcome', 'before', 'acknowledged', true);
        ELSIF c.head <> head + pending THEN
          why := json_build_object('outcome', 'head', 'head', head + pending);
        END IF;
        IF why IS NULL AND c.stream IS NOT NULL THEN
          SELECT coalesce(max(stream_version), 0) + cardinality(array_positions(pending_streams, c.stream)) AS version INTO hit
            FROM events WHERE stream = c.stream;
          IF hit.version <> c.version THEN why := json_build_object('outcome', 'stream', 'version', hit.version); END IF;
        END IF;
        IF why IS NULL AND c.after IS NOT NULL AND c.read <> '{}' THEN
          SELECT position, type INTO hit FROM (
            SELECT e.position, e.type, e.tags FROM events e WHERE e.position > c.after
            UNION ALL
            SELECT own.head + u.n, u.type, string_to_array(u.tags, E'\\x1f') FROM unnest(pending_types, pending_tags)
              WITH ORDINALITY u(type, tags, n) WHERE own.head + u.n > c.after) t
            WHERE '*' = ANY (c.read) OR t.tags && c.read OR '*' = ANY (t.tags) ORDER BY position LIMIT 1;
          IF FOUND THEN why := json_build_object('outcome', 'moved', 'position', hit.position, 'type', hit.type); END IF;
        END IF;
        IF why IS NULL AND next_us + pending + c.size - 1 > ${LAST_US} THEN
          why := json_build_object('outcome', 'time', 'position', head + pending, 'last', (next_us + pending - 1)::text);
        END IF;
        IF why IS NOT NULL THEN
          refused := refused || ((c.slot << 32) + c.call);
          reasons := reasons || why;
        ELSE
          pending := pending + c.size;
          pending_streams := pending_streams || c.streams;
          pending_types := pending_types || c.types;
          pending_tags := pending_tags || c.tags;
        END IF;
      END LOOP;
    END IF;

    WITH slots AS (SELECT client, slot FROM unnest(clients) WITH ORDINALITY s(client, slot)),
    wanted AS (
      SELECT s.slot, w.host, u.*, row_number() OVER (ORDER BY s.slot, u.n) AS nth,
        row_number() OVER (PARTITION BY u.stream ORDER BY s.slot, u.n) AS nth_of_stream
      FROM slots s JOIN waiting w ON w.client = s.client
        CROSS JOIN LATERAL unnest(w.calls, w.ids, w.streams, w.types, w.versions, w.payloads, w.salts, w.actors, w.causations, w.correlations,
          w.tags) WITH ORDINALITY u(call, id, stream, type, schema_version, payload, salt, actor, causation, correlation, tags, n)
      WHERE (s.slot << 32) + u.call <> ALL (refused)),
    placed AS MATERIALIZED (
      SELECT w.*, own.head + nth AS position, next_us + nth - 1 AS us,
        (nth_of_stream + coalesce((SELECT max(e.stream_version) FROM events e WHERE e.stream = w.stream), 0))::integer AS stream_version
      FROM wanted w),
    inserted AS (
      INSERT INTO events (position, id, stream, stream_version, type, schema_version, payload, salt, recorded_us, actor, causation,
          correlation, leaf_hash, tags, host)
        SELECT position, id, stream, stream_version, type, schema_version, payload, salt, us, actor, causation, correlation,
          leaf(position, id, stream, stream_version, type, schema_version, us, actor, causation, correlation, salt, payload),
          string_to_array(tags, E'\\x1f'), host
        FROM placed ORDER BY position),
    done AS (
      SELECT slot, call, min(position) AS position, min(us) AS us, json_agg(stream_version ORDER BY position) AS versions
      FROM placed GROUP BY slot, call),
    answers AS (
      SELECT s.client, json_agg(coalesce(r.why, json_build_object('outcome', 'appended', 'acknowledged', true, 'position', d.position,
        'us', d.us::text, 'versions', coalesce(d.versions, '[]'))) ORDER BY g.call) AS answer
      FROM slots s JOIN waiting w ON w.client = s.client CROSS JOIN LATERAL generate_series(1, cardinality(w.heads)) g(call)
        LEFT JOIN unnest(refused, reasons) r(key, why) ON r.key = (s.slot << 32) + g.call
        LEFT JOIN done d ON d.slot = s.slot AND d.call = g.call
      GROUP BY s.client)
    UPDATE waiting w SET answer = a.answer FROM answers a WHERE w.client = a.client;
  END $lead$;
`;
}
