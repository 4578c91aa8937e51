import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { startProcess, useBundle } from "../children.ts";
import { temporaryFolder } from "./given.ts";

/*
 * What is acknowledged survives a power cut only if its commit was followed by an fsync of the WAL. Counted from outside,
 * since SQLite reports synchronous=2 where better-sqlite3 behaves as NORMAL (design.md, traps). Catches: a writing
 * connection without `PRAGMA synchronous = FULL`.
 */

const appendBatches = useBundle("test/events/children/append-batches.ts");
const appendWithoutFull = useBundle("test/events/children/append-without-full.ts");

const N = 40;

/** Runs node under strace and gives the lines of its syncs and writes, in order. */
async function traced(tell: string, folder: string, ...args: readonly string[]): Promise<string[]> {
  const trace = join(folder, "trace");
  const strace = ["-f", "-y", "-e", "trace=fsync,fdatasync,write", "-o", trace, process.execPath];
  const child = startProcess("strace", [...strace, ...args]);
  child.tell(tell);
  await child.finish();
  return readFileSync(trace, "utf8").split("\n");
}

function givenFile(file: string): { folder: string; path: string } {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return { folder: folder.path, path: join(folder.path, file) };
}

const isSyncOf = (path: string) => (line: string) =>
  /\bf(data)?sync\(/.test(line) && line.includes(`${path}-wal>`);

test("each of 40 appends is followed by an fsync of the WAL before it is acknowledged", {
  tags: "strace",
}, async () => {
  const { folder, path } = givenFile("events.db");
  createLogFile(path);
  const lines = await traced("go", folder, appendBatches.path, path, "child", `${N}`, "1");
  const isSync = isSyncOf(path);
  expect(lines.filter(isSync).length).toBeGreaterThanOrEqual(N);
  // Between one acknowledgement on standard output and the next there is a sync.
  let synced = false;
  let acknowledgements = 0;
  for (const line of lines) {
    if (isSync(line)) synced = true;
    if (!/\bwrite\(1</.test(line) || !line.includes("child-")) continue;
    expect(synced, line).toBe(true);
    synced = false;
    acknowledgements += 1;
  }
  expect(acknowledgements).toBe(N);
});

test("appends that wait together share an fsync", { tags: "strace" }, async () => {
  const { folder, path } = givenFile("events.db");
  createLogFile(path);
  const lines = await traced("go", folder, appendBatches.path, path, "child", `${N}`, "1", "--at-once");
  const syncs = lines.filter(isSyncOf(path)).length;
  expect(syncs).toBeGreaterThanOrEqual(1);
  expect(syncs).toBeLessThan(N / 4);
});

test("control: without synchronous=FULL, 40 commits cause fewer fsyncs of the WAL", {
  tags: "strace",
}, async () => {
  const { folder, path } = givenFile("rows.db");
  const lines = await traced("", folder, appendWithoutFull.path, path, `${N}`);
  expect(lines.filter(isSyncOf(path)).length).toBeLessThan(N / 4);
});
