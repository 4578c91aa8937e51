import { checkPayload, decodeEvent } from "../../events/encoding.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { redactionIn, withKept } from "../../events/redaction/redact.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { REDACTION_TYPE } from "../../events/types/redactions.ts";
import { LogError } from "../../lib/log-error.ts";
import type { Damage } from "./damage.ts";
import { type BareRecord, isBare, type StoredRecord } from "./stored-record.ts";

/** An event without payload, and the position of its redaction. */
export interface Redacted {
  readonly position: number;
  readonly redaction: number;
}

/**
 * Matches the redactions of a log with its events without payload. Feed it each event, in log
 * order.
 */
export class Redactions {
  readonly #bare = new Map<number, BareRecord>();
  readonly #redactions: StoredRecord[] = [];

  add(record: StoredRecord): void {
    if (isBare(record)) this.#bare.set(record.position, record);
    if (record.type === REDACTION_TYPE) this.#redactions.push(record);
  }

  /** The position of the redaction of an event; undefined if it was not redacted. */
  of(position: number): number | undefined {
    return this.#account().by.get(position)?.position;
  }

  /** The redacted events, in log order. */
  all(): Redacted[] {
    const { by } = this.#account();
    return [...this.#bare.keys()].flatMap((position) => {
      const redaction = by.get(position)?.position;
      return redaction === undefined ? [] : [{ position, redaction }];
    });
  }

  /**
   * The first event without payload and redaction, or with both, or the first invalid redaction.
   */
  fault(): Damage | undefined {
    const { by, faults } = this.#account();
    for (const { position } of this.#bare.values()) {
      if (!by.has(position))
        faults.push({ position, what: "its payload is missing, but no event redacts it" });
    }
    const [first] = faults.sort((one, other) => one.position - other.position);
    return first && { check: "redaction", ...first };
  }

  /** Last to first: a later redaction may have redacted an earlier one, and must be known first. */
  #account(): { by: Map<number, Event<"event.redacted">>; faults: Omit<Damage, "check">[] } {
    const by = new Map<number, Event<"event.redacted">>();
    const faults: Omit<Damage, "check">[] = [];
    for (const record of this.#redactions.toReversed()) {
      const redaction = redactionOf(record, by);
      // An event without payload whose redaction is missing is a fault by itself.
      if (!redaction) continue;
      const target = redaction.payload.position;
      const fault = by.has(target)
        ? `the event at position ${by.get(target)?.position} redacts the one at position ${target}, too`
        : this.#faultOf(redaction, target);
      if (fault) faults.push(typeof fault === "string" ? { position: record.position, what: fault } : fault);
      // An invalid redaction is at fault, not the event that it names.
      if (!by.has(target)) by.set(target, redaction);
    }
    return { by, faults };
  }

  #faultOf(redaction: Event<"event.redacted">, target: number): Omit<Damage, "check"> | string | undefined {
    const bare = this.#bare.get(target);
    const { position, payload } = redaction;
    if (target >= position) return `it redacts position ${target}, which is not earlier`;
    if (!bare) {
      const what = `it has its payload, although the event at position ${position} redacted it`;
      return { position: target, what };
    }
    if (bare.type !== payload.type || bare.payloadHash.toString("hex") !== payload.payload_hash)
      return `it is not the redaction of the event that is at position ${target}`;
    return canBeOf(bare, redaction)
      ? undefined
      : `what it kept is not a payload of a ${bare.type} in the stream ${bare.stream}`;
  }
}

function redactionOf(
  record: StoredRecord,
  by: ReadonlyMap<number, Event<"event.redacted">>,
): Event<"event.redacted"> | undefined {
  if (!isBare(record)) return redactionIn(record);
  const redaction = by.get(record.position);
  return redaction && redactionIn(keptOf(record, redaction));
}

function canBeOf(bare: BareRecord, redaction: Event<"event.redacted">): boolean {
  const definition = definitionOf(bare.type);
  try {
    const kept = decodeEvent(keptOf(bare, redaction)).payload;
    // An own event of another program: only that can judge.
    if (!definition) return true;
    const { payload, fault } = checkPayload(definition, kept, true);
    return fault === undefined && definition.stream(payload) === bare.stream;
  } catch (error) {
    // Only a program that can read it can judge.
    if (error instanceof LogError) return error.code === "newer_schema" || error.code === "upcast_failed";
    throw error;
  }
}

function keptOf({ payloadHash: _, ...fields }: BareRecord, redaction: Event<"event.redacted">): EventRecord {
  return withKept(fields, redaction);
}
