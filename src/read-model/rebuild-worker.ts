import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "../events/sqlite-file.ts";
import { prepareReader } from "../events/sqlite-records.ts";
import { projections } from "../projections/all.ts";
import { RedactedMeanwhile } from "./engine.ts";
import { openDatabase } from "./read-model-file.ts";
import { type Place, RebuildPart } from "./rebuild-part.ts";
import type { PartOrder, PartReport } from "./rebuild-thread.ts";
import { hasRoom, noRoom } from "./room.ts";

/* The worker thread that builds the tables of some projections (rebuild-thread.ts). */

const order: PartOrder = workerData;
const report = (message: PartReport) => parentPort?.postMessage(message);

void makePart();

async function makePart(): Promise<void> {
  const reader = prepareReader(openForReading(order.logPath));
  const log = {
    head: async () => reader.head(),
    read: async (after: number, limit: number) => reader.events(after, limit, order.isVerifying),
  };
  const database = openDatabase(order.readModelPath);
  const place: Place = {
    database,
    transaction: (work) => database.transaction(work).immediate(),
    requireRoom() {
      if (!hasRoom(order.readModelPath)) throw noRoom(order.readModelPath, 0);
    },
  };
  const ours = projections.filter(({ name }) => order.projections.includes(name));
  const onProgress = (position: number, head: number) => report({ position, head });
  const part = new RebuildPart(place, log, order.run, ours, { onProgress });
  try {
    await part.make();
    report({ made: part.state });
  } catch (error) {
    if (!(error instanceof RedactedMeanwhile)) throw error;
    report({ made: "redacted" });
  } finally {
    database.close();
    reader.close();
  }
}
