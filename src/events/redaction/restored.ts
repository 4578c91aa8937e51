import { LogError } from "../../lib/log-error.ts";
import type { LogState } from "../append.ts";
import { decodeEvent } from "../encoding.ts";
import type { EventRecord } from "../event-record.ts";
import { payloadHash } from "../leaf-hash.ts";
import type { Event } from "../types/index.ts";
import { REDACTION_TYPE } from "../types/redactions.ts";
import { leavesAllButTexts, redactionIn, withKept } from "./redact.ts";

/**
 * Gives each restored event without payload the part that its redaction kept; that redaction must
 * be restored with it. A redaction whose event is in the log with its payload may remove only
 * texts.
 *
 * @param records the records to insert, in log order
 * @throws LogError `invalid_event`: the position and the fault
 */
export function withRestoredRedactions(
  records: readonly EventRecord[],
  state: Pick<LogState, "at">,
): readonly EventRecord[] {
  const restored = new Map(records.map((record) => [record.position, record]));
  const by = new Map<number, number>();
  // Last to first: a later redaction may have redacted an earlier one, and must be known first.
  for (const { position } of records.toReversed()) {
    const record = restored.get(position);
    if (!record) continue;
    if (by.get(position) !== record.redaction?.position) throw wrong(position, UNRESOLVED);
    const redaction = record.type === REDACTION_TYPE ? redactionIn(record) : undefined;
    if (!redaction) continue;
    const target = redaction.payload.position;
    if (target >= position || by.has(target))
      throw wrong(position, `it redacts position ${target}, which comes later or has another redaction`);
    const inserted = restored.get(target);
    if (inserted) restored.set(target, withItsKept(inserted, redaction));
    else checkKept(redaction, state.at(target));
    by.set(target, position);
  }
  return records.map((record) => restored.get(record.position) ?? record);
}

const UNRESOLVED = "an event without payload needs its redaction, and only one of the two is being restored";

/** An event with payload stays as it is; its own check comes later and refuses it there. */
function withItsKept(record: EventRecord, redaction: Event<"event.redacted">): EventRecord {
  if (!record.redaction) return record;
  if (record.redaction.position !== redaction.position) throw wrong(record.position, UNRESOLVED);
  checkNamed(record, redaction);
  return withKept(record, redaction);
}

function checkKept(redaction: Event<"event.redacted">, target: EventRecord | undefined): void {
  const { position } = redaction;
  if (!target || target.redaction)
    throw wrong(position, "the event that it redacts is already redacted, or missing");
  checkNamed(target, redaction);
  if (!leavesAllButTexts(target.type, decodeEvent(withKept(target, redaction)), decodeEvent(target)))
    throw wrong(position, "its `kept` does not match the event that it redacts");
}

function checkNamed(target: EventRecord, { position, payload }: Event<"event.redacted">): void {
  if (target.type !== payload.type || payloadHash(target).toString("hex") !== payload.payload_hash)
    throw wrong(position, `it is not the redaction of the ${target.type} at position ${target.position}`);
}

function wrong(position: number, what: string): LogError {
  return new LogError("invalid_event", `Position ${position}: ${what}.`);
}
