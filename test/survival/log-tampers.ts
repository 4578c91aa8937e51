import type Database from "better-sqlite3";
import type { Random } from "../../bench/lib/random.ts";
import { recomputedLeafHash, type StoredRow, storedRows } from "../events/stored-rows.ts";

/** Somebody changes a log with SQL, below its triggers. Whatever is returned is the position that was changed. */
export type Tamper = (database: Database.Database, random: Random) => number;

/** The same, at or before the position `kept`. */
export type SkilledTamper = (database: Database.Database, random: Random, kept: number) => number;

/** Those that were not redacted. */
export const WHOLE = "WHERE payload IS NOT NULL";

/** Changes whose hashes do not fit; each is found without anything but the log. */
export const clumsy: Readonly<Record<string, Tamper>> = {
  "another payload": set("payload = replace(payload, '{', '{ ')", WHOLE),
  "another word in a payload": set("payload = payload || ' '", WHOLE),
  "no payload": set("payload = NULL", WHOLE),
  "another salt": set("salt = randomblob(16)"),
  "a byte that moves from payload to salt": set(
    "salt = CAST(salt || substr(payload, 1, 1) AS BLOB), payload = substr(payload, 2)",
    WHOLE,
  ),
  // The leaf hash is the same, and the payload is as good JSON as before.
  "a blank that moves from salt to payload": (database, random) => {
    const position = random.pick(positions(database, WHOLE));
    const update = (what: string) =>
      database.prepare(`UPDATE events SET ${what} WHERE position = ?`).run(position);
    update("salt = CAST(substr(salt, 1, 15) || ' ' AS BLOB)");
    rehash(database, position);
    update("salt = substr(salt, 1, 15), payload = ' ' || payload");
    return position;
  },
  "another actor": set("actor = actor || 's'"),
  "another time": set("recorded_at = replace(recorded_at, 'Z', '0Z')"),
  "another type": set("type = 'comment.added', schema_version = schema_version + 1"),
  "another id": set("id = randomblob(16)"),
  "a longer id": set("id = CAST(id || x'00' AS BLOB)"),
  "another stream version": set("stream_version = stream_version + 1000"),
  "another stream": set("stream = (SELECT max(key) FROM streams WHERE key <> stream), stream_version = 1000"),
  "a causation": set("causation = randomblob(16)"),
  "another correlation": set("correlation = coalesce(correlation, '') || 'x'"),
  "an empty correlation for none": (database, random) => {
    const position = random.pick(positions(database, "WHERE correlation IS NULL"));
    database.prepare("UPDATE events SET correlation = '' WHERE position = ?").run(position);
    return position;
  },
  "another leaf hash": set("leaf_hash = randomblob(32)"),
  "a row deleted": (database, random) => {
    const position = random.pick(positions(database).slice(0, -1));
    database.prepare("DELETE FROM events WHERE position = ?").run(position);
    return position;
  },
  "two payloads swapped": (database, random) => {
    const [one, two] = twoOf(positions(database, WHOLE), random);
    const at = database.prepare<[number], StoredRow>("SELECT * FROM events WHERE position = ?");
    const [first, second] = [at.get(one), at.get(two)];
    const put = database.prepare("UPDATE events SET payload = ?, salt = ? WHERE position = ?");
    put.run(second?.payload, second?.salt, one);
    put.run(first?.payload, first?.salt, two);
    return one;
  },
  "two rows swapped": (database, random) => {
    const [one, two] = twoOf(positions(database), random);
    const move = database.prepare("UPDATE events SET position = ? WHERE position = ?");
    for (const [to, from] of [
      [-1, one],
      [one, two],
      [two, -1],
    ] as const)
      move.run(to, from);
    return one;
  },
  "a row inserted in between": (database, random) => {
    const position = random.pick(positions(database));
    database.prepare("UPDATE events SET position = -position WHERE position >= ?").run(position);
    database.prepare("UPDATE events SET position = 1 - position WHERE position < 0").run();
    insertCopy(
      database,
      random.pick(positions(database, `WHERE position < ${position} OR position > ${position}`)),
      position,
    );
    return position;
  },
  "a row inserted at the end": (database, random) => {
    const all = positions(database);
    insertCopy(database, random.pick(all), all.length + 1);
    return all.length + 1;
  },
  "an event twice, its hash fitting": (database, random) => {
    const all = positions(database);
    database.exec("DROP INDEX events_by_id; CREATE INDEX events_by_id ON events (id)");
    insertCopy(database, random.pick(all), all.length + 1);
    database
      .prepare(
        "UPDATE events SET recorded_at = '2999-01-01T00:00:00.000000Z', id = (SELECT id FROM events WHERE position = 1) WHERE position = ?",
      )
      .run(all.length + 1);
    rehash(database, all.length + 1);
    return all.length + 1;
  },
  "an older time, its hash fitting": (database, random) => {
    const position = random.pick(positions(database).slice(1));
    database
      .prepare("UPDATE events SET recorded_at = '2001-01-01T00:00:00.000000Z' WHERE position = ?")
      .run(position);
    rehash(database, position);
    return position;
  },
  "a payload that its type cannot have, its hash fitting": (database, random) => {
    const position = random.pick(positions(database, WHOLE));
    database.prepare('UPDATE events SET payload = \'{"of":"nothing"}\' WHERE position = ?').run(position);
    rehash(database, position);
    return position;
  },
  "the name of a stream": (database, random) => {
    const key = random.pick(database.prepare<[], number>("SELECT key FROM streams").pluck().all());
    database.prepare("UPDATE streams SET name = name || '-other' WHERE key = ?").run(key);
    return Number(database.prepare("SELECT min(position) FROM events WHERE stream = ?").pluck().get(key));
  },
  "a stream without events": (database) => {
    database.exec("INSERT INTO streams VALUES (1000, 'task-1000')");
    return positions(database).length + 1;
  },
};

