import type { Command } from "commander";
import type { Decision } from "../../decisions/decide.ts";
import type { Discipline, Feature } from "../../projections/queries/catalogue.ts";
import { pc, print, printJson, printTable, quoteLine, quoteText } from "../../terminal/output.ts";
import { type CommonOptions, guarded, readingOptions, withProject, writingOptions } from "../command.ts";

/** What `feature` and `discipline` are alike in: their names, a list, and deletion. */
export interface Kind {
  readonly noun: "feature" | "discipline";
  readonly list: "features" | "disciplines";
}

export interface EntryFields extends CommonOptions {
  readonly displayName?: string;
  readonly description?: string;
  readonly acronym?: string;
}

/** A command on one entry that takes the fields which both kinds have. */
export function entryCommand(command: Command): Command {
  return command
    .argument("<name>", "by which tasks refer to it")
    .option("--display-name <text>", "the name for people")
    .option("--description <text>", "what it is about")
    .option("--acronym <word>", "a short word for it, such as AUTH");
}

export function addList(group: Command, { noun, list }: Kind): void {
  readingOptions(group.command("list", { isDefault: true }).description(`list the ${list}`))
    .addHelpText("after", `\nExample:\n  signalbox ${noun} list --json`)
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const entries = await queries[list]();
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

export function addDelete(
  group: Command,
  { noun }: Kind,
  decision: (entry: { name: string }) => Decision,
): void {
  writingOptions(
    group
      .command("delete")
      .description(`delete a ${noun} that nothing refers to`)
      .argument("<name>", "its name"),
  )
    .addHelpText("after", `\nExample:\n  signalbox ${noun} delete billing`)
    .action((name: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(decision({ name }), options.key);
          if (options.json) printJson({ deleted: name });
          else print(`Deleted the ${noun} ${quoteLine(name)}.`);
        }),
      ),
    );
}

/** Takes a decision on an entry, and prints the entry as it is then. */
export async function write(
  { noun, list }: Kind,
  name: string,
  decision: Decision,
  options: EntryFields,
): Promise<void> {
  await withProject(options, async (project) => {
    await project.decide(decision, options.key);
    const entry = (await project.queries[list]()).find((one) => one.name === name);
    // A command that is sent again under its key may find that the entry was deleted meanwhile.
    if (options.json) printJson(entry ?? null);
    else print(`${noun} ${quoteLine(name)}: ${entry ? quoteLine(entry.display_name) : "deleted since"}`);
  });
}

/** What both kinds show first of an entry. */
export function showHead(entry: Feature | Discipline, signs: readonly (string | null)[]): void {
  const { name, display_name, description, agent_fields } = entry;
  const shown = signs.filter((sign) => sign !== null).map((sign) => quoteLine(sign, 40));
  print([pc.bold(quoteLine(display_name, 200)), quoteLine(name, 100), ...shown].join(" · "));
  if (agent_fields.length > 0) print(pc.dim(`an agent's words: ${agent_fields.join(", ")}`));
  if (description !== "") print(`\n${quoteText(description)}`);
}

/** A titled text of an entry; nothing where there is none. */
export function showText(title: string, text: string | null): void {
  showLines(title, text ? [text] : []);
}

export function showLines(title: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  print(`\n${pc.dim(title)}`);
  for (const text of texts) print(quoteText(text).replace(/^/gm, "  "));
}
