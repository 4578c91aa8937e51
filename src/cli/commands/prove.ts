import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { AuditError } from "../../history/audit/audit-error.ts";
import { prove } from "../../history/audit/prove.ts";
import { pc, print } from "../../lib/terminal/output.ts";
import { visibleJson } from "../../lib/visible.ts";
import {
  auditedLog,
  headsIn,
  type SigningOptions,
  signerOf,
  signingOptions,
} from "../making/audit-options.ts";
import { guarded, parseId } from "../making/command.ts";

interface ProveOptions extends SigningOptions {
  readonly out?: string;
  readonly since?: string;
  readonly withhold?: boolean;
}

/** Written for commander: prints a proof to the byte. */
export function addProve(program: Command): void {
  signingOptions(
    program
      .command("prove")
      .description("write a small file that proves one event to anyone who has a tree head of the log")
      .argument("<position>", "the event's position", parseId)
      .option("--out <file>", "a new file (default: standard output)")
      .option("--since <file>", "a tree head kept elsewhere; the proof shows that the log continues it")
      .option("--withhold", "leave out the payload and give its hash instead"),
  )
    .addHelpText("after", "\nExample:\n  signalbox prove 17 --out 17.proof && signalbox-verify 17.proof")
    .action((position: number, options: ProveOptions) => guarded(() => writeProof(position, options)));
}

async function writeProof(position: number, options: ProveOptions): Promise<void> {
  const [since, ...more] = options.since === undefined ? [] : await headsIn(options.since);
  if (more.length > 0)
    throw new AuditError(
      "bad_head",
      "A proof continues one head, but --since has several. Give a file with one head.",
    );
  const { withhold } = options;
  const proof = await prove(await auditedLog(options), position, {
    signer: signerOf(options),
    since,
    withhold,
  });
  // A value on one line for machines; over several for people, who may look at it.
  const text = `${visibleJson(proof, options.json ? undefined : 2)}\n`;
  if (options.out === undefined) {
    process.stdout.write(text);
    return;
  }
  const path = resolve(options.out);
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new AuditError("file_exists", `The file ${path} exists already. Choose another name.`);
  }
  print(`${pc.green("✓")} Wrote the proof of position ${position} to ${path}`);
}
