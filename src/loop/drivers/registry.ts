import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../../events/private-folder.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { identityOf, type ProcessIdentity, runs } from "../../processes/identity.ts";

/**
 * Signs of life of drivers: a file for each in `.ralph/drivers/`, touched at every beat. Whether a driver lives is no fact to keep
 * for ever, so it is not in the log; what follows from its death is (docs/decisions/0021).
 */
export const BEAT_MS = 2_000;
/** A driver that has given no sign for this long is gone, unless its process is known to run. */
const SILENCE_LIMIT_MS = 30_000;

const entrySchema = z.object({
  driver: z.string(),
  host: z.string(),
  pid: z.int(),
  began: z.string().optional(),
  pid_namespace: z.string().optional(),
});

export interface DriverView {
  readonly driver: string;
  readonly host: string;
  readonly pid: number;
  /** Milliseconds since its last beat. */
  readonly silent_ms: number;
  readonly alive: boolean;
}

/** Gives a driver's first sign of life, or another one. `pid` is the process whose life is the driver's. */
export function beat(readModelPath: string, driver: string, pid: number): void {
  const path = entryPath(readModelPath, driver);
  const entry = JSON.stringify({ driver, ...identityOf(pid) });
  if (readText(path) === entry) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  makePrivateFolder(folderOf(readModelPath));
  writeWhole(path, entry);
}

/** The driver has come to its end. */
export function signOff(readModelPath: string, driver: string): void {
  rmSync(entryPath(readModelPath, driver), { force: true });
}

/** Every driver that has given a sign and not signed off. */
export function listDrivers(readModelPath: string): DriverView[] {
  return namesIn(folderOf(readModelPath)).flatMap((name) => {
    const view = viewOf(join(folderOf(readModelPath), name));
    return view ? [view] : [];
  });
}

/** Whether a driver lives. One without a file has signed off, or was never there. */
export function isAlive(readModelPath: string, driver: string): boolean {
  return viewOf(entryPath(readModelPath, driver))?.alive ?? false;
}

function viewOf(path: string): DriverView | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  let entry: z.infer<typeof entrySchema>;
  let silent_ms: number;
  try {
    entry = entrySchema.parse(JSON.parse(text));
    silent_ms = Math.max(0, Date.now() - statSync(path).mtimeMs);
  } catch {
    return undefined;
  }
  const identity: ProcessIdentity = entry;
  return {
    driver: entry.driver,
    host: entry.host,
    pid: entry.pid,
    silent_ms,
    alive: runs(identity) ?? silent_ms < SILENCE_LIMIT_MS,
  };
}

function folderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "drivers");
}

function entryPath(readModelPath: string, driver: string): string {
  return join(folderOf(readModelPath), `${encodeURIComponent(driver)}.json`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
