import { leafHash, payloadHash } from "../../events/leaf-hash.ts";
import { LogError } from "../../events/log-error.ts";
import { type AuditedFile, auditFile } from "../../events/sqlite-audit.ts";
import { AuditError } from "./audit-error.ts";
import { type Checkpoint, checkpointText } from "./checkpoint.ts";
import { consistencyRanges, inclusionRanges } from "./merkle.ts";
import { checkProof, PROOF_FORMAT, type Proof, type ProvenEvent } from "./proof.ts";
import type { NoteSigner } from "./signed-note.ts";
import { recordOf } from "./stored-record.ts";
import { noSuchPosition, originIn, rootIn } from "./tree.ts";

export interface ProofOptions {
  /** Who signs the proof's head. */
  readonly signer?: NoteSigner | undefined;
  /** A head that was kept elsewhere; the proof's head is shown to continue it. */
  readonly since?: Checkpoint | undefined;
  /** True: the hash of the payload stands for it, so that nobody learns its words. */
  readonly withhold?: boolean | undefined;
}

/**
 * The proof that a position of a log holds its event, in the tree of all events that there are.
 *
 * @param path the log's file
 * @throws AuditError `no_such_position`; `head_contradicted`: the log does not continue the head
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: the event, or the tree, is not as it was appended
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
      event: eventAt(file, position, withhold ?? false),
      inclusion: hashes(inclusionRanges(position - 1, size)),
      checkpoint: signer ? `${text}\n${signer.sign(text)}` : text,
      ...(since && since.size > 0 && since.size < size
        ? { consistency: { size: since.size, path: hashes(consistencyRanges(since.size, size)) } }
        : {}),
    };
    // Whoever gets it checks it: here it is checked before.
    const verdict = checkProof(JSON.stringify(proof), { head: since });
    if (!verdict.proven) throw new AuditError("head_contradicted", verdict.why);
    return proof;
  });
}

function eventAt(file: AuditedFile, position: number, withhold: boolean): ProvenEvent {
  const row = file.row(position);
  const record = row ? recordOf(row, row.stream) : "it is missing";
  if (typeof record === "string") throw new LogError("damaged", `position ${position}: ${record}`);
  if (!leafHash(record).equals(record.leafHash)) {
    throw new LogError("damaged", `the event at position ${position} is not as it was appended`);
  }
  const { payload, salt, leafHash: _leaf, causation, correlation, ...fields } = record;
  return {
    ...fields,
    ...(causation !== undefined && { causation }),
    ...(correlation !== undefined && { correlation }),
    ...(withhold
      ? { payloadHash: payloadHash(record).toString("hex") }
      : { payload, salt: salt.toString("hex") }),
  };
}
