import { type Command, InvalidArgumentError } from "commander";
import type { Event } from "../../events/types/index.ts";
import { definitionOf } from "../../events/types/index.ts";
import type { Project } from "../../project.ts";
import { type CommonOptions, guarded, readingOptions, withProject } from "../command.ts";
import { pc, print, quoteLine } from "../output.ts";

interface LogOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly after: number;
}

export function addLog(program: Command): void {
  const group = program.command("log").description("the events, as they were appended");
  readingOptions(
    group
      .command("list", { isDefault: true })
      .description("print the events, a line each in log order; --json: a JSON object each")
      .option("--after <position>", "only what comes after this position", parsePosition, 0)
      .option("-f, --follow", "go on with what comes, from any process, until interrupted"),
  )
    .addHelpText("after", "\nExample:\n  signalbox log list --json --follow")
    .action((options: LogOptions) =>
      guarded(() =>
        withProject(options, (project) =>
          options.follow ? follow(project, options) : list(project, options),
        ),
      ),
    );
}

async function list({ log }: Project, { after, json }: LogOptions): Promise<void> {
  for (let position = after; ; ) {
    const events = await log.read(position, PAGE);
    if (events.length === 0) return;
    for (const event of events) printEvent(event, json);
    position += events.length;
    // A slow reader must not make the whole log pile up in memory.
    if (process.stdout.writableNeedDrain)
      await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

function follow(project: Project, { after, json }: LogOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = project.follow(after).subscribe({
      next: (event) => printEvent(event, json),
      error: reject,
      complete: resolve,
    });
    const stop = () => {
      subscription.unsubscribe();
      resolve();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

const PAGE = 1_000;

function printEvent(event: Event, json: boolean | undefined): void {
  if (json) {
    print(JSON.stringify(event));
    return;
  }
  const text = definitionOf(event.type)?.timeline(event.payload) ?? "";
  const position = pc.dim(String(event.position).padStart(6));
  const time = pc.dim(event.recordedAt.slice(0, 19).replace("T", " "));
  print(
    `${position}  ${time}  ${quoteLine(event.stream, 24).padEnd(24)} ${pc.cyan(event.type.padEnd(22))} ${quoteLine(text)}`,
  );
}

function parsePosition(text: string): number {
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError("It must be a position: 0 or a whole number above.");
  return Number(text);
}
