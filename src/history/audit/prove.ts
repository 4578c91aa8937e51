import type { AuditedLog } from "../../events/audit.ts";
import { envelopeOf } from "../../events/encoding.ts";
import { payloadHash } from "../../events/leaf-hash.ts";
import type { EventLog } from "../../events/log.ts";
import { REDACTION_TYPE } from "../../events/types/redactions.ts";
import { LogError } from "../../lib/log-error.ts";
import { consistencyRanges, inclusionRanges } from "../../lib/merkle.ts";
import { AuditError } from "./audit-error.ts";
import { type Checkpoint, checkpointText } from "./checkpoint.ts";
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
 * @throws AuditError `no_such_position`; `head_contradicted`: the log does not continue the head
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: the event, or the tree, differs from
 * what was appended
 */
export function prove(
  log: Pick<EventLog, "audit">,
  position: number,
  options: ProofOptions = {},
): Promise<Proof> {
  return log.audit(async (stored) => {
    const size = await stored.head();
    if (position > size) throw noSuchPosition(position, size);
    const text = checkpointText({
      origin: await originIn(stored),
      size,
      root: await rootIn(stored, { start: 0, end: size }),
    });
    const hashes = async (ranges: ReturnType<typeof inclusionRanges>) => {
      const roots: string[] = [];
      for (const range of ranges) roots.push((await rootIn(stored, range)).toString("hex"));
      return roots;
    };
    const { signer, since, withhold } = options;
    const proof: Proof = {
      format: PROOF_FORMAT,
      ...(await eventAt(stored, position, withhold ?? false)),
      inclusion: await hashes(inclusionRanges(position - 1, size)),
      checkpoint: signer ? `${text}\n${signer.sign(text)}` : text,
      ...(since && since.size < size
        ? { consistency: { size: since.size, path: await hashes(consistencyRanges(since.size, size)) } }
        : {}),
    };
    // Its receivers will check it: so check it first.
    const verdict = checkProof(JSON.stringify(proof), { head: since });
    if (!verdict.proven) throw new AuditError("head_contradicted", verdict.why);
    return proof;
  });
}

async function eventAt(
  stored: AuditedLog,
  position: number,
  withhold: boolean,
): Promise<Pick<Proof, "event" | "redaction">> {
  const record = await recordAt(stored, position);
  if (isBare(record)) {
    const redaction = (await redactionsIn(stored, record)).of(position);
    if (redaction === undefined) throw damaged(position, "its payload is missing, but no event redacts it");
    return { event: { ...envelopeOf(record), payloadHash: record.payloadHash.toString("hex") }, redaction };
  }
  const { payload, salt } = record;
  const content = withhold
    ? { payloadHash: payloadHash(record).toString("hex") }
    : { payload, salt: salt.toString("hex") };
  return { event: { ...envelopeOf(record), ...content } };
}

async function recordAt(stored: AuditedLog, position: number): Promise<StoredRecord> {
  const row = await stored.row(position);
  const record = row ? recordOf(row) : "it is missing";
  if (typeof record === "string") throw damaged(position, record);
  if (!isAsAppended(record)) throw damaged(position, "it was changed after it was appended");
  return record;
}

async function redactionsIn(stored: AuditedLog, target: StoredRecord): Promise<Redactions> {
  const redactions = new Redactions();
  if (target.type !== REDACTION_TYPE) redactions.add(target);
  for (const position of await stored.positionsOf(REDACTION_TYPE)) {
    redactions.add(await recordAt(stored, position));
  }
  return redactions;
}

function damaged(position: number, what: string): LogError {
  return new LogError("damaged", `position ${position}: ${what}`);
}
