import { join } from "node:path";

/** The read model's file of the project in a folder. */
export function readModelPathIn(folder: string): string {
  return join(folder, ".ralph", "db", "ralph.db");
}
