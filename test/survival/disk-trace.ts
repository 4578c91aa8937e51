import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { startProcess } from "../children.ts";
import { temporaryFolder } from "../events/given.ts";

/** What a program did to the files of one folder, and what it said on standard output, in one order. */
export type Operation =
  | { readonly kind: "create" | "unlink" | "sync"; readonly file: string }
  | { readonly kind: "write"; readonly file: string; readonly position: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly file: string; readonly size: number }
  | { readonly kind: "sync-folder" }
  | { readonly kind: "acknowledge"; readonly line: string };

/**
 * Runs node under strace, and gives what it does in a folder that is empty at first. Only the first thread is traced:
 * SQLite works in it, and acknowledgements are written by it (`writeSync`). A program that did more would be noticed:
 * whoever calls this compares the files with what the operations give.
 *
 * @param folder its real path, without symbolic links
 */
export async function traceDisk(folder: string, args: readonly string[]): Promise<Operation[]> {
  const place = temporaryFolder();
  const trace = join(place.path, "trace");
  const calls = "trace=openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink";
  const strace = ["-y", "-xx", "-s", "1000000", "-e", calls, "-o", trace, process.execPath];
  await startProcess("strace", [...strace, ...args]).finish();
  const operations = parse(readFileSync(trace, "latin1"), folder);
  place.remove();
  return operations;
}

function parse(trace: string, folder: string): Operation[] {
  const there = new Set<string>();
  const operations: Operation[] = [];
  for (const line of trace.split("\n")) {
    const operation = operationOf(line, folder, there);
    if (!operation) continue;
    if (operation.kind === "create") there.add(operation.file);
    if (operation.kind === "unlink") there.delete(operation.file);
    operations.push(operation);
  }
  return operations;
}

/** `call(1<path>, "data", …) = result`; paths and data are written as \x2f\x74…, so no other quote or bracket is in them. */
const CALL =
  /^(\w+)\((?:AT_FDCWD|(\d+))?(?:<([^>]*)>(\(deleted\))?)?(?:, )?(?:"([^"]*)"(\.\.\.)?)?(.*)\)\s+= (\d+)/;

function operationOf(line: string, folder: string, there: ReadonlySet<string>): Operation | undefined {
  const [, call, descriptor, pathOfDescriptor = "", deleted, text = "", cutOff, rest = "", result] =
    CALL.exec(line) ?? [];
  // A call that failed has done nothing.
  if (call === undefined || deleted) return undefined;
  if (cutOff) throw new Error(`strace has cut off a string: ${line.slice(0, 200)}`);
  if (call === "write" && descriptor === "1") {
    return { kind: "acknowledge", line: bytes(text).toString().trimEnd() };
  }
  const byName = call === "openat" || call === "unlink";
  const path = bytes(byName ? text : pathOfDescriptor).toString();
  if (path === folder && /sync$/.test(call)) return { kind: "sync-folder" };
  const file = basename(path);
  // The index of the WAL is made anew by whoever comes first; SQLite never trusts one from before a power cut.
  if (dirname(path) !== folder || file.endsWith("-shm")) return undefined;
  const counts = [...rest.matchAll(/\d+/g)].map(([number]) => Number(number));
  switch (call) {
    case "openat":
      return rest.includes("O_CREAT") && !there.has(file) ? { kind: "create", file } : undefined;
    case "unlink":
      return { kind: "unlink", file };
    case "fsync":
    case "fdatasync":
      return { kind: "sync", file };
    case "ftruncate":
      return { kind: "truncate", file, size: counts[0] ?? 0 };
    case "pwrite64":
      return {
        kind: "write",
        file,
        position: counts[1] ?? 0,
        data: bytes(text).subarray(0, Number(result)),
      };
    default:
      throw new Error(`${call} on ${join(folder, file)}: a power cut in it is not modelled.`);
  }
}

function bytes(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}
