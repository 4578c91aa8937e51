import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readModelPathIn } from "../../src/api/project.ts";
import { configPathOf } from "../../src/config/config-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";

/** Gives a project a configuration, and confirms it. */
export function confirm(folder: string, config: object): void {
  const path = configPathOf(readModelPathIn(folder));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(config));
  confirmConfig(inspectConfig(readModelPathIn(folder)));
}
