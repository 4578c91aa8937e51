import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installed } from "../api/installed.ts";
import { loadedScripts } from "../support/loaded-scripts.ts";
import { freshProject } from "../support/project.ts";

/*
 * Catches: a package that cannot be used without `pg`, a driver that is looked for where nobody installs it, and users of SQLite
 * who wait for what they do not need.
 */
const LIBRARY = `
import { initProject, openProject } from "signalbox";
await initProject("shop");
const project = await openProject("shop");
console.log(await project.log.head() > 0);
await project.close();
process.env.SIGNALBOX_LOG_URL = "postgres://shop:canary@127.0.0.1:1/fleet";
await openProject("shop").catch((error) => console.log(error.message));
`;
const SENTENCE =
  /^This project's log is on a PostgreSQL, and the package pg is not installed\. Run `npm install pg` /;

test("without pg a file is opened, and for a server a sentence says what to install, each time", () => {
  const { folder, run } = installed();
  writeFileSync(join(folder, "program.mjs"), LIBRARY);
  const [hasFile, sentence = "", ...more] = run("program.mjs").stdout.trimEnd().split("\n");
  expect([hasFile, more]).toEqual(["true", []]);
  expect(sentence).toMatch(SENTENCE);
  expect(run("node_modules/signalbox/bin/signalbox.js", "--help").stdout).toContain("fleet");
  writeFileSync(join(folder, "twice.mjs"), TWICE);
  const told = run("twice.mjs");
  expect(told.stderr.split("\n").filter((line) => line !== "")).toEqual([
    expect.stringMatching(/npm install pg/),
    expect.stringMatching(/npm install pg/),
  ]);
});

/** A process that asks again, as a server does: its second call fails like the first. */
const TWICE = `
process.env.SIGNALBOX_LOG_URL = "postgres://shop@127.0.0.1:1/fleet";
const { main } = (await import("./node_modules/signalbox/dist/cli.cjs")).default;
const list = ["node", "signalbox", "task", "list", "--db", "shop/.ralph/db/ralph.db"];
await main(list);
await main(list);
process.exitCode = 0;
`;

test("the driver is found beside the package, by the library and by the program", () => {
  const { folder, run } = installed();
  const pg = join(folder, "node_modules/pg");
  mkdirSync(pg);
  writeFileSync(join(pg, "package.json"), JSON.stringify({ name: "pg", main: "pg.js" }));
  writeFileSync(join(pg, "pg.js"), 'throw new Error("The driver is loaded.");');
  writeFileSync(join(folder, "program.mjs"), LIBRARY);
  expect(run("program.mjs").stdout).toContain("The driver is loaded.");
  writeFileSync(join(folder, "twice.mjs"), TWICE);
  expect(run("twice.mjs").stderr).toContain("The driver is loaded.");
});

test("a command on a file loads nothing that asks for the driver", async () => {
  const { db } = await freshProject();
  const list = ["task", "list", "--db", db];
  const namesOf = async (env = {}) => (await loadedScripts(list, { env })).map(({ name }) => name);
  const ofDriver = /^adapters_postgres/;
  const loaded = await namesOf();
  expect(loaded).toContain("events_open_log");
  expect(loaded.filter((name) => ofDriver.test(name))).toEqual([]);
  const other = await namesOf({ SIGNALBOX_LOG_URL: "postgres://shop@127.0.0.1:1/fleet" });
  expect(other.some((name) => ofDriver.test(name))).toBe(true);
});
