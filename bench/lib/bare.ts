import Database from "better-sqlite3";

/** SQLite as every log here uses it: WAL, each commit synced unless it is said otherwise. */
export function openBare(path: string, synchronous: "FULL" | "OFF" = "FULL"): Database.Database {
  // SQLite lets the slowest of many wait for long.
  const database = new Database(path, { timeout: 30_000 });
  database.pragma("journal_mode = WAL");
  database.pragma(`synchronous = ${synchronous}`);
  return database;
}

/** A bare insert of key and payload, from any number of processes: what the disk and better-sqlite3 cost alone. */
export function openBareTable(
  path: string,
  synchronous?: "FULL" | "OFF",
): { insert(payload: string): void; close(): void } {
  const database = openBare(path, synchronous);
  database.exec("CREATE TABLE IF NOT EXISTS bare (key INTEGER PRIMARY KEY, payload TEXT NOT NULL) STRICT");
  const statement = database.prepare("INSERT INTO bare (payload) VALUES (?)");
  return {
    insert: (payload) => void statement.run(payload),
    close: () => void database.close(),
  };
}
