import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import { type MemoryRows, openMemoryRowsOver } from "./memory-rows.ts";
import type { ReadModel } from "./read-model.ts";
import { redactsBefore } from "./redacts-before.ts";
import { bindInMemory, isOfReducer, reduce } from "./reduce.ts";

/**
 * Brings a read model that nobody else uses to the head of a log, some times as fast as `catchUp`: rows that change are kept in
 * memory and written once.
 *
 * @param readModel of this log, with every projection live and at one position
 * @returns false where a reducer threw, or an event was redacted that was reduced before: the read model is none any more, and can
 * only be closed
 */
export async function reduceFurther(readModel: ReadModel, log: EventLog): Promise<boolean> {
  const { database, projections } = readModel;
  const bound = projections.map((one) => bindInMemory(database, one, ({ name }) => name, openMemoryRowsOver));
  const rows = bound.flatMap(({ memory }) => memory);
  const settle = (act: (rows: MemoryRows) => void) => readModel.transaction(() => rows.forEach(act));
  const head = await log.head();
  const from = readModel.position();
  let last: Event | undefined;
  try {
    for (let position = readModel.position(), batches = 1; position < head; batches++) {
      const events = await log.read(position, BATCH);
      if (events.some((event) => redactsBefore(event, from))) return false;
      for (const event of events) for (const projection of bound) reduce(projection, event);
      last = events.at(-1);
      position = last?.position ?? head;
      if (batches % BATCHES_BETWEEN_WRITES === 0) settle((one) => one.evict());
    }
    settle((one) => one.flush());
  } catch (error) {
    if (!isOfReducer(error)) throw error;
    return false;
  }
  const reached = last;
  if (reached) readModel.transaction(() => readModel.checkpoints.advance(reached, head));
  return true;
}

/** As in a rebuild: small batches are faster to collect again. */
const BATCH = 1_000;
const BATCHES_BETWEEN_WRITES = 5;
