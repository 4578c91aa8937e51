import { resolve } from "node:path";
import type { Command } from "commander";
import { AuditError } from "../../history/audit/audit-error.ts";
import { type Checkpoint, isSignedBy, type TreeHead } from "../../history/audit/checkpoint.ts";
import { knownHead } from "../../history/audit/known-head.ts";
import { checkProof } from "../../history/audit/proof.ts";
import { readBounded } from "../../history/audit/read-bounded.ts";
import type { Redacted } from "../../history/audit/redactions.ts";
import { type NoteVerifier, readVerifier } from "../../history/audit/signed-note.ts";
import { type Verified, verifyLog } from "../../history/audit/verify-log.ts";
import { fail, pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { auditedLog, headsIn } from "../making/audit-options.ts";
import { type CommonOptions, EXIT, guarded, projectOptions, readModelPath } from "../making/command.ts";
import { proofJson, provenLines } from "../printing/proof-words.ts";

interface VerifyOptions extends CommonOptions {
  readonly since?: string;
  readonly key?: string;
  readonly proof?: string;
}

/** Written for commander: tells what it finds while it reads. */
export function addVerify(program: Command): void {
  projectOptions(
    program
      .command("verify")
      .description("check that every event in the log is unchanged since it was appended; changes nothing")
      .option(
        "--since <file>",
        "also check that the log continues the tree heads in this file; - for standard input",
      )
      .option("--key <key>", "the public key that must have signed the heads")
      .option("--proof <file>", "check a proof instead, like signalbox-verify; needs no log"),
  )
    .addHelpText("after", "\nExample:\n  signalbox verify --since /mnt/elsewhere/shop.heads")
    .action((options: VerifyOptions) =>
      guarded(async () => {
        const key = options.key === undefined ? undefined : readVerifier(options.key);
        const heads = options.since === undefined ? [] : await headsIn(options.since);
        if (key && options.since === undefined && options.proof === undefined) {
          throw new AuditError(
            "unused_key",
            "--key names the signer of the heads in --since or in --proof. Add --since or --proof.",
          );
        }
        if (options.proof === undefined) await verify(options, heads, key);
        else verifyProof(options, options.proof, heads, key);
      }),
    );
}

async function verify(
  options: VerifyOptions,
  heads: readonly Checkpoint[],
  key: NoteVerifier | undefined,
): Promise<void> {
  const unsigned = key && heads.find((head) => !isSignedBy(head, key));
  if (unsigned) {
    throw new AuditError(
      "unsigned_head",
      `The head of ${unsigned.size} events is not signed by ${key.name}+${key.id}, so it proves nothing.`,
    );
  }
  const known = knownHead(readModelPath(options));
  const verified = await verifyLog(await auditedLog(options), known ? [...heads, known] : heads);
  if (options.json) printVerified(verified, heads, known);
  else if (!verified.damage) sayWhole(verified, heads, { key, known });
  if (!verified.damage) return;
  const { position, what, check } = verified.damage;
  if (options.json) process.exitCode = EXIT.refused;
  else fail(`Position ${position}: ${quoteLine(what, 500)}.`, check, EXIT.refused);
}

function printVerified(
  { events, head, redacted, damage }: Verified,
  heads: readonly Checkpoint[],
  known: TreeHead | undefined,
): void {
  printJson({
    ok: damage === undefined,
    events,
    head: { ...head, root: head.root.toString("base64") },
    continues: damage === undefined ? heads.map(({ size }) => size) : [],
    known: known?.size ?? null,
    redacted: redacted.map((one) => ({
      ...one,
      heads: heads.filter((kept) => isRedactedSince(one, kept)).map(({ size }) => size),
    })),
    damage: damage ?? null,
  });
}

/** The event was as the head has it; what its redaction kept is behind the head, which does not vouch for it. */
function isRedactedSince({ position, redaction }: Redacted, { size }: Checkpoint): boolean {
  return position <= size && size < redaction;
}

function sayWhole(
  { events, head, redacted }: Verified,
  heads: readonly Checkpoint[],
  { key, known }: { readonly key: NoteVerifier | undefined; readonly known: TreeHead | undefined },
): void {
  const without = redacted.length === 0 ? "" : `; redacted: ${positionsOf(redacted)}`;
  print(`${pc.green("✓")} ${events} events, all unchanged since they were appended${without}`);
  print(pc.dim(`  root ${head.root.toString("base64")} of ${head.origin}`));
  for (const kept of heads) {
    const by = key ? `, signed by ${key.name}+${key.id}` : "";
    print(`${pc.green("✓")} continues the head of ${kept.size} events${by}`);
    const since = redacted.filter((one) => isRedactedSince(one, kept));
    if (since.length > 0) {
      print(
        `${pc.yellow("!")} redacted since this head: ${positionsOf(since)}; the head does not vouch for the text that is left`,
      );
    }
  }
  if (known) print(`${pc.green("✓")} continues the head of ${known.size} events that was seen here last`);
  else if (heads.length === 0) {
    print(pc.dim("  Without a head kept elsewhere (--since), a truncated or rewritten log goes unnoticed."));
  }
}

function positionsOf(redacted: readonly Redacted[]): string {
  const positions = redacted.slice(0, MOST_POSITIONS).map(({ position }) => position);
  const more = redacted.length - positions.length;
  return `${positions.join(", ")}${more > 0 ? ` and ${more} more (--json)` : ""}`;
}

const MOST_POSITIONS = 50;

function verifyProof(
  { json }: VerifyOptions,
  file: string,
  heads: readonly Checkpoint[],
  key: NoteVerifier | undefined,
): void {
  const [head, ...more] = heads;
  if (more.length > 0)
    throw new AuditError(
      "bad_head",
      "A proof is checked against one head, but --since has several. Give a file with one head.",
    );
  const trusted = { key, head };
  const verdict = checkProof(readBounded(resolve(file)), trusted);
  if (json) printJson(proofJson(verdict, trusted));
  else if (verdict.proven) for (const line of provenLines(verdict, trusted)) print(line);
  if (verdict.proven) return;
  if (json) process.exitCode = EXIT.refused;
  else fail(verdict.why, "not_proven", EXIT.refused);
}
