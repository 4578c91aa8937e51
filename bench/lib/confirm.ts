import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configPathOf } from "../../src/config/config-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import { STATE_VARIABLE } from "../../src/config/state-folder.ts";
import { readModelPathIn } from "../../src/project/project.ts";

/** Gives a project a configuration that is confirmed beside it, not in the home of whoever runs the benches. */
export function confirm(folder: string, config: object): void {
  const path = configPathOf(readModelPathIn(folder));
  process.env[STATE_VARIABLE] = join(dirname(folder), "state");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(config));
  confirmConfig(inspectConfig(readModelPathIn(folder)));
}
