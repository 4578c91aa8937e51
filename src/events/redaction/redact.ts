import { LogError } from "../../lib/log-error.ts";
import { checkPayload, decodeEvent } from "../encoding.ts";
import type { Via } from "../event.ts";
import type { EventRecord } from "../event-record.ts";
import { payloadHash } from "../leaf-hash.ts";
import { definitionOf, type Event } from "../types/index.ts";
import { REDACTION_TYPE } from "../types/redactions.ts";
import { isMark } from "../types/structure.ts";
import { withoutVia } from "../types/via.ts";
import { withoutTexts } from "./without-texts.ts";

/**
 * True for a record whose payload and salt were removed; its `payload` is the part that the
 * redaction kept.
 */
export function isRedacted(record: Pick<EventRecord, "redaction">): boolean {
  return record.redaction !== undefined;
}

/** The redaction in a record, or undefined if it is another event. */
export function redactionIn(record: EventRecord): Event<"event.redacted"> | undefined {
  const event = record.type === REDACTION_TYPE ? decodeEvent(record) : undefined;
  return event?.type === REDACTION_TYPE ? event : undefined;
}

/** A record without payload and salt, with the part that its redaction kept instead. */
export function withKept(
  record: Omit<EventRecord, "payload" | "salt">,
  { position, payload }: Event<"event.redacted">,
): EventRecord {
  return {
    ...record,
    payload: JSON.stringify(payload.kept),
    salt: Buffer.alloc(0),
    redaction: {
      position,
      payloadHash: Buffer.from(payload.payload_hash, "hex"),
      schemaVersion: payload.schema_version,
    },
  };
}

/**
 * Checks that a redaction removes only texts from the event that it names.
 *
 * @param target the event at its position; undefined if there is none
 * @throws LogError `redacted`: it is redacted already; `invalid_event`
 */
export function checkRedaction({ payload }: Event<"event.redacted">, target: EventRecord | undefined): void {
  const { position, type, schema_version, payload_hash, kept } = payload;
  if (!target) throw refused(`there is no event at position ${position}`);
  if (target.redaction) throw alreadyRedacted(position, target.redaction.position);
  if (target.type !== type)
    throw refused(`the event at position ${position} is a ${target.type}, not a ${type}`);
  if (payloadHash(target).toString("hex") !== payload_hash) {
    throw refused(`payload_hash does not match the event at position ${position}`);
  }
  const definition = definitionOf(type);
  if (definition?.version !== schema_version) {
    throw refused(`schema_version is ${schema_version}, but ${type} has ${definition?.version}`);
  }
  const { payload: left, via } = withoutVia(type, kept);
  const checked = checkPayload(definition, left, true);
  if (checked.fault !== undefined || definition.stream(checked.payload) !== target.stream) {
    throw refused(`kept is not a payload of ${type} of stream ${target.stream}`);
  }
  if (!leavesAllButTexts(type, { payload: left, via }, decodeEvent(target))) {
    throw refused("kept changes the event; it may only remove free texts");
  }
}

function refused(what: string): LogError {
  return new LogError("invalid_event", `Nothing was recorded (${REDACTION_TYPE}): ${what}.`);
}

/** The error for an event that is redacted already; names the earlier redaction. */
function alreadyRedacted(position: number, by: number): LogError {
  return new LogError(
    "redacted",
    `Event ${position} is already redacted, by the event at position ${by}. To remove more of the ` +
      `text that is left, redact ${by}.`,
  );
}

/** True if what is left of an act is the act with nothing but texts removed: neither what it was nor how it came is changed. */
export function leavesAllButTexts(type: string, left: Kept, whole: Kept): boolean {
  const isSameWay = JSON.stringify(left.via) === JSON.stringify(whole.via);
  return isSameWay && keepsAllButTexts(type, left.payload, whole.payload);
}

interface Kept {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly via?: Via | undefined;
}

/** True if `kept` is this payload with nothing but texts removed. */
export function keepsAllButTexts(
  type: string,
  kept: unknown,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  return isBetween(withoutTexts(type, payload).kept, kept, payload);
}

/**
 * `least` is the part of `whole` that no redaction may remove; everything missing or marked in
 * `kept` must be so in `least`.
 */
function isBetween(least: unknown, kept: unknown, whole: unknown): boolean {
  if (typeof whole !== "object" || whole === null) return kept === whole || (isMark(least) && isMark(kept));
  if (Array.isArray(whole)) {
    return (
      Array.isArray(least) &&
      Array.isArray(kept) &&
      kept.length === whole.length &&
      whole.every((each, index) => isBetween(least[index], kept[index], each))
    );
  }
  if (!isFields(whole) || !isFields(kept)) return false;
  const left = isFields(least) ? least : {};
  return (
    Object.keys(kept).every((key) => Object.hasOwn(whole, key)) &&
    Object.keys(whole).every((key) =>
      Object.hasOwn(kept, key)
        ? JSON.stringify(kept[key]) === JSON.stringify(whole[key]) ||
          isBetween(left[key], kept[key], whole[key])
        : !Object.hasOwn(left, key),
    )
  );
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
