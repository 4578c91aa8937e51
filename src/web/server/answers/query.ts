import { z } from "zod";

/** A whole number as an address has it. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be a whole number" })
    .transform(Number)
    .pipe(z.number().int().min(least).max(most));
}
