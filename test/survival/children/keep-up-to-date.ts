import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { retry, timer } from "rxjs";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { keepUpToDate } from "../../../src/read-model/worker.ts";

/*
 * keep-up-to-date <events.db> <ralph.db>: keeps the read model up to date, as an MCP server does, and prints each position
 * that it has come to, and each failure. For every line of its input it reads log and read model, and prints what it saw.
 */
const [logPath = "", readModelPath = ""] = process.argv.slice(2);
const log = openSqliteLog(logPath, systemEnvironment());
const readModel = new ReadModel(readModelPath);

const worker = keepUpToDate(readModel, log)
  .pipe(
    retry({
      delay: (error) => {
        print({ failed: error.name, code: error.code });
        return timer(50);
      },
    }),
  )
  .subscribe((position) => print({ position }));

for await (const _question of createInterface(process.stdin)) {
  const events = await log.read(0, 10_000);
  print({ events: events.length, position: readModel.snapshot(() => readModel.position()) });
}
worker.unsubscribe();
await log.close();
readModel.close();

function print(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
