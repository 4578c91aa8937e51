import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LogError } from "../events/log-error.ts";

/** The nearest folder, from `start` upwards, that has `.ralph/`. @throws LogError `disk` */
export function findProject(start: string): string {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".ralph"))) return folder;
    if (folder === dirname(folder)) {
      throw new LogError(
        "disk",
        `There is no .ralph/ in ${resolve(start)} or any folder above it. Create a project with \`signalbox init\`, or name one with --db.`,
      );
    }
  }
}
