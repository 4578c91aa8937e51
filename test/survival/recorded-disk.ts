import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { Random } from "../../bench/lib/random.ts";
import { type Operation, traceDisk } from "./disk-trace.ts";
import { cutPower, withoutCut } from "./power-cut.ts";

/** A folder for the present test; in memory, where that is possible, since disks are made in it by the thousand. */
export function temporaryDisk(): string {
  const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(parent, "signalbox-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a script under strace, with a file in a folder of its own, and makes sure that the operations recorded say all
 * that has happened to the files.
 */
export async function recordDisk(parent: string, file: string, script: string, ...args: readonly string[]) {
  const folder = join(parent, `recorded-${file}`);
  mkdirSync(folder);
  const path = join(folder, file);
  const operations = await traceDisk(folder, [script, path, ...args]);
  const files = withoutCut(operations);
  expect([...files.keys()]).toContain(file);
  for (const [name, content] of files)
    expect(content.equals(readFileSync(join(folder, name))), name).toBe(true);
  expectLives(operations.filter((operation) => "file" in operation && operation.file === `${file}-wal`));
  return { operations, path };
}

/**
 * Else there would be no power cuts in checkpoints, between two lives of a WAL, and around its removal. An empty WAL, which an opening
 * makes and removes to see whether others have the log open, has no life.
 */
function expectLives(wal: readonly Operation[]): void {
  const steps = wal.filter((operation) => isBeginning(operation) || operation.kind === "unlink");
  const beginnings = steps.filter(isBeginning).length;
  const ends = steps.filter(
    ({ kind }, index) => kind === "unlink" && steps[index - 1]?.kind !== "unlink" && index > 0,
  );
  expect(ends.length).toBeGreaterThanOrEqual(2);
  expect(beginnings).toBeGreaterThan(ends.length);
}

/** Writes what a disk may hold after the power cut of one point, and gives what was done and acknowledged before. */
export function diskAfterCut(point: number, parent: string, operations: readonly Operation[]) {
  const random = new Random(point);
  const before = operations.slice(0, cutOf(point, operations, random));
  const folder = join(parent, `${point}`);
  mkdirSync(folder);
  for (const [file, content] of cutPower(before, random)) writeFileSync(join(folder, file), content);
  return {
    before,
    acknowledged: before.flatMap((operation) => (operation.kind === "acknowledge" ? [operation.line] : [])),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Any run of points is spread evenly: half of them over all operations, half over the surroundings of those that are
 * rare: a file is made or removed, a checkpoint ends, a WAL begins again.
 */
function cutOf(point: number, operations: readonly Operation[], random: Random): number {
  const even = (limit: number) => Math.floor(((point * GOLDEN_RATIO) % 1) * limit);
  if (point % 2 === 0) return even(operations.length + 1);
  const rare = operations.flatMap((operation, index) => (isRare(operation) ? [index] : []));
  return Math.max(0, (rare[even(rare.length)] ?? 0) + random.below(20) - 10);
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

function isRare(operation: Operation): boolean {
  return ["create", "unlink", "truncate", "sync-folder"].includes(operation.kind) || isBeginning(operation);
}

/** The header of a WAL is written: for the first time, or over the one before, after a checkpoint. */
function isBeginning(operation: Operation): boolean {
  return operation.kind === "write" && operation.position === 0 && operation.file.endsWith("-wal");
}
