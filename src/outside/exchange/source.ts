import type { StatusChoices } from "./rows/fitting.ts";
import type { LeftOut, Row } from "./rows/row.ts";

/** A parsed foreign source. */
export interface Source {
  /** Its own name, which distinguishes two of the same kind; "" if it has none. */
  readonly name: string;
  readonly rows: Iterable<Row | LeftOut>;
}

export interface ReadOptions {
  readonly statuses: StatusChoices;
}

/**
 * Reads a source from a path.
 *
 * @throws ExchangeError `not_found`, `refused_file`, `malformed`: the source as a whole is
 * unreadable; an unreadable row is among the rows
 */
export type ReadSource = (path: string, options: ReadOptions) => Promise<Source>;
