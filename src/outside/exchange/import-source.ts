import { loadImports } from "../../adapters.ts";
import type { Store } from "../../decisions/store.ts";
import { openMemoryLog } from "../../events/memory-log.ts";
import { copyRecords } from "../../events/record-pages.ts";
import { ReadModel } from "../../read-model/read-model.ts";
import type { Format } from "./formats.ts";
import { type ImportOptions, importRows } from "./rows/import-rows.ts";
import type { RowReport } from "./rows/row.ts";
import type { ReadOptions } from "./source.ts";

export interface SourceOptions extends ReadOptions, Pick<ImportOptions, "actor" | "via"> {
  readonly format: Format;
  /** Distinguishes sources of the same format; absent: the source's own name. */
  readonly source?: string | undefined;
}

/**
 * Imports the tasks and the history of another program, row by row.
 *
 * @returns the result of each row, as it is recorded
 * @throws ExchangeError: the source cannot be read, and nothing was recorded; LogError,
 * ReadModelError: of the project
 */
export async function* importSource(
  store: Store,
  path: string,
  { format, actor, via, source, ...options }: SourceOptions,
): AsyncGenerator<RowReport> {
  const { readers } = await loadImports();
  const { name, rows } = await readers[format](path, options);
  yield* importRows(store, rows, { actor, via, source: [format, source ?? name] });
}

/**
 * An in-memory copy of a project, for a dry run: its changes are discarded.
 *
 * @throws LogError
 */
export async function copyInMemory({
  log: original,
  environment,
}: Pick<Store, "log" | "environment">): Promise<Store> {
  const log = openMemoryLog(environment);
  await copyRecords(original, log);
  return { log, readModel: new ReadModel(":memory:"), environment };
}
