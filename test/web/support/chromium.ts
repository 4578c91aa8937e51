import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian's chromium, or another one, is; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
