import { resolve } from "node:path";

/** The read model's file of the project in a folder: absolute, since gates and agents work in other folders. */
export function readModelPathIn(folder: string): string {
  return resolve(folder, ".ralph", "db", "ralph.db");
}
