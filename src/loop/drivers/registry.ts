import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../../events/private-folder.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { identityOf, type ProcessIdentity, runs } from "../../processes/identity.ts";

/**
 * Heartbeats of drivers: one file each in `.ralph/drivers/`, touched at every beat. Whether a
 * driver is alive is not a lasting fact, so it is not in the log; the consequences of its death are
 * (docs/decisions/0021).
 */
export const BEAT_MS = 2_000;
/** A driver without a heartbeat for this long is dead, unless its process is known to run. */
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

/** Writes a driver's first or next heartbeat. `pid` is the driver's process. */
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

/** Removes a driver's heartbeat at its end. */
export function signOff(readModelPath: string, driver: string): void {
  rmSync(entryPath(readModelPath, driver), { force: true });
}

/** Every driver that has a heartbeat file. */
export function listDrivers(readModelPath: string): DriverView[] {
  return namesIn(folderOf(readModelPath)).flatMap((name) => {
    const view = viewOf(join(folderOf(readModelPath), name));
    return view ? [view] : [];
  });
}

/** Whether a driver is alive. One without a file has ended, or never existed. */
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
