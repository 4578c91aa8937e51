import { parseArgs } from "node:util";
import { AuditError } from "../history/audit/audit-error.ts";
import { readCheckpoint } from "../history/audit/checkpoint.ts";
import { checkProof, type Trusted } from "../history/audit/proof.ts";
import { readBounded } from "../history/audit/read-bounded.ts";
import { readVerifier } from "../history/audit/signed-note.ts";
import { visibleJson } from "../lib/visible.ts";
import { proofJson, provenLines } from "./printing/proof-words.ts";

const HELP = `Usage: signalbox-verify FILE [--key KEY] [--head FILE] [--json]

Checks a proof that \`signalbox prove\` wrote. Needs no log and no database.

  --key KEY     require a signature of the proof's head by this public key
  --head FILE   a tree head that you kept; the proof's head must equal or continue it
  --json        print JSON

Exit code: 0 proven, 1 not proven, 2 wrong usage, 3 a file cannot be read.
`;

/** The program \`signalbox-verify\`. @param args without the program's name; @returns the exit code */
export function main(args: readonly string[]): number {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return say(HELP, 2);
    return check(file, values);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof AuditError && error.code === "too_large")
      return say(`signalbox-verify: ${error.message}\n`, 3);
    if (error instanceof AuditError || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")))
      return say(`signalbox-verify: ${error.message}\n`, 2);
    if ("syscall" in error) return say(`signalbox-verify: ${error.message}\n`, 3);
    throw error;
  }
}

const OPTIONS = {
  key: { type: "string" },
  head: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

function check(file: string, { key, head, json }: { key?: string; head?: string; json?: boolean }): number {
  const trusted: Trusted = {
    key: key === undefined ? undefined : readVerifier(key),
    head: head === undefined ? undefined : readCheckpoint(readBounded(head)),
  };
  const verdict = checkProof(readBounded(file), trusted);
  if (json) process.stdout.write(`${visibleJson(proofJson(verdict, trusted))}\n`);
  else if (verdict.proven) process.stdout.write(`${provenLines(verdict, trusted).join("\n")}\n`);
  else say(`signalbox-verify: ${verdict.why} [not_proven]\n`, 1);
  return verdict.proven ? 0 : 1;
}

function say(text: string, code: number): number {
  process.stderr.write(text);
  return code;
}
