// Copies a history beside a read model as an import does, and goes no further: `import-until-killed HISTORY READ_MODEL`.
import Database from "better-sqlite3";
import { copyDatabase } from "../../../../../src/events/copy-database.ts";
import { newHistoryPath } from "../../../../../src/history/time-travel/history/history-file.ts";

const [from = "", readModelPath = ""] = process.argv.slice(2);
const source = new Database(from, { readonly: true });
await copyDatabase(source, newHistoryPath(readModelPath), () => {
  process.stdout.write("copied\n");
  process.stdin.resume();
  return new Promise(() => {});
});
