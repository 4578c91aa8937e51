import type { Command } from "commander";
import { Refusal } from "../../decisions/refusal.ts";
import { cleanProject } from "../../replay/redaction/clean.ts";
import { type Redacted, redact } from "../../replay/redaction/redact.ts";
import { fail, pc, print, printJson } from "../../terminal/output.ts";
import {
  type CommonOptions,
  collect,
  EXIT,
  guarded,
  parseId,
  parseWhole,
  projectOptions,
  readModelPath,
  withProject,
} from "../command.ts";
import { uncleanWords } from "../unclean-words.ts";

interface RedactOptions extends CommonOptions {
  readonly actor: string;
  readonly reason: string;
  readonly field?: readonly string[];
  readonly wait: number;
}

export function addRedact(program: Command): void {
  projectOptions(
    program
      .command("redact")
      .description("remove a secret from an event: its texts go for ever, that and why stays in the log")
      .argument("<position>", "of the event; `signalbox log` shows it", parseId)
      .requiredOption("--reason <text>", "why, without saying what; it stays in the log")
      .option(
        "--field <path>",
        "this text alone, such as summary or options.1; repeatable. Absent: all texts",
        collect,
      )
      .option("--actor <name>", "who decides, as the log names them", "human")
      .option(
        "--wait <seconds>",
        "how long to wait for others that keep a file from being cleaned",
        parseWhole,
        10,
      ),
  )
    .addHelpText(
      "after",
      '\nRedacted once more, an event is refused, and the files are cleaned again.\n\nExample:\n  signalbox redact 41 --reason "the token of the staging server" --field text',
    )
    .action((position: number, options: RedactOptions) => guarded(() => run(position, options)));
}

function run(position: number, { reason, field, actor, wait, ...options }: RedactOptions): Promise<void> {
  const path = readModelPath(options);
  const wait_ms = wait * 1_000;
  return withProject({ ...options, actor }, async ({ store }) => {
    try {
      const done = await redact(store, path, { position, reason, fields: field }, { actor, wait_ms });
      report(position, done, options.json);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
      // Whoever did it may have been killed before all was cleaned.
      const unclean = await cleanProject(store, path, wait_ms);
      const cleaned =
        unclean.length === 0 ? "What follows from the log was cleaned again." : uncleanWords(unclean);
      throw new Refusal(error.code, `${error.message} ${cleaned}`, error.about);
    }
  });
}

function report(position: number, done: Redacted, json: boolean | undefined): void {
  const { redaction, fields, unclean, blanked, left, also } = done;
  if (json) printJson({ position, redaction: redaction.position, fields, blanked, also, left, unclean });
  else {
    print(`${pc.green("✓")} Event ${position} redacted by event ${redaction.position}: ${fields.join(", ")}`);
    if (blanked.length > 0) print(`  written over in ${blanked.join(", ")}`);
    if (also.length > 0)
      print(`${pc.yellow("!")} These events say the same: ${also.join(", ")}. Redact them, too.`);
    if (left.length > 0) print(`${pc.yellow("!")} It still stands in .ralph/: ${left.join(", ")}`);
    print(
      pc.dim(
        "  Copies elsewhere are yours to find: backups, exports, git, terminals, the service that the secret opens.",
      ),
    );
  }
  if (unclean.length > 0) fail(uncleanWords(unclean), "unclean", EXIT.unusable);
}
