import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { catchUp } from "../../../src/read-model/worker.ts";

/* reduce-and-hang <events.db> <ralph.db>: reduces the first batch of a log, says so, and stays there. */
const [logPath = "", readModelPath = ""] = process.argv.slice(2);

class Hanging extends ReadModel {
  override advance(...batch: Parameters<ReadModel["advance"]>): boolean {
    const done = super.advance(...batch);
    process.stdout.write(`${this.position()}\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return done;
  }
}

await catchUp(new Hanging(readModelPath), openSqliteLog(logPath, systemEnvironment()));
