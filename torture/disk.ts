import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command, Operation } from "./adapter.ts";
import { perform } from "./process.ts";

/** What a program did to a file system; paths are relative to the project's folder. */
export type Change =
  | { readonly kind: "create" | "sync" | "unlink"; readonly path: string }
  | {
      readonly kind: "write";
      readonly path: string;
      readonly position: number | "end";
      readonly data: Buffer;
    }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "rename" | "link"; readonly path: string; readonly to: string };

export type Files = ReadonlyMap<string, Buffer>;

/** All files of a folder. */
export function readFiles(folder: string): Files {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path), readFileSync(path));
  }
  return files;
}

/** Makes a folder hold these files and no others; its folders stay. */
export function writeFiles(folder: string, files: Files): void {
  for (const path of readFiles(folder).keys()) rmSync(join(folder, path));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The content of a file as changes make it; `synced` is how many of them an fsync has made sure of. */
interface Inode {
  readonly before: Buffer;
  readonly changes: Change[];
  synced: number;
}

/**
 * A disk as ext4 keeps it by default, in its kind reading: an fsync of any file or folder also saves all names that were made, changed
 * or removed before it. A file's content is sure after its own fsync, and not before.
 */
export class Disk {
  #names = new Map<string, Inode>();
  #savedNames = new Map<string, Inode>();

  /** @param files what is on the disk for sure */
  constructor(files: Files) {
    for (const [path, before] of files) this.#names.set(path, { before, changes: [], synced: 0 });
    this.#savedNames = new Map(this.#names);
  }

  apply(change: Change): void {
    const inode = this.#names.get(change.path);
    switch (change.kind) {
      case "create":
        if (!inode) this.#names.set(change.path, { before: Buffer.alloc(0), changes: [], synced: 0 });
        break;
      case "unlink":
        this.#names.delete(change.path);
        break;
      case "rename":
      case "link":
        if (!inode) break;
        if (change.kind === "rename") this.#names.delete(change.path);
        this.#names.set(change.to, inode);
        break;
      case "sync":
        if (inode) inode.synced = inode.changes.length;
        this.#savedNames = new Map(this.#names);
        break;
      default:
        inode?.changes.push(change);
    }
  }

  /** What the programs see; also after a SIGKILL, which leaves the kernel's pages alone. */
  seen(): Files {
    return new Map([...this.#names].map(([path, { before, changes }]) => [path, contentOf(before, changes)]));
  }

  /**
   * What is there after a power cut: what was synced, and of the later writes those that `survives` chooses. Names are the saved ones.
   */
  afterCut(survives: (change: Change) => boolean = () => false): Files {
    return new Map(
      [...this.#savedNames].map(([path, { before, changes, synced }]) => [
        path,
        contentOf(before, [...changes.slice(0, synced), ...changes.slice(synced).filter(survives)]),
      ]),
    );
  }
}

function contentOf(before: Buffer, changes: readonly Change[]): Buffer {
  let content = before;
  for (const change of changes) {
    if (change.kind === "truncate") {
      content = Buffer.concat([
        content.subarray(0, change.size),
        Buffer.alloc(Math.max(0, change.size - content.length)),
      ]);
    } else if (change.kind === "write") {
      const { data } = change;
      const position = change.position === "end" ? content.length : change.position;
      const wide = Buffer.alloc(Math.max(content.length, position + data.length));
      content.copy(wide);
      data.copy(wide, position);
      content = wide;
    }
  }
  return content;
}

const CALLS =
  "openat,open,creat,write,writev,pwrite64,pwritev,lseek,ftruncate,truncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,sendfile,copy_file_range";

/**
 * Performs an operation under strace, and gives what it did to the folder's files and whether it was acknowledged.
 *
 * @throws NotModelled if the changes that were recorded do not make the files that are there: the program wrote in a way that is not modelled
 */
export async function recordChanges(
  operation: Operation,
  folder: string,
): Promise<{ ok: boolean; changes: Change[] }> {
  const before = readFiles(folder);
  const trace = `${folder}.trace`;
  const changes: Change[] = [];
  let ok = true;
  for (const command of operation) {
    ok = (await perform([traced(command, trace)], folder)).ok;
    changes.push(...parse(readFileSync(trace, "latin1"), folder));
    rmSync(trace);
    if (!ok) break;
  }
  const disk = new Disk(before);
  for (const change of changes) disk.apply(change);
  const seen = disk.seen();
  for (const [path, content] of readFiles(folder)) {
    if (isVolatile(path) || seen.get(path)?.equals(content)) continue;
    throw new NotModelled(`strace did not see all that was written to ${path}.`);
  }
  return { ok, changes };
}

/** The program wrote in a way that is not modelled, so that nothing can be said of it. */
export class NotModelled extends Error {}

/** Whether strace is there. */
export function canRecord(): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "strace")));
}

