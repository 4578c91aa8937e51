/** "sgbx": tells an event log from any other SQLite file. */
export const APPLICATION_ID = 0x73676278;

/** The latest log format that this program knows; stored in `user_version`. */
export const LOG_SCHEMA_VERSION = 2;

/** The format of a file whose log goes on elsewhere: older programs refuse it as newer than they are. */
export const MOVED_FORMAT = 3;

/** The format of a new log. Programs from before redaction can use it until its first redaction. */
const FIRST_FORMAT = 1;

/**
 * The log's tables. Small ordered keys, since unique text keys were the largest cost of an append
 * (docs/decisions/0003): ids are 16 bytes, streams are integers.
 *
 * The triggers keep the log append-only for every program that opens the file. A DELETE trigger
 * does not see the deletion inside INSERT OR REPLACE, so the INSERT triggers demand that position,
 * id and stream version are new. Payload and salt are absent only after a redaction, which needs
 * the format that `REDACTION_SCHEMA` makes.
 */
export const LOG_SCHEMA = `
  CREATE TABLE streams (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    id BLOB NOT NULL,
    stream INTEGER NOT NULL REFERENCES streams (key),
    stream_version INTEGER NOT NULL,
    type TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    payload TEXT,
    salt BLOB,
    recorded_at TEXT NOT NULL,
    actor TEXT NOT NULL,
    causation BLOB,
    correlation TEXT,
    leaf_hash BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_id ON events (id);
  CREATE UNIQUE INDEX events_by_stream ON events (stream, stream_version);

  CREATE TRIGGER events_are_appended BEFORE INSERT ON events BEGIN
    SELECT CASE
      WHEN NEW.position IS NOT coalesce((SELECT max(position) FROM events), 0) + 1
        THEN RAISE(ABORT, 'events: the position must be the last one plus 1')
      WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
        THEN RAISE(ABORT, 'events: the id is taken')
      WHEN NOT EXISTS (SELECT 1 FROM streams WHERE key = NEW.stream)
        THEN RAISE(ABORT, 'events: the stream must exist')
      WHEN NEW.stream_version IS NOT
        coalesce((SELECT max(stream_version) FROM events WHERE stream = NEW.stream), 0) + 1
        THEN RAISE(ABORT, 'events: the stream version must be the last one plus 1')
      WHEN NEW.recorded_at <= (SELECT recorded_at FROM events WHERE position = NEW.position - 1)
        THEN RAISE(ABORT, 'events: the time must be after the last one')
      WHEN NEW.payload IS NULL OR NEW.salt IS NULL OR length(NEW.leaf_hash) IS NOT 32
        THEN RAISE(ABORT, 'events: payload, salt and leaf hash are required')
    END;
  END;
  CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events: the log is append-only');
  END;
  CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events: the log is append-only');
  END;

  CREATE TRIGGER streams_are_appended BEFORE INSERT ON streams BEGIN
    SELECT CASE
      WHEN NEW.key IS NOT coalesce((SELECT max(key) FROM streams), 0) + 1
        OR EXISTS (SELECT 1 FROM streams WHERE name = NEW.name)
        THEN RAISE(ABORT, 'streams: key and name must be new')
    END;
  END;
  CREATE TRIGGER streams_are_not_changed BEFORE UPDATE ON streams BEGIN
    SELECT RAISE(ABORT, 'streams: the log is append-only');
  END;
  CREATE TRIGGER streams_are_not_deleted BEFORE DELETE ON streams BEGIN
    SELECT RAISE(ABORT, 'streams: the log is append-only');
  END;

  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FIRST_FORMAT};
`;

const ENVELOPE = [
  ...[
    "position",
    "id",
    "stream",
    "stream_version",
    "type",
    "schema_version",
    "recorded_at",
    "actor",
    "causation",
  ],
  ...["correlation", "leaf_hash"],
];
const columnsOf = (row: string) => ENVELOPE.map((column) => `${row}.${column}`).join(", ");

/**
 * The schema change of a log's first redaction, made in that redaction's transaction. From then on
 * one update of a row is allowed: it removes payload and salt and sets the payload's hash, if the
 * last event of the log is the redaction that names this row and this hash.
 */
export const REDACTION_SCHEMA = `
  ALTER TABLE events ADD COLUMN payload_hash BLOB;

  DROP TRIGGER events_are_not_changed;
  CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events BEGIN
    SELECT CASE WHEN NOT (
      OLD.payload IS NOT NULL AND NEW.payload IS NULL AND NEW.salt IS NULL
      AND (${columnsOf("NEW")}) IS (${columnsOf("OLD")})
      AND EXISTS (
        SELECT 1 FROM events AS last
        WHERE last.position = (SELECT max(position) FROM events) AND last.position > OLD.position
          AND last.type = 'event.redacted'
          AND json_extract(last.payload, '$.position') IS OLD.position
          AND json_extract(last.payload, '$.payload_hash') IS lower(hex(NEW.payload_hash))
      )
    ) THEN RAISE(ABORT, 'events: the log is append-only') END;
  END;
  CREATE TRIGGER events_come_with_payload BEFORE INSERT ON events WHEN NEW.payload_hash IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'events: the payload hash is for redacted events');
  END;

  PRAGMA user_version = 2;
`;

/** What ends a file whose log goes on elsewhere: no program appends to it any more. */
export const MOVED_SCHEMA = `
  CREATE TABLE moved (location TEXT NOT NULL) STRICT;
  CREATE TRIGGER events_went_elsewhere BEFORE INSERT ON events BEGIN
    SELECT RAISE(ABORT, 'events: this log was moved');
  END;

  PRAGMA user_version = ${MOVED_FORMAT};
`;
