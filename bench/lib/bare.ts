import Database from "better-sqlite3";

/** SQLite as every log here uses it: WAL, each commit synced. */
export function openBare(path: string): Database.Database {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  return database;
}

/** A bare insert of key and payload: what the disk and better-sqlite3 cost alone. */
export function openBareTable(path: string): { insert(payload: string): void; close(): void } {
  const database = openBare(path);
  database.exec("CREATE TABLE IF NOT EXISTS bare (key INTEGER PRIMARY KEY, payload TEXT NOT NULL) STRICT");
  const statement = database.prepare("INSERT INTO bare (key, payload) VALUES (?, ?)");
  let key = Number(database.prepare("SELECT coalesce(max(key), 0) FROM bare").pluck().get());
  return {
    insert: (payload) => void statement.run(++key, payload),
    close: () => void database.close(),
  };
}
