import type { Command } from "commander";
import { printJson } from "../../lib/terminal/output.ts";

/** Needs no project: the definitions are the program's. Written for commander: its words are loaded late, too. */
export function addDescribe(program: Command): void {
  program
    .command("describe")
    .description("show a tool, event or table: schema, meaning, example")
    .argument("[name]", "a tool, event type, table or view (default: list their names)")
    .option("--json", "print JSON for machines, with JSON schemas")
    .addHelpText("after", "\nExample:\n  signalbox describe signal.ask")
    .action(async (name: string | undefined, { json }: { json?: boolean }, command: Command) => {
      // Loaded here alone: no other command needs the definitions of all tools.
      const { namesByKind, printNames, printThing } = await import("../describe/print.ts");
      if (name === undefined) return json ? printJson(namesByKind()) : printNames();
      const { findThing } = await import("../describe/things.ts");
      const thing = findThing(name);
      if ("problem" in thing) return command.error(`error: ${thing.problem}`);
      const { descriptionOf } = await import("../describe/schemas.ts");
      return json ? printJson(descriptionOf(thing)) : printThing(thing);
    });
}
