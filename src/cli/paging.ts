import type { Command, Option } from "commander";
import pc from "picocolors";
import { type Page, pageOf } from "../lib/page.ts";
import { print, printJson } from "../lib/terminal/output.ts";
import { parseCount } from "./command.ts";

/** The options of a list that comes in pages. */
export interface PageOptions<Key = string> {
  readonly after?: Key;
  readonly limit: number;
}

/** @param parseKey reads a key; absent: it is text */
export function pageOptions(
  command: Command,
  parseKey: Parameters<Option["argParser"]>[0] = String,
): Command {
  return command
    .option("--after <key>", "show the next page: the key printed at the end of the previous one", parseKey)
    .option("--limit <n>", "rows per page", parseCount, 100);
}

/**
 * Prints a page of a list: as JSON `{NAME: […], "next": KEY}`, `next` being null on the last page, or as `show` prints it.
 *
 * @param ask gives so many rows, or fewer at the end
 */
export async function printPage<Row>(
  name: string,
  { json, limit }: { readonly json?: boolean; readonly limit: number },
  ask: (limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string | number,
  show: (rows: readonly Row[]) => void,
): Promise<void> {
  const { rows, next }: Page<Row> = pageOf(await ask(limit + 1), limit, keyOf);
  if (json) return printJson({ [name]: rows, next });
  show(rows);
  if (next !== null) print(pc.dim(`… more: --after ${next}`));
}
