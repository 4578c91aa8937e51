import type { z } from "zod";
import { errorMessage } from "../lib/error-message.ts";
import { isEventId } from "../lib/ids.ts";
import { jsonProblem } from "../lib/json.ts";
import { LogError } from "../lib/log-error.ts";
import { describeIssues, inOurWords } from "../lib/wrong-values.ts";
import type { EventDefinition, NewEvent } from "./event.ts";
import type { EncodedEvent, EventRecord } from "./event-record.ts";
import type { LeafFields } from "./leaf-hash.ts";
import { definitionOf, type Event } from "./types/index.ts";
import { isOwnType } from "./types/own.ts";
import { viaFault, withoutVia, withVia } from "./types/via.ts";

/**
 * @param isStored true for an event already in the log: older programs did not count zero-width characters as blank
 * @throws LogError `unknown_event_type`, `invalid_event`
 */
export function encodeEvent(event: NewEvent, isStored = false): EncodedEvent {
  const definition = definitionOf(event.type);
  if (!definition) {
    throw new LogError(
      "unknown_event_type",
      isOwnType(event.type)
        ? `This process has no definition of ${event.type}. Pass it to \`openProject(…, { events })\`.`
        : `"${event.type}" is not an event type; docs/events.md lists them.`,
    );
  }
  for (const field of ["id", "causation"] as const) {
    if (event[field] !== undefined && !isEventId(event[field])) {
      throw new LogError("invalid_event", `The ${field} of a ${event.type} is not a lower-case UUID.`);
    }
  }
  const problem = jsonProblem(event.payload);
  if (problem) throw new LogError("invalid_event", `Nothing was recorded (${event.type}): ${problem}.`);
  const { payload, fault } = checkPayload(definition, event.payload, isStored);
  if (fault !== undefined) {
    throw new LogError("invalid_event", `Nothing was recorded (${event.type}): ${fault}.`);
  }
  const via = isOwnType(event.type) ? undefined : event.via;
  const wrongVia = via && viaFault(via);
  if (wrongVia) throw new LogError("invalid_event", `Nothing was recorded (${event.type}): ${wrongVia}.`);
  return {
    type: event.type,
    schemaVersion: definition.version,
    stream: definition.stream(payload),
    payload: JSON.stringify(withVia(payload, via)),
    actor: label(event, "actor", event.actor),
    causation: event.causation,
    correlation: event.correlation === undefined ? undefined : label(event, "correlation", event.correlation),
  };
}

/**
 * The payload parsed by its schema, or the fault.
 *
 * @param isStored true for an event already in the log: older programs did not count zero-width
 * characters as blank
 */
export function checkPayload<Payload extends z.ZodObject>(
  definition: Pick<EventDefinition<string, Payload>, "payload">,
  payload: unknown,
  isStored: boolean,
): { readonly payload: z.output<Payload>; readonly fault?: string } {
  // Nearly every payload is valid, and building the error messages takes half as long again.
  const right = definition.payload.safeParse(payload);
  if (right.success) return { payload: right.data };
  const parsed = definition.payload.safeParse(payload, { ...inOurWords, reportInput: true });
  if (parsed.success) return { payload: parsed.data };
  // No payload schema transforms its input, so a payload whose only fault is a blank text is
  // already parsed.
  const asGiven = payload as z.output<Payload>;
  const issues = parsed.error.issues.filter((issue) => !isStored || !isBlankByNow(issue));
  if (issues.length === 0) return { payload: asGiven };
  return { payload: asGiven, fault: describeIssues({ issues }, "payload") };
}

function isBlankByNow(issue: z.core.$ZodIssue): boolean {
  return issue.code === "custom" && issue.params?.blank === true && String(issue.input).trim() !== "";
}

/**
 * The definition of a stored event's type; undefined for another program's own type.
 *
 * @throws LogError `newer_schema`: a newer program wrote it; this one must stop here.
 */
export function storedDefinition(
  record: Pick<EventRecord, "position" | "type" | "schemaVersion" | "redaction">,
): EventDefinition | undefined {
  const definition = definitionOf(record.type);
  if (!definition && isOwnType(record.type)) return undefined;
  const version = payloadVersion(record);
  if (definition && version <= definition.version) return definition;
  throw new LogError(
    "newer_schema",
    `Position ${record.position} holds a ${record.type} of schema version ${version}, which this ` +
      "version of signalbox does not know. A newer version wrote it: update signalbox here.",
  );
}

/**
 * `kept` of a redaction has the schema version of its own time: the version of the event, or a
 * later one.
 */
