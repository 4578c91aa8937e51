import type { Command } from "commander";
import { z } from "zod";
import { ConfigError, parseConfig, readConfigFile, valueIn } from "../../config/config.ts";
import { configPathOf } from "../../config/config-path.ts";
import type { ConfigFault } from "../../config/fault.ts";
import { faultsIn } from "../../config/faults.ts";
import { effectiveValues } from "../../config/values.ts";
import { pc, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { EXIT, readModelPath } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineOutside } from "../making/project-command.ts";
import { addConfigTrust } from "./config-trust.ts";

export function addConfig(program: Command): void {
  const does = "check, show or confirm the loop's configuration, .ralph/config.json";
  addConfigTrust(addGroup(program, { name: "config", does, has: [check, show] }));
}

/** The configuration is a file. */
const check = defineOutside({
  input: z.strictObject({}),
  run(_input, options) {
    const path = configPathOf(readModelPath(options));
    const { exists, faults } = look(path);
    return { file: path, exists, valid: faults.length === 0, faults };
  },
  command: {
    name: "check",
    does: "validate the configuration",
    takes: {},
    example: "",
    says: ({ file, exists, valid, faults }) =>
      valid
        ? `${pc.green("✓")} ${exists ? `${file} is valid.` : noFile(file)}`
        : faults.map(
            ({ path, message }) =>
              `${pc.red("✕")} ${quoteLine(path || "the whole file", 200)} ${quoteLine(message, 300)}`,
          ),
  },
  afterwards({ valid }) {
    if (!valid) process.exitCode = EXIT.usage;
  },
});

const noFile = (path: string) => `There is no ${path}; the defaults apply.`;

/** A file that holds no JSON has one fault. */
function look(path: string): { exists: boolean; faults: readonly ConfigFault[] } {
  try {
    const file = readConfigFile(path);
    return { exists: file !== undefined, faults: faultsIn(valueIn(file, path)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { exists: true, faults: [{ path: "", message: error.message }] };
  }
}

const show = defineOutside({
  input: z.strictObject({}),
  run(_input, options) {
    const path = configPathOf(readModelPath(options));
    const file = readConfigFile(path);
    const value = valueIn(file, path);
    const config = parseConfig(value, path);
    return { path, exists: file !== undefined, config, values: effectiveValues(config, value) };
  },
  command: {
    name: "show",
    does: "show the values in effect, and which of them the file sets",
    takes: {},
    example: "--json",
    json: ({ path, exists, config, values }) => ({
      ...{ file: path, exists, config },
      from_file: values.filter(({ source }) => source === "file").map(({ path }) => path),
    }),
    says: ({ path, exists, values }) => [
      exists ? path : pc.dim(noFile(path)),
      ...tableLines(
        ["field", "value", "from"],
        values.map(({ path, value, source }) => [
          quoteLine(path),
          quoteLine(JSON.stringify(value) ?? "none"),
          source,
        ]),
      ),
    ],
  },
});
