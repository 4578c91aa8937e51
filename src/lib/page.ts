import { ToldError } from "./told-error.ts";

/** A part of a list: what comes after a key, at most so much. Absent: from the start, and all. */
export interface PartOf<Key> {
  /** The key of the last row of the part before. */
  readonly after?: Key | undefined;
  readonly limit?: number | undefined;
}

/** A page of a list, and the key after which the next one begins; null at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** The first `limit` of some rows, of which one more was asked for. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: last !== undefined && rows.length > limit ? String(keyOf(last)) : null };
}

/** A key that no page ends with, or none any more. `message` says what to do. */
export class PageError extends ToldError<"no_page"> {
  override readonly name = "PageError";
  readonly fault = "usage";

  constructor(key: string | number) {
    super(
      "no_page",
      `"${key}" is not a key that a page of this list ends with, or it was removed since then. Ask for the first page again, without the key.`,
    );
  }
}
