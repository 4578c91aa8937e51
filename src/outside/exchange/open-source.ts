import { createReadStream, lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { ExchangeError } from "./exchange-error.ts";

/** The largest file that is read as one text. */
const TEXT_LIMIT_BYTES = 32 * 1024 * 1024;

/** The bytes of a file, or of stdin for `-`. @throws ExchangeError `not_found`, `refused_file` */
export function openSource(path: string): AsyncIterable<Uint8Array> {
  if (path === "-") return process.stdin;
  checkFile(path);
  return createReadStream(path);
}

/** The text of a file. @throws ExchangeError `not_found`, `refused_file`; `malformed`: too large, or not UTF-8 */
export function readText(path: string): string {
  const { size } = checkFile(path);
  if (size > TEXT_LIMIT_BYTES) {
    throw new ExchangeError("malformed", `${path} has ${size} bytes; the limit is ${TEXT_LIMIT_BYTES}.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new ExchangeError("malformed", `${path} is not UTF-8 text.`, { cause });
  }
}

/** Only regular files: a symbolic link may lead to anything, and a pipe or device may never end. */
export function checkFile(path: string): Stats {
  const stats = look(path);
  if (stats.isFile()) return stats;
  const is = stats.isSymbolicLink() ? "a symbolic link" : "not a file";
  throw new ExchangeError("refused_file", `${path} is ${is}. Name the file itself.`);
}

/** The sorted names in a folder; none if it does not exist. @throws ExchangeError `refused_file` */
export function namesIn(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isDirectory()) return readdirSync(folder).sort();
  throw new ExchangeError("refused_file", `${folder} is not a folder, or a symbolic link to one.`);
}

/** The first existing one of some places below a folder. */
export function firstThere(folder: string, ...places: readonly string[]): string | undefined {
  return places
    .map((place) => join(folder, place))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }));
}

function look(path: string): Stats {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) return stats;
  throw new ExchangeError("not_found", `There is no file ${path}.`);
}
