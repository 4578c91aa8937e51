import type Database from "better-sqlite3";
import type { Random } from "../../bench/lib/random.ts";
import { positions, rehash, type SkilledTamper, type Tamper, WHOLE } from "./log-tampers.ts";

/** Changes to what redactions have left; each is found without anything but the log. */
export const redactionTampers: Readonly<Record<string, Tamper>> = {
  "other words in what a redaction kept": (database, random) => {
    const { by } = pick(database, random);
    keep(database, by, "says", "something else");
    return by;
  },
  "words that its type cannot have in what a redaction kept, its hash fitting": (database, random) => {
    const { by } = pick(database, random);
    keep(database, by, "says", "something else");
    rehash(database, by);
    return by;
  },
  "another hash in the place of a redacted payload": (database, random) => {
    const { of } = pick(database, random);
    database.prepare("UPDATE events SET payload_hash = randomblob(32) WHERE position = ?").run(of);
    return of;
  },
  "no hash in the place of a redacted payload": (database, random) => {
    const { of } = pick(database, random);
    database.prepare("UPDATE events SET payload_hash = NULL WHERE position = ?").run(of);
    return of;
  },
  "another actor of a redacted event": (database, random) => {
    const { of } = pick(database, random);
    database.prepare("UPDATE events SET actor = actor || 's' WHERE position = ?").run(of);
    return of;
  },
  "other words in the place of redacted ones": (database, random) => {
    const { of } = pick(database, random);
    unredact(database, of);
    return of;
  },
  "other words in the place of redacted ones, their hash fitting": (database, random) => {
    const { of } = pick(database, random);
    unredact(database, of);
    rehash(database, of);
    return of;
  },
  "a payload taken out without a redaction, its hash fitting": (database, random) => {
    const of = random.pick(positions(database, `${WHOLE} AND type <> 'event.redacted'`));
    takeOut(database, of);
    rehash(database, of);
    return of;
  },
  "a redaction deleted": (database, random) => {
    const last = positions(database).at(-1);
    const { by } = pick(database, random, `AND position < ${last}`);
    database.prepare("DELETE FROM events WHERE position = ?").run(by);
    return by;
  },
  "the last redaction deleted, all behind it renumbered, the hashes fitting": (database) => {
    const { of, by } = redactions(database).at(-1) ?? NONE;
    database.prepare("DELETE FROM events WHERE position = ?").run(by);
    database.prepare("UPDATE events SET position = -position WHERE position > ?").run(by);
    database.exec("UPDATE events SET position = -position - 1 WHERE position < 0");
    for (const each of positions(database, `WHERE position >= ${by}`)) rehash(database, each);
    return of;
  },
  "a redaction of another event, its hash fitting": (database, random) => {
    const { of, by } = pick(database, random);
    const other = random.pick(positions(database, `${WHOLE} AND position < ${by}`));
    database
      .prepare("UPDATE events SET payload = json_set(payload, '$.position', ?) WHERE position = ?")
      .run(other, by);
    rehash(database, by);
    return Math.min(of, other);
  },
};

/** Other words where a text may be: the log is as right as any, and only a head from before tells. */
export const putWords: SkilledTamper = (database, random, kept) => {
  const { by } = pick(
    database,
    random,
    `AND position <= ${kept} AND json_extract(payload, '$.type') = 'comment.added'`,
  );
  keep(database, by, "body", "I said that all is fine");
  rehash(database, by);
  return by;
};

/** Of an event that is no redaction itself. */
interface Redacted {
  /** The position of the redacted event. */
  readonly of: number;
  /** That of the redaction, which has its payload still. */
  readonly by: number;
}

const NONE: Redacted = { of: 0, by: 0 };

function redactions(database: Database.Database, where = ""): Redacted[] {
  return database
    .prepare<[], Redacted>(
      `SELECT json_extract(payload, '$.position') AS "of", position AS "by" FROM events
       WHERE type = 'event.redacted' AND json_extract(payload, '$.type') <> 'event.redacted' ${where} ORDER BY position`,
    )
    .all();
}

function pick(database: Database.Database, random: Random, where = ""): Redacted {
  return random.pick(redactions(database, where));
}

/** Changes a field of what a redaction kept, or adds one. */
function keep(database: Database.Database, by: number, field: string, words: string): void {
  database
    .prepare(`UPDATE events SET payload = json_set(payload, '$.kept.${field}', ?) WHERE position = ?`)
    .run(words, by);
}

/** Makes a redacted event say what its redaction kept, with a salt of its own. */
function unredact(database: Database.Database, of: number): void {
  const said = `SELECT json_extract(payload, '$.kept') FROM events
    WHERE type = 'event.redacted' AND json_extract(payload, '$.position') = :of`;
  database
    .prepare(
      `UPDATE events SET payload = (${said}), salt = randomblob(16), payload_hash = NULL WHERE position = :of`,
    )
    .run({ of });
}

function takeOut(database: Database.Database, of: number): void {
  database
    .prepare(
      "UPDATE events SET payload = NULL, salt = NULL, payload_hash = randomblob(32) WHERE position = ?",
    )
    .run(of);
}
