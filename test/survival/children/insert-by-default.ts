import { writeSync } from "node:fs";
import Database from "better-sqlite3";

/*
 * insert-by-default <rows.db> <rounds> <rows>: commits rows in WAL mode as better-sqlite3 does it by itself, one by one,
 * opening and closing the database in each round, and prints the number of each row after its commit.
 */
const [path = "", rounds = "0", rows = "0"] = process.argv.slice(2);
for (let round = 1; round <= Number(rounds); round++) {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS rows (number INTEGER PRIMARY KEY, body TEXT)");
  const insert = database.prepare("INSERT INTO rows (body) VALUES (?)");
  for (let count = 0; count < Number(rows); count++) {
    const { lastInsertRowid } = insert.run("some words ".repeat(30));
    writeSync(1, `${lastInsertRowid}\n`);
  }
  database.close();
}
