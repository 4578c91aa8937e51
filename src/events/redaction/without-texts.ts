import { z } from "zod";
import { definitionOf } from "../types/index.ts";
import { REDACTION_TYPE } from "../types/redactions.ts";
import { isMark, isStructural, markOf } from "../types/structure.ts";
import { withoutVia, withVia } from "../types/via.ts";

type Payload = Readonly<Record<string, unknown>>;

/** A text in a payload, and its path: `options.1`. */
export interface FoundText {
  readonly path: string;
  readonly text: string;
}

export interface WithoutTexts {
  /** The payload with a mark for each removed text; ids, names, numbers and choices stay. */
  readonly kept: Record<string, unknown>;
  readonly removed: readonly FoundText[];
}

/**
 * Removes the free texts from a payload: every string that its schema does not mark as holding the
 * history together (types/structure.ts).
 *
 * @param payload in the current schema version of `type`
 * @param fields paths such as `summary` or `options.1`, each with everything below it; absent: all
 * free texts
 */
export function withoutTexts(type: string, payload: Payload, fields?: readonly string[]): WithoutTexts {
  const removed: FoundText[] = [];
  const isMeant = (path: string) =>
    fields === undefined || fields.some((field) => path === field || path.startsWith(`${field}.`));
  const kept = takeOut(type, payload, "", (path, text) => {
    if (!isMeant(path)) return false;
    removed.push({ path, text });
    return true;
  });
  return { kept, removed };
}

/** Whether to remove a free text. */
type Take = (path: string, text: string) => boolean;

/** Marks a field that is removed together with its name. */
const GONE = Symbol("gone");

/** @param stored as the log stores it, or without how the act came, which stays */
function takeOut(type: string, stored: Payload, path: string, take: Take): Record<string, unknown> {
  const { payload, via } = withoutVia(type, stored);
  const schema = definitionOf(type)?.payload;
  // `kept` of a redaction has the payload schema of the event that it redacted.
  const { kept, ...own } = payload;
  const nested =
    type === REDACTION_TYPE
      ? { kept: takeOut(String(payload.type), kept as Payload, join(path, "kept"), take) }
      : {};
  const rest = type === REDACTION_TYPE ? own : payload;
  const result = schema ? ofObject(schema, rest, path, take) : ofUnknown(rest, path, take);
  // An object schema gives an object.
  return withVia({ ...(result as Record<string, unknown>), ...nested }, via);
}

function ofValue(schema: z.ZodType, value: unknown, path: string, take: Take): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    // Zod types the inner schema more widely than any schema that we define.
    return value === null ? null : ofValue(schema.unwrap() as z.ZodType, value, path, take);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    return value.map((each, index) => ofValue(element, each, join(path, index), take)).filter(isThere);
  }
  if (isObject(value)) {
    if (schema instanceof z.ZodObject) return ofObject(schema, value, path, take);
    if (schema instanceof z.ZodRecord) return ofRecord(schema, value, path, take);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    const fitting = options.find((option) => option.safeParse(value).success);
    return fitting ? ofValue(fitting, value, path, take) : ofUnknown(value, path, take);
  }
  if (typeof value !== "string") return isObject(value) ? ofUnknown(value, path, take) : value;
  if (value === "" || schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || isStructural(schema))
    return value;
  if (isMark(value) || !take(path, value)) return value;
  const mark = markOf(schema);
  return schema.safeParse(mark).success ? mark : GONE;
}

function ofObject(schema: z.ZodObject, value: Payload, path: string, take: Take): unknown {
  return entriesOf(value, (key, member) => {
    const known = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
    return known ? ofValue(known, member, join(path, key), take) : ofUnknown(member, join(path, key), take);
  });
}

/**
 * Names of entries that are free text themselves, such as header names, are kept or removed
 * together with their entries.
 */
function ofRecord({ keyType, valueType }: z.ZodRecord, value: Payload, path: string, take: Take): unknown {
  const isName = isStructural(keyType as z.ZodType);
  return entriesOf(value, (key, member) =>
    isName
      ? ofValue(valueType as z.ZodType, member, join(path, key), take)
      : ofUnknown(member, join(path, key), take),
  );
}

/** A value without a schema may contain text anywhere, even in its field names. */
function ofUnknown(value: unknown, path: string, take: Take): unknown {
  return take(path, typeof value === "string" ? value : JSON.stringify(value)) ? GONE : value;
}

function entriesOf(value: Payload, of: (key: string, member: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, member]) => [key, of(key, member)] as const);
  return Object.fromEntries(entries.filter(([, member]) => isThere(member)));
}

const isThere = (value: unknown) => value !== GONE;

function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function join(path: string, part: string | number): string {
  return path === "" ? String(part) : `${path}.${part}`;
}
