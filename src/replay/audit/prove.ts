import { envelopeOf } from "../../events/encoding.ts";
import { payloadHash } from "../../events/leaf-hash.ts";
import { LogError } from "../../events/log-error.ts";
import { type AuditedFile, auditFile } from "../../events/sqlite-audit.ts";
import { REDACTION_TYPE } from "../../events/types/redactions.ts";
import { AuditError } from "./audit-error.ts";
import { type Checkpoint, checkpointText } from "./checkpoint.ts";
import { consistencyRanges, inclusionRanges } from "./merkle.ts";
import { checkProof, PROOF_FORMAT, type Proof } from "./proof.ts";
import { Redactions } from "./redactions.ts";
import type { NoteSigner } from "./signed-note.ts";
import { isAsAppended, isBare, recordOf, type StoredRecord } from "./stored-record.ts";
import { noSuchPosition, originIn, rootIn } from "./tree.ts";

export interface ProofOptions {
  /** The signer of the proof's head. */
  readonly signer?: NoteSigner | undefined;
  /** A head that was saved elsewhere; the proof shows that its own head continues it. */
  readonly since?: Checkpoint | undefined;
  /** True: gives only the payload's hash, so that its text stays secret. */
  readonly withhold?: boolean | undefined;
}

/**
 * Proves that a position of a log holds its event, in the tree of all current events.
 *
 * @param path the log's file
 * @throws AuditError `no_such_position`; `head_contradicted`: the log does not continue the head
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: the event, or the tree, differs from
 * what was appended
 */
export function prove(path: string, position: number, options: ProofOptions = {}): Proof {
  return auditFile(path, (file) => {
    const size = file.head();
    if (position > size) throw noSuchPosition(position, size);
    const text = checkpointText({
      origin: originIn(file),
      size,
      root: rootIn(file, { start: 0, end: size }),
    });
    const hashes = (ranges: ReturnType<typeof inclusionRanges>) =>
      ranges.map((range) => rootIn(file, range).toString("hex"));
    const { signer, since, withhold } = options;
    const proof: Proof = {
      format: PROOF_FORMAT,
      ...eventAt(file, position, withhold ?? false),
      inclusion: hashes(inclusionRanges(position - 1, size)),
      checkpoint: signer ? `${text}\n${signer.sign(text)}` : text,
      ...(since && since.size < size
        ? { consistency: { size: since.size, path: hashes(consistencyRanges(since.size, size)) } }
        : {}),
    };
    // Its receivers will check it: so check it first.
    const verdict = checkProof(JSON.stringify(proof), { head: since });
    if (!verdict.proven) throw new AuditError("head_contradicted", verdict.why);
    return proof;
  });
}

function eventAt(file: AuditedFile, position: number, withhold: boolean): Pick<Proof, "event" | "redaction"> {
  const record = recordAt(file, position);
  if (isBare(record)) {
    const redaction = redactionsIn(file, record).of(position);
    if (redaction === undefined) throw damaged(position, "its payload is missing, but no event redacts it");
    return { event: { ...envelopeOf(record), payloadHash: record.payloadHash.toString("hex") }, redaction };
  }
  const { payload, salt } = record;
  const content = withhold
    ? { payloadHash: payloadHash(record).toString("hex") }
    : { payload, salt: salt.toString("hex") };
  return { event: { ...envelopeOf(record), ...content } };
}

function recordAt(file: AuditedFile, position: number): StoredRecord {
  const row = file.row(position);
  const record = row ? recordOf(row, row.stream) : "it is missing";
  if (typeof record === "string") throw damaged(position, record);
  if (!isAsAppended(record)) throw damaged(position, "it was changed after it was appended");
  return record;
}

function redactionsIn(file: AuditedFile, target: StoredRecord): Redactions {
  const redactions = new Redactions();
  if (target.type !== REDACTION_TYPE) redactions.add(target);
  for (const position of file.positionsOf(REDACTION_TYPE)) redactions.add(recordAt(file, position));
  return redactions;
}

function damaged(position: number, what: string): LogError {
  return new LogError("damaged", `position ${position}: ${what}`);
}
