import Database from "better-sqlite3";
import type { EventRecord } from "../../src/events/event-record.ts";
import { leafHash } from "../../src/events/leaf-hash.ts";
import { prepareReader, prepareWriter } from "../../src/events/sqlite-records.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { fromIsoTime, toIsoTime } from "../../src/lib/time.ts";

/** What another version of the program wrote: its own type, schema version and payload text. */
export type ForeignEvent = Pick<EventRecord, "type" | "schemaVersion" | "stream" | "payload"> &
  Partial<Pick<EventRecord, "id" | "actor" | "correlation">>;

/** Writes an event into a log file as another version of the program would have, with a right place and leaf hash. */
export function insertForeign(path: string, event: ForeignEvent): void {
  const database = new Database(path);
  const last = prepareReader(database).last();
  const position = (last?.position ?? 0) + 1;
  const id = event.id ?? idFromKey("foreign", String(position));
  const record = {
    actor: "driver",
    causation: undefined,
    correlation: undefined,
    ...event,
    id,
    position,
    streamVersion: prepareReader(database).streamVersion(event.stream) + 1,
    recordedAt: toIsoTime(fromIsoTime(last?.recordedAt ?? "2026-01-05T08:00:00.000000Z") + 1_000_000),
    salt: Buffer.from(idFromKey("salt", id).replaceAll("-", ""), "hex"),
  };
  prepareWriter(database).insert({ ...record, leafHash: leafHash(record) });
  database.close();
}
