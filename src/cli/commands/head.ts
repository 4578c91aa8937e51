import type { Command } from "commander";
import { AuditError } from "../../history/audit/audit-error.ts";
import { checkpointText } from "../../history/audit/checkpoint.ts";
import { compareHeads } from "../../history/audit/compare-heads.ts";
import { headOf, readTree } from "../../history/audit/tree.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { auditedLog, type SigningOptions, signerOf, signingOptions } from "../making/audit-options.ts";
import { folderOf, guarded, parseId } from "../making/command.ts";
import { witnessAt } from "../running/witness.ts";

interface HeadOptions extends Omit<SigningOptions, "at"> {
  readonly at?: number;
  /** True without a file: a git note. */
  readonly commit?: string | true;
}

/** Written for commander: prints a checkpoint to the byte. */
export function addHead(program: Command): void {
  signingOptions(
    program
      .command("head")
      .description("print the log's tree head; kept elsewhere, it proves later that no event has changed")
      .option("--at <position>", "the head as of this position", parseId)
      .option(
        "--commit [file]",
        "add it to a witness file, or without a file to a git note on the current commit",
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox head --commit /mnt/elsewhere/shop.heads")
    .action((options: HeadOptions) => guarded(() => head(options)));
}

async function head(options: HeadOptions): Promise<void> {
  const signer = signerOf(options);
  const { commit } = options;
  const witness =
    commit === undefined
      ? undefined
      : await witnessAt(commit === true ? undefined : commit, folderOf(options));
  const earlier = witness?.earlier ?? [];
  const sizes = earlier.map(({ size }) => size);
  const tree = await readTree(
    await auditedLog(options),
    options.at === undefined ? sizes : [...sizes, options.at],
  );
  const found = headOf(tree, options.at);
  if (witness && found.size === 0)
    throw new AuditError("no_such_position", "The log has no events yet, so there is no head to print.");
  // C2SP tlog-checkpoint: no head is signed that contradicts one from before.
  const contradiction = compareHeads(tree, earlier);
  if (contradiction) {
    const { position, what } = contradiction;
    throw new AuditError(
      "head_contradicted",
      `Nothing was added: the log does not continue the heads in ${witness?.name}. Position ${position}: ${what}.`,
    );
  }
  const text = checkpointText(found);
  const checkpoint = signer ? `${text}\n${signer.sign(text)}` : text;
  const isNew = !witness?.here.some((one) => one.text === text && (!signer || one.signatures.length > 0));
  if (isNew) await witness?.add(checkpoint);
  const { origin, size } = found;
  if (options.json) {
    const place = witness && { committed: witness.name, added: isNew };
    printJson({
      origin,
      size,
      root: found.root.toString("base64"),
      signed: signer !== undefined,
      checkpoint,
      ...place,
    });
  } else if (!witness) process.stdout.write(checkpoint);
  else if (isNew) print(`${pc.green("✓")} The head of ${size} events was added to ${witness.name}`);
  else print(`The head of ${size} events is in ${witness.name} already; nothing was added.`);
}
