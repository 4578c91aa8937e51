import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { platform } from "../../lib/platform/here.ts";
import { type Check, type Finding, failed, ok, skipped, warning } from "./check.ts";

/** Whether the log has enough disk space, on a file system that SQLite can rely on. */
export const diskCheck: Check = {
  name: "disk",
  async look({ readModelPath, cwd }) {
    const folder = readModelPath === undefined ? cwd : dirname(readModelPath);
    const { bavail, bsize, type } = await statfs(existsSync(folder) ? folder : cwd);
    return [judgeSpace(bavail * bsize), judgeFileSystem(type)];
  },
};

const GB = 1_000_000_000;
const MB = 1_000_000;

/** @param bytes the space available to us */
export function judgeSpace(bytes: number): Finding {
  const found =
    bytes < GB ? `${Math.floor(bytes / MB)} MB are free` : `${Math.floor(bytes / GB)} GB are free`;
  const mend =
    "Free some space: below 16 MB the read model stops, and on a full disk the log refuses every report.";
  if (bytes < 100 * MB) return failed("disk", found, mend);
  return bytes < GB ? warning("disk", found, mend) : ok("disk", found);
}

/** @param type as the system numbers it */
export function judgeFileSystem(type: number): Finding {
  const network = platform().networkFileSystem(type);
  if (network === undefined)
    return skipped(
      "file system",
      "Its type is unknown on this system. It must not be a network file system.",
    );
  if (network === null) return ok("file system", "not a known network file system");
  return warning(
    "file system",
    `The project is on ${network}, where SQLite's locks and WAL files are unreliable`,
    "Move the project to a local disk.",
  );
}
