import { z } from "zod";

/** What a redaction puts in place of a string; the default removes it. */
const fates = z.registry<{ readonly keep?: boolean; readonly mark?: string }>();

/** The mark of a removed text. */
export const REDACTED = "[redacted]";

/**
 * Marks a schema of strings that hold the history together (names, ids, hashes): a redaction keeps
 * them. All other strings are removed, so a new field is safe by default.
 */
export function structural<Schema extends z.ZodType>(schema: Schema): Schema {
  return withFate(schema, { keep: true });
}

/** Sets the replacement of a removed string, if `[redacted]` would not be valid. */
export function redactedAs<Schema extends z.ZodType>(mark: string, schema: Schema): Schema {
  marks.add(mark);
  return withFate(schema, { mark });
}

/** True for strings that a redaction leaves as they are. */
export function isStructural(schema: z.ZodType): boolean {
  return fates.get(schema)?.keep === true;
}

/** The replacement of a removed string of this schema. */
export function markOf(schema: z.ZodType): string {
  return fates.get(schema)?.mark ?? REDACTED;
}

/** True for the mark of a removed text, with or without the task numbers kept behind it. */
export function isMark(value: unknown): boolean {
  return typeof value === "string" && (MARK.test(value) || marks.has(value));
}

const MARK = /^(?:task \d{1,10} )*\[redacted\]$/;

const marks = new Set<string>();

/** On a copy, since other fields may share the schema. The program makes both when they are used (scripts/lazy-zod.mjs). */
function withFate<Schema extends z.ZodType>(schema: Schema, fate: { keep?: boolean; mark?: string }): Schema {
  return (schema as z.ZodType).clone(undefined, { parent: true }).register(fates, fate) as Schema;
}
