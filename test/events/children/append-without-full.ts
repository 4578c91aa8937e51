import Database from "better-sqlite3";

/* append-without-full <file> <count>: commits rows in WAL mode as better-sqlite3 does it by itself. */
const [path = "", count = "0"] = process.argv.slice(2);
const database = new Database(path);
database.pragma("journal_mode = WAL");
database.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
const insert = database.prepare("INSERT INTO rows (body) VALUES (?)");
for (let number = 1; number <= Number(count); number++) insert.run(`row ${number}`);
database.close();
