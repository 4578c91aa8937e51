import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LogError } from "../lib/log-error.ts";

/** The nearest folder, from `start` upwards, that has `.ralph/`; undefined if none has. */
export function projectAbove(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".ralph"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The same. @throws LogError `disk`: none has */
export function findProject(start: string): string {
  const folder = projectAbove(start);
  if (folder !== undefined) return folder;
  throw new LogError(
    "disk",
    `There is no .ralph/ in ${resolve(start)} or any folder above it. Create a project with \`signalbox init\`, or name one with --db.`,
  );
}
