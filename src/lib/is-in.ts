import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `folder` or in it; both real paths. */
export function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
