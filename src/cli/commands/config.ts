import type { Command } from "commander";
import { ConfigError, parseConfig, readConfigFile, valueIn } from "../../config/config.ts";
import { configPathOf } from "../../config/config-path.ts";
import type { ConfigFault } from "../../config/fault.ts";
import { faultsIn } from "../../config/faults.ts";
import { effectiveValues } from "../../config/values.ts";
import { pc, print, printJson, printTable, quoteLine } from "../../lib/terminal/output.ts";
import { type CommonOptions, EXIT, guarded, projectOptions, readModelPath } from "../making/command.ts";
import { addConfigTrust } from "./config-trust.ts";

export function addConfig(program: Command): void {
  const group = program
    .command("config")
    .description("check, show or confirm the loop's configuration, .ralph/config.json");
  projectOptions(group.command("check").description("validate the configuration"))
    .addHelpText("after", "\nExample:\n  signalbox config check")
    .action((options: CommonOptions) => guarded(async () => check(options)));
  projectOptions(
    group.command("show").description("show the values in effect, and which of them the file sets"),
  )
    .addHelpText("after", "\nExample:\n  signalbox config show --json")
    .action((options: CommonOptions) => guarded(async () => show(options)));
  addConfigTrust(group);
}

function check(options: CommonOptions): void {
  const path = configPathOf(readModelPath(options));
  const { exists, faults } = look(path);
  if (faults.length > 0) process.exitCode = EXIT.usage;
  if (options.json) printJson({ file: path, exists, valid: faults.length === 0, faults });
  else if (faults.length > 0) {
    for (const fault of faults) {
      print(
        `${pc.red("✕")} ${quoteLine(fault.path || "the whole file", 200)} ${quoteLine(fault.message, 300)}`,
      );
    }
  } else
    print(`${pc.green("✓")} ${exists ? `${path} is valid.` : `There is no ${path}; the defaults apply.`}`);
}

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

function show(options: CommonOptions): void {
  const path = configPathOf(readModelPath(options));
  const file = readConfigFile(path);
  const value = valueIn(file, path);
  const config = parseConfig(value, path);
  const values = effectiveValues(config, value);
  if (options.json) {
    const given = values.filter(({ source }) => source === "file").map(({ path }) => path);
    printJson({ file: path, exists: file !== undefined, config, from_file: given });
    return;
  }
  print(file === undefined ? pc.dim(`There is no ${path}; the defaults apply.`) : path);
  printTable(
    ["field", "value", "from"],
    values.map(({ path, value, source }) => [
      quoteLine(path),
      quoteLine(JSON.stringify(value) ?? "none"),
      source,
    ]),
  );
}
