import { z } from "zod";

/** A whole number in a query parameter. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be a whole number" })
    .transform(Number)
    .pipe(z.number().int().min(least).max(most));
}
