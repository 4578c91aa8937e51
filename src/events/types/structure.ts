import { z } from "zod";

/** What becomes of a string when the event that holds it is redacted; without an entry it is removed. */
const fates = z.registry<{ readonly keep?: boolean; readonly mark?: string }>();

/** Stands where a text was removed. */
export const REDACTED = "[redacted]";

/**
 * Says of a schema of strings that they hold the history together (names, ids, hashes) and stay in a redacted event.
 * Whatever nobody says this of is removed: a new field is safe without anybody thinking of it.
 */
export function structural<Schema extends z.ZodType>(schema: Schema): Schema {
  return withFate(schema, { keep: true });
}

/** Says what stands in the place of a removed string, where `[redacted]` would not do. */
export function redactedAs<Schema extends z.ZodType>(mark: string, schema: Schema): Schema {
  marks.add(mark);
  return withFate(schema, { mark });
}

/** True for strings that a redaction leaves as they are. */
export function isStructural(schema: z.ZodType): boolean {
  return fates.get(schema)?.keep === true;
}

/** What stands in the place of a removed string of this schema. */
export function markOf(schema: z.ZodType): string {
  return fates.get(schema)?.mark ?? REDACTED;
}

/** True for what stands in the place of a removed text, alone or behind the tasks that it named. */
export function isMark(value: unknown): boolean {
  return typeof value === "string" && (MARK.test(value) || marks.has(value));
}

const MARK = /^(?:task \d{1,10} )*\[redacted\]$/;

const marks = new Set<string>();

/** On a copy, since the schema itself may be that of other fields, too. */
function withFate<Schema extends z.ZodType>(schema: Schema, fate: { keep?: boolean; mark?: string }): Schema {
  const own = schema.clone(undefined, { parent: true });
  fates.add(own, fate);
  return own;
}