/** Changes with hashes that fit: the log is as right as any; only a head from before tells. Each changes what is at or before `kept`. */
export const skilled: Readonly<Record<string, SkilledTamper>> = {
  "the end cut off": (database, random, kept) => {
    const position = 1 + random.below(kept);
    database.prepare("DELETE FROM events WHERE position >= ?").run(position);
    database.exec("DELETE FROM streams WHERE key NOT IN (SELECT stream FROM events)");
    return position;
  },
  "a payload with its hash": (database, random, kept) => {
    const position = 1 + random.below(kept);
    database
      .prepare("UPDATE events SET salt = randomblob(16), payload = payload || ' ' WHERE position = ?")
      .run(position);
    rehash(database, position);
    return position;
  },
  "an actor with its hash": (database, random, kept) => {
    const position = 2 + random.below(kept - 1);
    database.prepare("UPDATE events SET actor = 'somebody' WHERE position = ?").run(position);
    rehash(database, position);
    return position;
  },
  "an event taken out and all behind it renumbered": (database, random, kept) => {
    const all = storedRows(database);
    const last = all.filter(
      ({ stream, stream_version, position }) =>
        position > 1 &&
        position <= kept &&
        !all.some((other) => other.stream === stream && other.stream_version > stream_version),
    );
    // The last of its stream: no other version needs to change.
    const { position } = random.pick(last);
    database.prepare("DELETE FROM events WHERE position = ?").run(position);
    database.prepare("UPDATE events SET position = -position WHERE position > ?").run(position);
    database.exec("UPDATE events SET position = -position - 1 WHERE position < 0");
    database.exec("DELETE FROM streams WHERE key NOT IN (SELECT stream FROM events)");
    for (const each of positions(database)) rehash(database, each);
    return position;
  },
  "every id anew": (database) => {
    const put = database.prepare("UPDATE events SET id = ?, causation = NULL WHERE position = ?");
    for (const position of positions(database)) {
      put.run(Buffer.from(`0190a8c27f00700080${position.toString(16).padStart(14, "0")}`, "hex"), position);
      rehash(database, position);
    }
    return 1;
  },
};

function set(assignment: string, where = ""): Tamper {
  return (database, random) => {
    const position = random.pick(positions(database, where));
    database.prepare(`UPDATE events SET ${assignment} WHERE position = ?`).run(position);
    return position;
  };
}

export function positions(database: Database.Database, where = ""): number[] {
  return database.prepare<[], number>(`SELECT position FROM events ${where} ORDER BY position`).pluck().all();
}

/** Two different ones, the first before the second. */
function twoOf(all: readonly number[], random: Random): [number, number] {
  const one = random.below(all.length - 1);
  const two = one + 1 + random.below(all.length - one - 1);
  return [all[one] ?? 0, all[two] ?? 0];
}

/** An event with the content of another, as the next one of its stream, its id and leaf hash made up. */
function insertCopy(database: Database.Database, from: number, to: number): void {
  const version = "(SELECT max(stream_version) + 1 FROM events WHERE stream = e.stream)";
  const made: Record<string, string> = { position: "?", id: "randomblob(16)", stream_version: version };
  const columns = database.prepare<[], string>("SELECT name FROM pragma_table_info('events')").pluck().all();
  const values = columns.map((column) => made[column] ?? column);
  database.prepare(`INSERT INTO events SELECT ${values} FROM events e WHERE position = ?`).run(to, from);
}

/** Gives an event the leaf hash of what it says now. */
export function rehash(database: Database.Database, position: number): void {
  const row = storedRows(database).find((each) => each.position === position);
  if (!row) throw new Error(`There is no position ${position}.`);
  database
    .prepare("UPDATE events SET leaf_hash = ? WHERE position = ?")
    .run(Buffer.from(recomputedLeafHash(row), "hex"), position);
}
