import type { Event } from "../../src/events/types/index.ts";
import { quote } from "../../src/projections/table.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";

/** Reduces all events in one batch. */
export function reduceInto(readModel: ReadModel, events: readonly Event[]): void {
  readModel.advance(events, events.length);
}

/** The content hash of the read model that events give. */
export function hashOf(events: readonly Event[]): string {
  const readModel = new ReadModel(":memory:");
  try {
    reduceInto(readModel, events);
    return readModel.contentHash();
  } finally {
    readModel.close();
  }
}

/** Columns that hold times. */
const TIMES = new Set(["created", "updated", "completed_at", "started_at", "entered_at", "last_confirmed"]);

/** Every row of every projection's tables, without the columns that hold times, or how long something took. */
export function timelessRowsOf(events: readonly Event[]): Readonly<Record<string, unknown[]>> {
  const readModel = new ReadModel(":memory:");
  reduceInto(readModel, events);
  const tables = readModel.projections.flatMap((projection) => Object.values(projection.tables));
  const rows = tables.map(({ name, columns, key }) => {
    const kept = Object.keys(columns).filter((column) => !TIMES.has(column) && !column.endsWith("_us"));
    const sql = `SELECT ${kept.map(quote).join(", ")} FROM ${quote(name)} ORDER BY ${key.map(quote).join(", ")}`;
    return [name, readModel.database.prepare(sql).all()] as const;
  });
  readModel.close();
  return Object.fromEntries(rows);
}