function payloadVersion({
  redaction,
  schemaVersion,
}: Pick<EventRecord, "redaction" | "schemaVersion">): number {
  return redaction?.schemaVersion ?? schemaVersion;
}

/**
 * The fields of an event without its payload, in the order in which they are written; absent fields
 * are left out.
 */
export function envelopeOf(record: Omit<EventRecord, "payload" | "salt" | "leafHash">) {
  const { causation, correlation } = record;
  return {
    position: record.position,
    id: record.id,
    stream: record.stream,
    streamVersion: record.streamVersion,
    type: record.type,
    schemaVersion: record.schemaVersion,
    recordedAt: record.recordedAt,
    actor: record.actor,
    ...(causation !== undefined && { causation }),
    ...(correlation !== undefined && { correlation }),
  };
}

/**
 * The event stored in a record, its payload upcast to the current schema version.
 *
 * @throws LogError `newer_schema`: a newer program wrote it; this one must stop here.
 * @throws LogError `damaged`: the stored payload is not JSON.
 */
export function decodeEvent(record: EventRecord): Event {
  return decodeFields(record, record.payload, record.leafHash.toString("hex"));
}

/**
 * The same from the parts of a record: its fields, its payload as text and its leaf hash in hex.
 */
export function decodeFields(
  fields: LeafFields & Pick<EventRecord, "redaction">,
  text: string,
  leafHash: string,
): Event {
  const { payload, via, fault } = upcastPayload(fields, text);
  const { causation, correlation, redaction } = fields;
  const event: Record<string, unknown> = {
    position: fields.position,
    id: fields.id,
    stream: fields.stream,
    streamVersion: fields.streamVersion,
    type: fields.type,
    schemaVersion: fields.schemaVersion,
    payload,
    recordedAt: fields.recordedAt,
    actor: fields.actor,
  };
  if (causation !== undefined) event.causation = causation;
  if (correlation !== undefined) event.correlation = correlation;
  if (via) event.via = via;
  event.leafHash = leafHash;
  if (redaction) event.redacted = redaction.position;
  // Only readers of this payload fail: the log, our projections and decisions do not need it.
  if (fault) {
    Object.defineProperty(event, "payload", {
      enumerable: true,
      get() {
        throw fault;
      },
    });
  }
  // The payload was validated when it was appended, and upcast from there.
  return event as unknown as Event;
}

/**
 * A stored payload in the current schema version, or why the upcaster of an own event does not give it.
 *
 * @throws LogError `damaged`: no program wrote this version
 */
function upcastPayload(fields: LeafFields & Pick<EventRecord, "redaction">, text: string) {
  const { position, type } = fields;
  // Another program's own types are not upcast.
  const definition = storedDefinition(fields);
  const stored = withoutVia(type, parsePayload(fields, text));
  const { via } = stored;
  let { payload } = stored;
  for (let version = payloadVersion(fields); definition && version < definition.version; version++) {
    const upcast = definition.upcasters?.[version];
    if (!upcast) {
      throw new LogError(
        "damaged",
        `Position ${position} holds a ${type} of schema version ${version}; the first version is 1.`,
      );
    }
    try {
      payload = upcast(payload);
      if (isOwnType(type) && version + 1 === definition.version) payload = checkUpcast(definition, payload);
    } catch (cause) {
      if (!isOwnType(type)) throw cause;
      const message = `The upcaster ${type} ${version} → ${version + 1} failed at position ${position}: ${errorMessage(cause)}.`;
      return { payload, via, fault: new LogError("upcast_failed", message, { cause }) };
    }
  }
  return { payload, via };
}

function checkUpcast(definition: EventDefinition, upcast: unknown): Record<string, unknown> {
  const { payload, fault } = checkPayload(definition, upcast, true);
  if (fault !== undefined) throw new Error(`it returned a wrong payload: ${fault}`);
  return payload;
}

function parsePayload({ position }: LeafFields, payload: string): Record<string, unknown> {
  try {
    return JSON.parse(payload);
  } catch (cause) {
    throw new LogError("damaged", `The payload at position ${position} is not JSON; the log is damaged.`, {
      cause,
    });
  }
}

function label(event: NewEvent, field: string, value: string): string {
  if (
    typeof value !== "string" ||
    value === "" ||
    value.length > 200 ||
    CONTROL.test(value) ||
    !value.isWellFormed()
  ) {
    throw new LogError(
      "invalid_event",
      `The ${field} of a ${event.type} must be a name of 1 to 200 characters.`,
    );
  }
  return value;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
