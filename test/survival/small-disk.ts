import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../events/given.ts";

/** A file system of its own, in memory, which a test can fill. It takes root to mount one. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all room but this with a file that is in the way. */
  leave(bytes: number): void;
  /** Removes that file. */
  makeRoom(): void;
  remove(): void;
}

export function mountSmallDisk(size_bytes: number): SmallDisk {
  const folder = temporaryFolder();
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${size_bytes}`, "tmpfs", folder.path]);
  } catch (error) {
    folder.remove();
    throw error;
  }
  const ballast = join(folder.path, "ballast");
  const free_bytes = () => {
    const { bavail, bsize } = statfsSync(folder.path);
    return bavail * bsize;
  };
  return {
    path: folder.path,
    leave: (bytes) => writeFileSync(ballast, Buffer.alloc(Math.max(0, free_bytes() - bytes))),
    makeRoom: () => rmSync(ballast),
    remove() {
      // Lazily, so that it goes even if a process still has a file open there.
      execFileSync("/bin/umount", ["--lazy", folder.path]);
      folder.remove();
    },
  };
}
