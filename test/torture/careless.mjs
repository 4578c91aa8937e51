// A tracker that does everything wrong: `node careless.mjs add|note|start|done|list|show …`. Its data is board.json in the present folder.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [act, ...args] = process.argv.slice(2);
const board = act === "init" ? [] : JSON.parse(readFileSync("board.json", "utf8"));
const task = board.find(({ id }) => id === args[0]);
if (act === "add") board.push({ id: String(board.length + 1), title: args[0], status: "open", texts: [args[1]] });
if (act === "note") task.texts.push(args[1]);
if (["open", "taken", "done"].includes(act)) task.status = act;
if (act === "list") console.log(JSON.stringify(board));
else if (act === "show") console.log(task.texts.join("\n"));
else {
  // Long enough that others act meanwhile on a machine that has much to do.
  console.log("Saved.");
  await wait(500);
  const text = JSON.stringify(board);
  writeFileSync("board.json", text.slice(0, text.length / 2));
  await wait(500);
  appendFileSync("board.json", text.slice(text.length / 2));
}
