import { z } from "zod";
import { ExchangeError } from "../exchange-error.ts";

/** Parses what a row holds. @throws ExchangeError `malformed`: which field, and what is wrong with it */
export function parseRow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ExchangeError("malformed", `${issue?.path.join(".") || "the row"}: ${issue?.message}`);
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
