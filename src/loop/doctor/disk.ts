import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type Check, type Finding, failed, ok, skipped, warning } from "./check.ts";

/** Whether the log has enough disk space, on a file system that SQLite can rely on. */
export const diskCheck: Check = {
  name: "disk",
  async look({ readModelPath, cwd }) {
    const folder = readModelPath === undefined ? cwd : dirname(readModelPath);
    const { bavail, bsize, type } = await statfs(existsSync(folder) ? folder : cwd);
    const kind =
      process.platform === "linux"
        ? judgeFileSystem(type)
        : skipped("file system", "Its type is unknown on this system. It must not be a network file system.");
    return [judgeSpace(bavail * bsize), kind];
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

/** @param type as Linux numbers them (statfs(2), linux/magic.h) */
export function judgeFileSystem(type: number): Finding {
  const network = NETWORKS.get(type);
  if (network === undefined) return ok("file system", "not a known network file system");
  return warning(
    "file system",
    `The project is on ${network}, where SQLite's locks and WAL files are unreliable`,
    "Move the project to a local disk.",
  );
}

const NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x19830326, "BeeGFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x73757245, "Coda"],
  [0x01021997, "9P, which may be a network file system or another system's disk"],
  [0x65735546, "FUSE, which may be a network file system or another system's disk"],
]);
