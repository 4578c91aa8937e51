import { type Command, InvalidArgumentError, Option } from "commander";
import type { EventType } from "../../events/types/index.ts";
import { noSuchType, typesNamed } from "../../history/log/types-named.ts";
import { guarded, parseCount, parseId, parseWhole, readingOptions, withProject } from "../making/command.ts";
import { type LogOptions, printLog } from "../printing/print-log.ts";
import { addLogTrust } from "./log-trust.ts";

/** Written for commander: prints a stream, which may go on. */
export function addLog(program: Command): void {
  const group = program.command("log").description("read the event log, or confirm it");
  readingOptions(
    group
      .command("list", { isDefault: true })
      .description("print the events in log order, one per line; with --json one JSON object per line")
      .option("--task <id>", "only events of this task and its sessions", parseId)
      .option("--session <id>", "only events of this session")
      .option(
        "--type <type>",
        "only this event type or family, such as gate.acted or gate (repeatable)",
        addType,
      )
      .option("--actor <name>", "only events by this actor: agent, human, driver, …")
      .option("--humans", "only what humans did, with how it came: terminal, page, notice, tracker, program")
      .option("--text <text>", "only events whose payload contains this text, ignoring case")
      .option("--since <time>", 'from this time: 2026-11-21, a time in UTC, or e.g. "2 hours ago"')
      .option("--until <time>", "up to this time; a date includes the whole day")
      .option("--from <position>", "from this position", parseId)
      .option("--to <position>", "up to this position", parseWhole)
      .option("--after <position>", "only events after this position", parseWhole)
      .option("--limit <n>", "stop after this many lines", parseCount)
      .option("--reverse", "newest first")
      .addOption(
        new Option("-f, --follow", "keep printing new events, from any process, until interrupted").conflicts(
          ["reverse", "to", "until"],
        ),
      ),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  signalbox log list --task 7 --type signal\n  signalbox log list --json --follow",
    )
    .action((options: LogOptions) => {
      // It says whose events are wanted, not who asks.
      const { actor: _, ...where } = options;
      return guarded(() => withProject(where, (project) => printLog(project, options)));
    });
  addLogTrust(group);
}

function addType(name: string, before: ReadonlySet<EventType> = new Set()): ReadonlySet<EventType> {
  const types = typesNamed(name);
  if (!types) throw new InvalidArgumentError(noSuchType(name));
  return new Set([...before, ...types]);
}
