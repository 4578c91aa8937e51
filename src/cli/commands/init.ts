import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { ConfigError } from "../../config/config.ts";
import { configPathOf } from "../../config/config-path.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { initProject, readModelPathIn } from "../../project/project.ts";
import { pc, print, printJson } from "../../terminal/output.ts";
import { askPermissions, canAsk } from "../ask-permissions.ts";
import { guarded } from "../command.ts";

interface Options {
  readonly title?: string;
  readonly description?: string;
  readonly json?: boolean;
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "create a project in a folder: .ralph/ with an event log, a feature and a discipline `general`",
    )
    .argument("[folder]", "the folder (default: this one)", ".")
    .option("--title <text>", "the project's title, one line")
    .option("--description <text>", "the project's description")
    .option("--json", 'print {"folder", "db", "created"}')
    .addHelpText(
      "after",
      "\nExample:\n  signalbox init && signalbox task add 'Export as CSV' --description 'Semicolons.'",
    )
    .action((folder: string, { title, description, json }: Options) =>
      guarded(async () => {
        const path = resolve(folder);
        const created = await initProject(path, { title, description });
        const db = readModelPathIn(path);
        if (json) printJson({ folder: path, db, created });
        else if (!created) {
          print(`There is a project in ${path} already. Nothing was changed.`);
          if (title !== undefined || description !== undefined)
            print("  change its title or description: signalbox project set");
        } else {
          print(`${pc.green("✓")} Created a project in ${path}`);
          await askOnce(db);
          print(`  next: signalbox task add 'Your first task' --description 'What to do.'`);
          warnOfConfig(db);
        }
      }),
    );
}

/** What agents may do is asked where somebody is there, and no configuration came with the folder. */
async function askOnce(readModelPath: string): Promise<void> {
  if (!canAsk() || existsSync(configPathOf(readModelPath))) return;
  const config = confirmedConfig(readModelPath);
  await askPermissions(config, readModelPath, config.agent);
}

/** A folder that was cloned may have brought a configuration: it is not confirmed because a project is made beside it. */
function warnOfConfig(readModelPath: string): void {
  try {
    confirmedConfig(readModelPath);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`signalbox: ${error.message}\n`);
  }
}
