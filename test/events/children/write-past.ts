import Database from "better-sqlite3";

/*
 * write-past <events.db>: another program, which looks for no -wal that was removed, writes to a log and keeps it open.
 */
const [path = ""] = process.argv.slice(2);
const database = new Database(path);
database.exec("CREATE TABLE past (x)");
process.stdout.write("written\n");
for await (const _ of process.stdin);
database.close();
