import { randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { errorMessage } from "../lib/error-message.ts";
import { idFromKey } from "../lib/ids.ts";
import { parsedJson } from "../lib/json.ts";
import { LogError } from "../lib/log-error.ts";
import { ralphFolderOf } from "../lib/project-folder.ts";
import { contentOf } from "../lib/write-whole.ts";

/** A machine, or a container, with a folder of the project: what speaks for the drivers whose files lie there. */
export interface Host {
  /** The id by which events name it. */
  readonly host: string;
  /** For people: names repeat, above all in containers. */
  readonly name: string;
}

/**
 * The host that works in a project's folder. Its id follows from the random one in `.ralph/host.json`, made at the first call, from
 * the machine and from the folder's path. So a copied folder is another host (on another machine, in another container, or beside
 * the first one) without anybody having to notice the copy.
 *
 * @throws LogError `disk`: the file is damaged, or cannot be made
 */
export function ownHost(readModelPath: string, machine = thisMachine()): Host {
  const path = pathOf(readModelPath);
  return hostBy(contentOf(path) ?? made(path), path, machine);
}

/** The same; undefined if the file was not made yet. @throws LogError `disk`: it is damaged */
export function findOwnHost(readModelPath: string): Host | undefined {
  const path = pathOf(readModelPath);
  const text = contentOf(path);
  return text === undefined ? undefined : hostBy(text, path, thisMachine());
}

function pathOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "host.json");
}

function hostBy(text: string, path: string, machine: readonly string[]): Host {
  const { success, data } = hostFile.safeParse(parsedJson(text));
  if (!success) {
    throw new LogError(
      "disk",
      `${path} is damaged. Remove it, and signalbox makes another one; sessions that are open then count as another host's.`,
    );
  }
  return { host: idFromKey("host", data.id, ...machine, realpathSync(dirname(path))), name: hostname() };
}

const hostFile = z.object({ id: z.uuid() });

/** Makes the file, or reads that of a process that was faster. */
function made(path: string): string {
  const id = randomUUID();
  const beside = `${path}.${id}`;
  try {
    writeFileSync(beside, `${JSON.stringify({ id })}\n`, { flag: "wx", mode: 0o600 });
    putInPlace(beside, path);
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = errorMessage(cause);
    throw new LogError("disk", `${path} cannot be made: ${why}.`, { cause });
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Unlike a rename, neither replaces a file that is there. */
function putInPlace(beside: string, path: string): void {
  try {
    linkSync(beside, path);
  } catch (error) {
    if (isThere(error)) return;
    // The file system has no links.
    try {
      copyFileSync(beside, path, constants.COPYFILE_EXCL);
    } catch (second) {
      if (!isThere(second)) throw second;
    }
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

/** Containers of one image share the first, and machines without it are told apart by the second. */
function thisMachine(): readonly string[] {
  return [contentOf("/etc/machine-id")?.trim() ?? "", hostname()];
}
