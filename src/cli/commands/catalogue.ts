import type { Command } from "commander";
import { changeDiscipline, createDiscipline } from "../../decisions/disciplines.ts";
import { changeFeature, createFeature } from "../../decisions/features.ts";
import {
  type CommonOptions,
  collect,
  guarded,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { print, printJson, printTable, quoteLine } from "../output.ts";

interface Kind {
  readonly noun: "feature" | "discipline";
  readonly meaning: string;
  readonly create: typeof createFeature | typeof createDiscipline;
  readonly change: typeof changeFeature | typeof changeDiscipline;
  readonly list: "features" | "disciplines";
}

export function addFeature(program: Command): void {
  addKind(program, {
    noun: "feature",
    meaning: "features, to which tasks and learnings belong",
    create: createFeature,
    change: changeFeature,
    list: "features",
  });
}

export function addDiscipline(program: Command): void {
  addKind(program, {
    noun: "discipline",
    meaning: "disciplines: what kind of agent works on a task",
    create: createDiscipline,
    change: changeDiscipline,
    list: "disciplines",
  });
}

interface Fields extends CommonOptions {
  readonly displayName?: string;
  readonly description?: string;
  readonly contextFile?: string[];
}

/** Features and disciplines are handled alike: add, set, list. */
function addKind(program: Command, kind: Kind): void {
  const group = program.command(kind.noun).description(kind.meaning);
  const fields = (command: Command) =>
    writingOptions(
      command
        .argument("<name>", "by which tasks refer to it")
        .option("--display-name <text>", "the name for people")
        .option("--description <text>", "what it is about"),
    );
  const files = (command: Command) =>
    kind.noun === "feature"
      ? command.option(
          "--context-file <path>",
          "a file that the agents of its tasks should know (repeatable)",
          collect,
        )
      : command;

  files(fields(group.command("add").description(`add a ${kind.noun}`)))
    .addHelpText("after", `\nExample:\n  signalbox ${kind.noun} add billing --display-name Billing`)
    .action((name: string, options: Fields) => guarded(() => write(kind, kind.create, name, options)));

  files(fields(group.command("set").description(`change a ${kind.noun}`)))
    .addHelpText("after", `\nExample:\n  signalbox ${kind.noun} set general --description 'Everything else.'`)
    .action((name: string, options: Fields) => guarded(() => write(kind, kind.change, name, options)));

  readingOptions(group.command("list", { isDefault: true }).description(`list the ${kind.list}`))
    .addHelpText("after", `\nExample:\n  signalbox ${kind.noun} list --json`)
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const entries = await queries[kind.list]();
          if (options.json) printJson(entries);
          else
            printTable(
              ["name", "display name", "description"],
              entries.map(({ name, display_name, description }) => [
                quoteLine(name),
                quoteLine(display_name),
                quoteLine(description),
              ]),
            );
        }),
      ),
    );
}

async function write(
  kind: Kind,
  decision: Kind["create"] | Kind["change"],
  name: string,
  options: Fields,
): Promise<void> {
  await withProject(options, async (project) => {
    const { displayName: display_name, description, contextFile: context_files } = options;
    await project.decide(decision({ name, display_name, description, context_files }), options.key);
    const entry = (await project.queries[kind.list]()).find((one) => one.name === name);
    if (options.json) printJson(entry);
    else print(`${kind.noun} ${name}: ${entry?.display_name ?? ""}`);
  });
}
