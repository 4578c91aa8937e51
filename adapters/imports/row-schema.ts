import { z } from "zod";
import { describeIssues, ExchangeError, inOurWords } from "./core.ts";

/** Parses a row's content. @throws ExchangeError `malformed`: the field and its fault */
export function parseRow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value, inOurWords);
  if (parsed.success) return parsed.data;
  throw new ExchangeError("malformed", describeIssues(parsed.error, "row"));
}

/** A text; null and absent become none. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** Texts; null and absent become none. */
export const optionalTexts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
