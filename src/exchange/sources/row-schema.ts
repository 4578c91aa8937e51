import { z } from "zod";
import { describeIssues, inOurWords } from "../../events/wrong-values.ts";
import { ExchangeError } from "../exchange-error.ts";

/** Parses what a row holds. @throws ExchangeError `malformed`: which field, and what is wrong with it */
export function parseRow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value, inOurWords);
  if (parsed.success) return parsed.data;
  throw new ExchangeError("malformed", describeIssues(parsed.error, "row"));
}

/** A text, or nothing where it is null or absent. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** Texts, or none where they are null or absent. */
export const optionalTexts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
