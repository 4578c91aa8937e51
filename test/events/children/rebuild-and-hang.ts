import { openStore } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { rebuild } from "../../../src/read-model/rebuild.ts";

/* rebuild-and-hang <ralph.db>: starts a rebuild, says so when rows are there, and stays in the midst of it. */
const [path = ""] = process.argv.slice(2);
const { log, readModel } = await openStore(path, systemEnvironment());
await rebuild(readModel, log, readModel.projections, () => {
  process.stdout.write("in the midst\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
