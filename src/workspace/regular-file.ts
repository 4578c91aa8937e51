import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** The content of a file; undefined if there is none, or something else: follows no link, and waits at no FIFO. */
export function readRegular(path: string): Buffer | undefined {
  const fd = openedAsIs(path, constants.O_NONBLOCK);
  if (fd === undefined) return undefined;
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Opens a path to read, if it is no link; undefined if it cannot be opened. */
export function openedAsIs(path: string, how: number): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | how);
  } catch {
    return undefined;
  }
}
