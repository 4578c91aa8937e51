import { AuditError } from "./audit-error.ts";
import { fromBase64 } from "./base64.ts";
import { type NoteSignature, type NoteVerifier, readSignature } from "./signed-note.ts";

/** A tree head: the log's size and Merkle root at one time. */
export interface TreeHead {
  /** Which log: see `originOf`. */
  readonly origin: string;
  /** How many events there were. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** A written tree head (C2SP tlog-checkpoint), with its signatures, if any. */
export interface Checkpoint extends TreeHead {
  /** The signed text. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/**
 * The name of a log, derived from the id of its first event: copies and backups share it, and no
 * two logs have the same. An empty log has no name yet.
 */
export function originOf(firstId: string | undefined): string {
  return `signalbox/${firstId ?? "empty"}`;
}

/** The text form: three lines, each with a line feed. */
export function checkpointText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${root.toString("base64")}\n`;
}

/**
 * Parses the output of `signalbox head`, or a witness file: tree heads with their signatures,
 * separated by empty lines.
 *
 * @throws AuditError `bad_head`, with the line
 */
export function readCheckpoints(file: string): Checkpoint[] {
  const control = /[\u0000-\u0009\u000b-\u001f\u007f]/.exec(file);
  if (control) throw badHead(lineAt(file, control.index), "holds a control character");
  const found: { text: string[]; signatures: NoteSignature[]; line: number }[] = [];
  for (const { lines, line } of blocksOf(file)) {
    const last = found.at(-1);
    if (!lines[0]?.startsWith(SIGNATURE_START)) {
      found.push({ text: lines, signatures: [], line });
    } else if (last && last.signatures.length === 0 && lines.length <= SIGNATURES_LIMIT) {
      for (const [index, text] of lines.entries()) {
        const signature = readSignature(text);
        if (!signature) throw badHead(line + index, "is not a signature (em dash, name, base64)");
        last.signatures.push(signature);
      }
    } else throw badHead(line, "has signatures without a tree head, or too many");
  }
  if (found.length === 0) throw badHead(1, "is missing: there is no tree head");
  return found.map(({ text, signatures, line }) => ({ ...readText(text, line), signatures }));
}

/** Parses one tree head. @throws AuditError `bad_head` */
export function readCheckpoint(text: string): Checkpoint {
  const [checkpoint, ...more] = readCheckpoints(text);
  if (!checkpoint || more.length > 0) {
    throw new AuditError("bad_head", "There are several tree heads, and there must be one.");
  }
  return checkpoint;
}

/**
 * Whether a key signed the head. As in C2SP signed-note, signatures by other keys are ignored, and
 * one invalid signature by this key fails all.
 */
export function isSignedBy(
  { text, signatures }: Checkpoint,
  { name, id, isSignature }: NoteVerifier,
): boolean {
  const own = signatures.filter((each) => each.name === name && each.id === id);
  return own.length > 0 && own.every(({ signature }) => isSignature(text, signature));
}

const SIGNATURE_START = "— ";
const SIGNATURES_LIMIT = 100;
const ROOT_BYTES = 32;

/** Blocks of lines, separated by empty ones. */
function blocksOf(file: string): { lines: string[]; line: number }[] {
  const blocks: { lines: string[]; line: number }[] = [];
  let open: string[] | undefined;
  for (const [index, text] of file.split("\n").entries()) {
    if (text === "") open = undefined;
    else if (open) open.push(text);
    else {
      open = [text];
      blocks.push({ lines: open, line: index + 1 });
    }
  }
  return blocks;
}

/**
 * C2SP allows extension lines after the third. Our logs have none, and such a line may be a head
 * whose empty line is missing, so extension lines are refused.
 */
function readText(lines: readonly string[], line: number): Omit<Checkpoint, "signatures"> {
  const [origin = "", size = "", rootText = "", ...more] = lines;
  if (size === "0") throw badHead(line + 1, "has 0 events, so the head vouches for nothing");
  if (!/^[1-9]\d{0,15}$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw badHead(line + 1, "is not the number of events of a tree head");
  }
  const root = fromBase64(rootText);
  if (root?.length !== ROOT_BYTES) throw badHead(line + 2, "is not a root hash: 32 bytes as base64");
  if (more.length > 0) throw badHead(line + 3, "follows a tree head without an empty line between");
  return { origin, size: Number(size), root, text: lines.map((each) => `${each}\n`).join("") };
}

function lineAt(file: string, index: number): number {
  return file.slice(0, index).split("\n").length;
}

function badHead(line: number, what: string): AuditError {
  return new AuditError(
    "bad_head",
    `Line ${line} ${what}. A tree head is three lines, as \`signalbox head\` prints them: origin, number of events, root.`,
  );
}
