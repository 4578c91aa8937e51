import { existsSync, readFileSync } from "node:fs";
import { projectState } from "../../src/config/project-state.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { traceOf } from "../../src/events/sqlite-in-place.ts";

/** Lets a log's file be known as it is, without opening it. */
export function trustFile(readModelPath: string, known: object = { size: 0, whole: [] }): void {
  const path = logPathBeside(readModelPath);
  if (!existsSync(path)) return;
  // SQLite's schema cookie (file format, 1.3.9).
  const file = `${traceOf(path)} ${readFileSync(path).readUInt32BE(40)}`;
  projectState(readModelPath).write("log.json", JSON.stringify({ ...known, file }));
}
