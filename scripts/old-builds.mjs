// @ts-check
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const HOUR_MS = 3_600_000;

/**
 * Removes from `dist/` what is not of the current build, is older than an hour (until then it may be starting, or still
 * be written), and is not held open by a process. Where no `/proc` tells who holds it, it stays for a week.
 *
 * @param {string} dist
 * @param {ReadonlySet<string>} current the names in `dist/` that are of the current build
 */
export function removeOldBuilds(dist, current) {
  const old = readdirSync(dist).filter((name) => !current.has(name));
  if (old.length === 0) return;
  const held = heldPaths();
  const age_ms = held === undefined ? 7 * 24 * HOUR_MS : HOUR_MS;
  for (const name of old) {
    const path = join(realpathSync(dist), name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined || Date.now() - changed < age_ms || held?.has(path)) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/** What the processes that we may look at have open. */
function heldPaths() {
  if (!existsSync("/proc/self/fd")) return undefined;
  /** @type {Set<string>} */
  const held = new Set();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    for (const link of descriptorsOf(pid)) held.add(link);
  }
  return held;
}

/** @param {string} pid */
function descriptorsOf(pid) {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => linkOf(join(folder, fd)));
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

/** @param {string} path */
function linkOf(path) {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
