import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { AuditError } from "../../replay/audit/audit-error.ts";
import { checkpointText, readCheckpoints } from "../../replay/audit/checkpoint.ts";
import { compareHeads } from "../../replay/audit/compare-heads.ts";
import { headOf, readTree } from "../../replay/audit/tree.ts";
import { addGitNote, currentCommit, readGitNote } from "../../workspace/git-note.ts";
import { auditedLog, type SigningOptions, signerOf, signingOptions } from "../audit-options.ts";
import { folderOf, guarded, parseWhole } from "../command.ts";
import { pc, print, printJson } from "../output.ts";

interface HeadOptions extends Omit<SigningOptions, "at"> {
  readonly at?: number;
  /** True without a file: a git note. */
  readonly commit?: string | true;
}

export function addHead(program: Command): void {
  signingOptions(
    program
      .command("head")
      .description(
        "print the tree head of the log: what vouches for all of its events, if you keep it elsewhere",
      )
      .option("--at <position>", "the head when this was the last position", parseWhole)
      .option(
        "--commit [file]",
        "add it to a witness file; without a file, to a git note on the commit checked out",
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox head --commit /mnt/elsewhere/shop.heads")
    .action((options: HeadOptions) => guarded(() => head(options)));
}

async function head(options: HeadOptions): Promise<void> {
  const signer = signerOf(options);
  const witness = options.commit === undefined ? undefined : await witnessOf(options.commit, options);
  const earlier = witness?.content.trim() ? readCheckpoints(witness.content) : [];
  const sizes = earlier.map(({ size }) => size);
  const tree = readTree(auditedLog(options), options.at === undefined ? sizes : [...sizes, options.at]);
  const found = headOf(tree, options.at);
  // C2SP tlog-checkpoint: no head is signed that contradicts one from before.
  const contradiction = compareHeads(tree, earlier);
  if (contradiction) {
    const { position, what } = contradiction;
    throw new AuditError(
      "head_contradicted",
      `The log does not continue the heads in ${witness?.name}; nothing was added. Position ${position}: ${what}.`,
    );
  }
  const text = checkpointText(found);
  const checkpoint = signer ? `${text}\n${signer.sign(text)}` : text;
  const isNew = !earlier.some((one) => one.text === text && (!signer || one.signatures.length > 0));
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

/** Where heads are kept. */
interface Witness {
  readonly name: string;
  readonly content: string;
  add(checkpoint: string): Promise<void>;
}

async function witnessOf(commit: string | true, options: SigningOptions): Promise<Witness> {
  if (commit === true) {
    const folder = folderOf(options);
    const id = await currentCommit(folder);
    return {
      name: `the git note on ${id.slice(0, 12)}`,
      content: await readGitNote(folder, id),
      add: (checkpoint) => addGitNote(folder, id, checkpoint),
    };
  }
  const path = resolve(commit);
  const content = existsSync(path) ? readFileSync(path, "utf8") : "";
  return { name: path, content, add: async (checkpoint) => appendSafely(path, content, checkpoint) };
}

/** In one write, and on disk when it returns: what is kept must outlive the log. */
function appendSafely(path: string, before: string, checkpoint: string): void {
  const file = openSync(path, "a");
  try {
    appendFileSync(file, before === "" ? checkpoint : `\n${checkpoint}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
