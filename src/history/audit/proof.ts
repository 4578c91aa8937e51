import { leafHash, leafHashWithout } from "../../events/leaf-hash.ts";
import { isConsistent, isIncluded } from "../../lib/merkle.ts";
import { AuditError } from "./audit-error.ts";
import { type Checkpoint, isSignedBy, readCheckpoint } from "./checkpoint.ts";
import type { NoteVerifier } from "./signed-note.ts";

/*
 * The file that `signalbox prove` writes, and its check: docs/trust.md#proofs. This file and its
 * imports need only Node's crypto: no database, no schemas, no package.
 */

/** The first field of a proof file. */
export const PROOF_FORMAT = "signalbox-proof/1";

/** A proof file, as JSON has it. */
export interface Proof {
  readonly format: typeof PROOF_FORMAT;
  readonly event: ProvenEvent;
  /**
   * The position of the event that redacted the payload; only a proof of that event confirms it.
   */
  readonly redaction?: number;
  /** Hex, from the leaf's sibling upwards (RFC 6962, §2.1.1). */
  readonly inclusion: readonly string[];
  /** The tree head that the inclusion is proved in. */
  readonly checkpoint: string;
  /** Proves that the head continues one with `size` events (RFC 6962, §2.1.2). */
  readonly consistency?: { readonly size: number; readonly path: readonly string[] };
}

/** The fields that the leaf hash covers; the payload's text with its salt, or only its hash. */
interface ProvenEvent {
  readonly position: number;
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly recordedAt: string;
  readonly actor: string;
  readonly causation?: string;
  readonly correlation?: string;
  readonly payload?: string;
  readonly salt?: string;
  readonly payloadHash?: string;
}

/** Trusted data that the checker has from elsewhere. */
export interface Trusted {
  /** The key whose signature under the proof's head is trusted. */
  readonly key?: NoteVerifier | undefined;
  /** A head that was saved elsewhere. */
  readonly head?: Checkpoint | undefined;
}

/** The result of checking a proof. */
export type ProofVerdict =
  | {
      readonly proven: true;
      readonly event: ProvenEvent;
      readonly redaction?: number;
      readonly head: Checkpoint;
    }
  | { readonly proven: false; readonly why: string };

/** Checks a proof file. Never throws, whatever the text. */
export function checkProof(text: string, { key, head: kept }: Trusted = {}): ProofVerdict {
  const no = (why: string): ProofVerdict => ({ proven: false, why });
  const proof = readProof(text);
  if (typeof proof === "string") return no(`This is not a proof file: ${proof}.`);
  const { event, redaction, inclusion, head, consistency } = proof;
  if (redaction !== undefined && redaction > head.size)
    return no(`This is not a proof file: its head has no position ${redaction}.`);
  const leaf = leafOf(event);
  if (typeof leaf === "string") return no(`This is not a proof file: ${leaf}.`);
  if (!isIncluded(leaf, event.position - 1, head.size, inclusion, head.root)) {
    return no(`The event is not the one at position ${event.position} of the tree with this head.`);
  }
  if (key && !isSignedBy(head, key)) return no(`The head is not signed by the key ${key.name}+${key.id}.`);
  if (kept) {
    if (kept.origin !== head.origin) {
      return no(
        `The head belongs to the log ${head.origin}, but the one that you kept belongs to ${kept.origin}.`,
      );
    }
    const path =
      kept.size === head.size ? [] : consistency?.size === kept.size ? consistency.path : undefined;
    if (!path) {
      return no(
        `The proof does not show that its head of ${head.size} events continues the one that you kept, of ${kept.size}: ` +
          "ask for a proof with `signalbox prove --since` and that head.",
      );
    }
    if (!isConsistent(kept.size, head.size, path, kept.root, head.root)) {
      return no(
        `The log was altered: its head of ${head.size} events does not continue the one that you kept.`,
      );
    }
  }
  return { proven: true, event, ...(redaction !== undefined && { redaction }), head };
}

interface ReadProof {
  readonly event: ProvenEvent;
  readonly redaction: number | undefined;
  readonly inclusion: Buffer[];
  readonly head: Checkpoint;
  readonly consistency: { readonly size: number; readonly path: Buffer[] } | undefined;
}

