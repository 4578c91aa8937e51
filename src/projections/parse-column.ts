import { errorMessage } from "../lib/error-message.ts";
/** A column's text is not the JSON that a reducer wrote: the read model's file is damaged. */
export class ColumnError extends Error {
  override readonly name = "ColumnError";
}

/**
 * The value of a column with JSON, of the type that its reducer wrote.
 *
 * @throws ColumnError, which a read model answers as `damaged`; a SyntaxError could be a question's own
 */
export function parseColumn(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ColumnError(errorMessage(cause), { cause });
  }
}
