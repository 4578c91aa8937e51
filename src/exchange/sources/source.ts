import type { StatusChoices } from "../rows/fitting.ts";
import type { LeftOut, Row } from "../rows/row.ts";

/** A foreign source, read. */
export interface Source {
  /** By what it calls itself, so that rows of two of a kind are told apart; "" where it has no name. */
  readonly name: string;
  readonly rows: Iterable<Row | LeftOut>;
}

export interface ReadOptions {
  readonly statuses: StatusChoices;
}

/**
 * Reads a source from a path.
 *
 * @throws ExchangeError `not_found`, `refused_file`, `malformed`: the whole of it cannot be read; a row that cannot be is
 *   among the rows
 */
export type ReadSource = (path: string, options: ReadOptions) => Promise<Source>;
