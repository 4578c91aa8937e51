import { ExchangeError, type ReadOptions, type Source, taskRows } from "../core.ts";
import { brainDumpRows } from "./brain-dump.ts";
import { catalogueRows } from "./catalogue.ts";
import { type ForeignDatabase, openForeign } from "./database.ts";
import { historyRows } from "./history.ts";
import { timelineOf } from "./signals.ts";
import { pseudocodeRows, ralphTasks, statusRow } from "./tasks.ts";

/**
 * Reads a Ralph database: tasks, features and disciplines, signals and comments; or
 * Brain Dump's tickets and sessions. It is opened for reading and stays as it is.
 *
 * @throws ExchangeError `not_found`, `refused_file`; `malformed`: no database, or one without any of these tables
 */
export async function readRalph(path: string, options: ReadOptions): Promise<Source> {
  const database = openForeign(path);
  try {
    return { name: "", rows: rowsOf(database, path, options) };
  } finally {
    database.close();
  }
}

function rowsOf(database: ForeignDatabase, path: string, options: ReadOptions): Source["rows"] {
  if (database.has("ralph_sessions") || database.has("tickets")) return brainDumpRows(database, options);
  if (!database.has("tasks")) {
    throw new ExchangeError(
      "malformed",
      `${path} is neither a Ralph database (with a table tasks) nor a Brain Dump database (with tickets or ralph_sessions).`,
    );
  }
  const { entries, leftOut } = timelineOf(database);
  const worked = new Set(entries.flatMap((entry) => ("signal" in entry ? [entry.task] : [])));
  const { tasks, refused } = ralphTasks(database, worked, options.statuses);
  const running = new Set(tasks.filter(({ status }) => status === undefined).map(({ ref }) => ref));
  const titles = new Set(tasks.map(({ fields }) => fields.title));
  return [
    ...catalogueRows(database),
    ...refused,
    ...taskRows(tasks),
    ...pseudocodeRows(database),
    ...leftOut,
    ...historyRows(entries, running, titles),
    ...tasks.filter(({ fields, status }) => fields.status !== status).map(statusRow),
  ];
}