/** The proof in a text, or the fault. */
function readProof(text: string): ReadProof | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  if (!isObject(json)) return "it is not a JSON object";
  if (json.format !== PROOF_FORMAT) return `its format is not ${PROOF_FORMAT}`;
  if (!hasOnly(json, ["format", "event", "redaction", "inclusion", "checkpoint", "consistency"]))
    return "it has other fields";
  const event = readEvent(json.event);
  if (typeof event === "string") return event;
  const { redaction } = json;
  if (redaction !== undefined && (!isCount(redaction) || redaction <= event.position || !event.payloadHash))
    return "redaction is not a later position, or there is a payload";
  const inclusion = readPath(json.inclusion);
  if (!inclusion) return "inclusion is not a list of hashes in hex";
  if (typeof json.checkpoint !== "string") return "checkpoint is not text";
  const consistency = json.consistency === undefined ? undefined : readConsistency(json.consistency);
  if (consistency === null) return "consistency is not a size with a list of hashes in hex";
  if (namesIn(text) !== namesOf(json)) return "a field is there twice";
  try {
    return { event, redaction, inclusion, head: readCheckpoint(json.checkpoint), consistency };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return `its checkpoint is invalid: ${error.message.replace(/\.$/, "")}`;
  }
}

const TEXTS = ["id", "stream", "type", "recordedAt", "actor"] as const;
const OPTIONAL_TEXTS = ["causation", "correlation", "payload", "salt", "payloadHash"] as const;
const COUNTS = ["position", "streamVersion", "schemaVersion"] as const;

function readEvent(event: unknown): ProvenEvent | string {
  if (!isObject(event)) return "event is not an object";
  if (!hasOnly(event, [...TEXTS, ...OPTIONAL_TEXTS, ...COUNTS])) return "its event has other fields";
  const count = COUNTS.find((field) => !isCount(event[field]));
  if (count) return `its event's ${count} is not a whole number, 1 or higher`;
  // An empty text would hash like an absent one.
  const text =
    TEXTS.find((field) => !isText(event[field])) ??
    OPTIONAL_TEXTS.find((field) => event[field] !== undefined && !isText(event[field]));
  if (text) return `its event's ${text} is not text`;
  // Each field was checked above.
  return event as unknown as ProvenEvent;
}

/** The leaf of an event, or the fault. */
function leafOf(event: ProvenEvent): Buffer | string {
  const fields = { ...event, causation: event.causation, correlation: event.correlation };
  const { payload, salt, payloadHash } = event;
  if (payloadHash !== undefined) {
    const bytes = fromHex(payloadHash, HASH_BYTES);
    if (payload !== undefined || salt !== undefined) return "its event has a payload and a payloadHash";
    return bytes ? leafHashWithout(fields, bytes) : "its event's payloadHash is not 32 bytes in hex";
  }
  // With another length, bytes could move between salt and payload.
  const saltBytes = fromHex(salt ?? "", SALT_BYTES);
  if (!saltBytes) return "its event's salt is not 16 bytes in hex";
  return payload === undefined
    ? "its event has no payload"
    : leafHash({ ...fields, payload, salt: saltBytes });
}

const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** More than the largest tree can need. */
const PATH_LIMIT = 128;

/** Null if malformed. */
function readConsistency(value: unknown): { size: number; path: Buffer[] } | null {
  if (!isObject(value) || !hasOnly(value, ["size", "path"]) || !isCount(value.size)) return null;
  const path = readPath(value.path);
  return path ? { size: value.size, path } : null;
}

function readPath(value: unknown): Buffer[] | undefined {
  if (!Array.isArray(value) || value.length > PATH_LIMIT) return undefined;
  const hashes = value.flatMap((each) => fromHex(each, HASH_BYTES) ?? []);
  return hashes.length === value.length ? hashes : undefined;
}

function fromHex(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== "string" || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Buffer.from(text, "hex");
}

/** How many field names a JSON text has; programs may read the first or the last of a duplicate. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    at += 1;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    let next = at + 1;
    while (/\s/.test(text[next] ?? "")) next += 1;
    if (text[next] === ":") names += 1;
  }
  return names;
}

/** How many fields a parsed value has, at any depth. */
function namesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + namesOf(each), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + 1 + namesOf(each), 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, fields: readonly string[]): boolean {
  return Object.keys(value).every((field) => fields.includes(field));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** Half of a surrogate pair has no UTF-8 bytes. */
function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && Buffer.from(value).toString() === value;
}
