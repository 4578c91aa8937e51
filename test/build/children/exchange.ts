import { createInterface } from "node:readline";
import { exchange } from "../../../scripts/exchange.mjs";
import { staged } from "../staged.ts";

// Prepares a build of the name that each line gives, says so, and exchanges it at the next line.
const [, , dist = ""] = process.argv;
const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const staging = staged(dist, line.value);
  console.log("staged");
  await lines.next();
  await exchange(staging, dist, line.value);
  console.log("exchanged");
}
