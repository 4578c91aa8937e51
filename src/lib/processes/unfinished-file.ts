import { createHash, randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { platform } from "../platform/here.ts";
import { runs } from "./identity.ts";

/** A path beside `path` for a file that is renamed to it once it is whole; it tells which process writes it. */
export function unfinishedPath(path: string): string {
  const unfinished = `${path}.${ownPlace()}-${process.pid}-${randomUUID()}`;
  own.add(resolve(unfinished));
  return unfinished;
}

/** Removes the unfinished files and folders of a folder whose processes were killed. Files of other hosts and containers stay. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, file = "", place, pid] = UNFINISHED.exec(name) ?? [];
    if (place === ownPlace() && !isWritten(resolve(folder, file), Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The second part tells a host and a container from others, the third is a process number there. */
const UNFINISHED =
  /^(.+\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-wal|-shm|-journal)?$/;

/** Unfinished files of this process: in a container a dead one may have had the same number. */
const own = new Set<string>();

function isWritten(path: string, pid: number): boolean {
  return pid === process.pid ? own.has(path) : runs({ host: hostname(), pid }) !== false;
}

function ownPlace(): string {
  return createHash("sha256")
    .update(JSON.stringify([hostname(), platform().processes.namespace()]))
    .digest("hex")
    .slice(0, 8);
}
