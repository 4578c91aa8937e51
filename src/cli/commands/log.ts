import { type Command, InvalidArgumentError, Option } from "commander";
import type { EventType } from "../../events/types/index.ts";
import { noSuchType, typesNamed } from "../../replay/log/types-named.ts";
import { guarded, parseCount, parseId, parseWhole, readingOptions, withProject } from "../command.ts";
import { type LogOptions, printLog } from "../print-log.ts";

export function addLog(program: Command): void {
  const group = program.command("log").description("the events, as they were appended");
  readingOptions(
    group
      .command("list", { isDefault: true })
      .description("print the events, a line each in log order; --json: a JSON object each")
      .option("--task <id>", "only those of a task, and of its sessions", parseId)
      .option("--session <id>", "only those of a session")
      .option(
        "--type <type>",
        "only this type, or family of types: gate.acted, gate; can be repeated",
        addType,
      )
      .option("--actor <name>", "only those by this actor: agent, human, driver, …")
      .option("--text <text>", "only those whose payload has this text, whatever the letter case")
      .option("--since <time>", 'from this time on: 2026-11-21, a time in UTC, or e.g. "2 hours ago"')
      .option("--until <time>", "up to this time; a date: up to its end")
      .option("--from <position>", "from this position on", parseId)
      .option("--to <position>", "up to this position", parseWhole)
      .option("--after <position>", "only what comes after this position", parseWhole)
      .option("--limit <n>", "stop after so many lines", parseCount)
      .option("--reverse", "the newest first")
      .addOption(
        new Option("-f, --follow", "go on with what comes, from any process, until interrupted").conflicts([
          "reverse",
          "to",
          "until",
        ]),
      ),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  signalbox log list --task 7 --type signal\n  signalbox log list --json --follow",
    )
    .action((options: LogOptions) =>
      guarded(() => withProject(options, (project) => printLog(project, options))),
    );
}

function addType(name: string, before: ReadonlySet<EventType> = new Set()): ReadonlySet<EventType> {
  const types = typesNamed(name);
  if (!types) throw new InvalidArgumentError(noSuchType(name));
  return new Set([...before, ...types]);
}