/** The index of SQLite's WAL is made anew after a power cut; it is mapped, so strace does not see it. */
function isVolatile(path: string): boolean {
  return path.endsWith("-shm");
}

function traced({ argv, ...rest }: Command, trace: string): Command {
  return {
    ...rest,
    argv: [
      "strace",
      "-f",
      "--seccomp-bpf",
      "-qq",
      "-y",
      "-xx",
      "-s",
      "10000000",
      "-e",
      `trace=${CALLS}`,
      "-o",
      trace,
      ...argv,
    ],
  };
}

/** `pid call(3<path>, "data", …) = result`, with all strings in hexadecimal; a call that another thread interrupts is in two lines. */
function parse(trace: string, folder: string): Change[] {
  const begun = new Map<string, string>();
  const positions = new Map<string, number>();
  const appends = new Set<string>();
  const changes: Change[] = [];
  const inFolder = (path: string): string | undefined => {
    const found = relative(folder, resolve(folder, path));
    return found.startsWith("..") ? undefined : found;
  };
  for (const raw of trace.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(raw) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(pid, rest.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const line = resumed ? `${begun.get(pid) ?? ""}${resumed[1]}` : rest;
    const [, call = "", args = "", result = ""] = /^(\w+)\((.*)\)\s+= (\d+)/.exec(line) ?? [];
    if (call === "") continue;
    const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = ""]) => bytes(hex));
    // A file has an absolute path; pipes and sockets have other names.
    const descriptor = /^(\d+)<(\\x2f[^>]*)>/.exec(args);
    const key = `${descriptor?.[0]}`;
    const own = descriptor ? inFolder(bytes(descriptor[2] ?? "").toString()) : undefined;
    const named = strings.map((name) => inFolder(name.toString()));
    const numbers =
      args
        .replace(/"[^"]*"/g, "")
        .replace(/<[^>]*>/g, "")
        .match(/\d+/g)
        ?.map(Number) ?? [];
    switch (call) {
      case "open":
      case "creat":
      case "openat": {
        const opened = /= (\d+)<([^>]*)>/.exec(line);
        const path = opened ? inFolder(bytes(opened[2] ?? "").toString()) : undefined;
        if (!opened || path === undefined) break;
        const fd = `${opened[1]}<${opened[2]}>`;
        positions.set(fd, 0);
        if (args.includes("O_APPEND")) appends.add(fd);
        else appends.delete(fd);
        if (args.includes("O_CREAT") || call === "creat") changes.push({ kind: "create", path });
        if (args.includes("O_TRUNC") || call === "creat") changes.push({ kind: "truncate", path, size: 0 });
        break;
      }
      case "lseek":
        positions.set(key, Number(result));
        break;
      case "write":
      case "writev":
      case "pwrite64":
      case "pwritev": {
        if (own === undefined) break;
        const data = Buffer.concat(strings).subarray(0, Number(result));
        const at = call.startsWith("p") ? (numbers.at(-1) ?? 0) : (positions.get(key) ?? 0);
        changes.push({ kind: "write", path: own, position: appends.has(key) ? "end" : at, data });
        if (!call.startsWith("p")) positions.set(key, at + data.length);
        break;
      }
      case "ftruncate":
        if (own !== undefined) changes.push({ kind: "truncate", path: own, size: numbers.at(-1) ?? 0 });
        break;
      case "truncate":
        if (named[0] !== undefined)
          changes.push({ kind: "truncate", path: named[0], size: numbers.at(-1) ?? 0 });
        break;
      case "unlink":
      case "unlinkat":
        if (named[0] !== undefined) changes.push({ kind: "unlink", path: named[0] });
        break;
      case "rename":
      case "renameat":
      case "renameat2":
      case "link":
      case "linkat":
        if (named[0] !== undefined && named[1] !== undefined)
          changes.push({ kind: call.startsWith("rename") ? "rename" : "link", path: named[0], to: named[1] });
        break;
      case "fsync":
      case "fdatasync":
        if (own !== undefined) changes.push({ kind: "sync", path: own });
        break;
      default:
        if (own !== undefined) throw new NotModelled(`${call} to ${own} is not modelled.`);
    }
  }
  return changes;
}

function bytes(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal.replaceAll("\\x", ""), "hex");
}
