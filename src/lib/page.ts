import { ToldError } from "./told-error.ts";

/** A part of a list: a limited number of rows after a key. Absent: from the start, and all. */
export interface PartOf<Key> {
  /** The key of the last row of the previous part. */
  readonly after?: Key | undefined;
  readonly limit?: number | undefined;
}

/** A page of a list, and the key of the next one; null at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** The first `limit` rows; the input has one more if there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: last !== undefined && rows.length > limit ? String(keyOf(last)) : null };
}

/** A key that no page ends with (any more). `message` says what to do. */
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
