import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { initProject } from "../../src/api/project.ts";
import { readModelPathIn } from "../../src/api/read-model-path.ts";
import { previewUpgrade } from "../../src/cli/upgrade/index.ts";
import { createTask } from "../../src/index.ts";
import { beat, signOff } from "../../src/loop/drivers/registry.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, reopened } from "../support/project.ts";

/* Catches: a look that writes or opens, an older or newer log of which nothing is said, an upgrade beside a loop that runs. */
async function given() {
  const folder = freshFolder();
  await initProject(folder);
  await reopened(folder, (project) => project.decide(createTask({ title: "First" })));
  const readModelPath = readModelPathIn(folder);
  const place = { cwd: folder, env: {}, noProject: "", readModelPath };
  const look = async () =>
    Object.fromEntries((await previewUpgrade(place)).map(({ name, ...finding }) => [name, finding]));
  return { folder, readModelPath, logPath: join(folder, ".ralph", "db", "events.db"), look };
}

/** Changes a database as another version would have left it. */
function change(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

/** An event as another version recorded it; nobody checks its hash before it is read. */
const eventOf = (type: string, version: number) =>
  `INSERT INTO events SELECT position + 1, randomblob(16), stream, stream_version + 1, '${type}', ${version}, payload, salt,
   '2099-01-01 00:00:00.000000', actor, causation, correlation, leaf_hash FROM events ORDER BY position DESC LIMIT 1`;

/** Every file of a folder, with its bytes. */
function bytesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), "base64"),
    ]),
  );
}

test("a project of this version opens as it is, and the look changes no byte and makes no file", async () => {
  const { folder, look } = await given();
  const before = bytesIn(folder);
  const found = await look();
  expect(bytesIn(folder)).toEqual(before);
  expect(found.log?.found).toBe("3 events; opening it changes nothing in the log");
  expect(found.events?.found).toBe("all have the schema versions of this version");
  expect(found["read model"]?.found).toBe("this version uses it as it is");
  expect(found["going back"]).toMatchObject({
    state: "ok",
    mend: expect.stringContaining("signalbox backup"),
  });
});

test("of an older project it says what is rebuilt and which events are converted, and changes no byte", async () => {
  const { folder, readModelPath, logPath, look } = await given();
  change(logPath, eventOf("task.created", 1));
  change(readModelPath, "UPDATE projections SET version = version - 1 WHERE name IN ('board', 'features')");
  const before = bytesIn(folder);
  const found = await look();
  expect(bytesIn(folder)).toEqual(before);
  expect(found.events?.found).toBe(
    "1 event of older schema versions (task.created 1): converted on reading, never rewritten",
  );
  expect(found["read model"]).toMatchObject({
    state: "ok",
    found: expect.stringMatching(
      /^the first command rebuilds (board, features|features, board) from 4 events, in roughly 1 s/,
    ),
  });
});

test.for([
  ["a newer format of the log", "log", "PRAGMA user_version = 99", /has format 99; this version/],
  [
    "an event of a newer schema version",
    "log",
    eventOf("task.created", 99),
    /task.created of schema version 99/,
  ],
  ["an event of a type that is not known", "log", eventOf("task.sung", 1), /task.sung of schema version 1/],
  ["a newer read model", "read model", "UPDATE projections SET version = 99", /a newer version built it/],
] as const)("%s is said plainly, and nothing of going back", async ([, name, sql, words]) => {
  const { folder, readModelPath, logPath, look } = await given();
  change(name === "log" ? logPath : readModelPath, sql);
  const before = bytesIn(folder);
  const found = await look();
  expect(bytesIn(folder)).toEqual(before);
  expect(found[name]).toMatchObject({ state: "failed", found: expect.stringMatching(words) });
  expect(found[name]?.mend).toContain("Keep the newer version");
  expect(found["going back"]?.state).toBe("skipped");
});

test("a loop that runs is to be stopped first", async () => {
  const { readModelPath, look } = await given();
  beat(readModelPath, "loop-1", process.pid);
  expect((await look()).running).toMatchObject({
    state: "warning",
    mend: expect.stringContaining("work stop loop-1"),
  });
  signOff(readModelPath, "loop-1");
  expect((await look()).running?.state).toBe("ok");
});

test("the commands of the page Upgrading: look, back up, go back to the backup", async () => {
  const { folder, logPath } = await given();
  expect(await signalboxJson(["upgrade"], { cwd: folder })).toContainEqual(
    expect.objectContaining({ name: "log", state: "ok" }),
  );
  const backup = join(folder, "before.db");
  expect((await signalbox(["backup", backup], { cwd: folder })).exitCode).toBe(0);
  const restored = join(folder, "restored");
  expect((await signalbox(["restore", backup, restored], { cwd: folder })).exitCode).toBe(0);
  change(logPath, "PRAGMA user_version = 99");
  const refused = await signalbox(["upgrade"], { cwd: folder });
  expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("Keep the newer version") });
});
