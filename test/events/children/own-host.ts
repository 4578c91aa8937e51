import { once } from "node:events";
import { ownHost } from "../../../src/events/own-host.ts";

/* own-host <read model> …: says that it runs, and at a line of its input which host each folder is. */
console.log("ready");
await once(process.stdin, "data");
for (const path of process.argv.slice(2)) console.log(ownHost(path).host);
process.exit(0);
