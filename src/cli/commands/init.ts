import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { initProject, readModelPathIn } from "../../api/project.ts";
import { ConfigError } from "../../config/config.ts";
import { configPathOf } from "../../config/config-path.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { canAsk, withQuestions } from "../asking/questions.ts";
import { SIGNALBOX, setUp } from "../asking/set-up.ts";
import { calledVia } from "../making/called-via.ts";
import { guarded } from "../making/command.ts";

interface Options {
  readonly title?: string;
  readonly description?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Written for commander: asks on the way. */
export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "create a project in a folder: .ralph/ with an event log, a feature and a discipline `general`",
    )
    .argument("[folder]", "the folder (default: this one)", ".")
    .option("--title <text>", "the project's title, one line")
    .option("--description <text>", "the project's description")
    .option("--yes", "ask nothing: the first agent on PATH, with the default permissions")
    .option("--json", 'print {"folder", "db", "created"}')
    .addHelpText(
      "after",
      "\nOn a terminal it asks for the agent, its permissions and a first task." +
        "\n\nExamples:\n  signalbox init\n  signalbox init --yes && signalbox task add 'Export as CSV' --description 'Semicolons.'",
    )
    .action((folder: string, { title, description, yes, json }: Options) =>
      guarded(async () => {
        const path = resolve(folder);
        const created = await initProject(path, { title, description, via: calledVia() });
        const db = readModelPathIn(path);
        if (json) printJson({ folder: path, db, created });
        else if (!created) {
          print(`There is a project in ${path} already. Nothing was changed.`);
          if (title !== undefined || description !== undefined)
            print("  change its title or description: signalbox project set");
        } else {
          print(`${pc.green("✓")} Created a project in ${path}`);
          const hasTask = await configured(db, yes === true);
          const next = hasTask ? "run" : `task add 'Your first task' --description 'What to do.'`;
          const there = path === process.cwd() ? "" : `cd ${shellWord(folder)} && `;
          print(`  next: ${there}${SIGNALBOX} ${next}`);
          warnOfConfig(db);
        }
      }),
    );
}

/** @returns true if a first task was added. A configuration that came with the folder is left to whoever confirms it. */
async function configured(readModelPath: string, yes: boolean): Promise<boolean> {
  if (existsSync(configPathOf(readModelPath))) return false;
  if (yes) return setUp(readModelPath);
  return canAsk() && withQuestions((ask) => setUp(readModelPath, ask));
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
