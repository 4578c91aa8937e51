import type { Subscription } from "rxjs";
import type { EventLog } from "../events/log.ts";
import { holdOffice } from "./elected.ts";
import { keepTrying } from "./keep-trying.ts";
import type { ReadModel } from "./read-model.ts";
import { keepUpToDate } from "./worker.ts";

export interface KeeperOptions {
  /** Called with each error that prevents reducing; the keeper keeps trying. */
  readonly report?: (error: unknown) => void;
  /**
   * Called whenever this process becomes the keeper, with the read model at the head of the log.
   */
  readonly onElected?: () => void;
}

/**
 * Helps to keep the read model fresh for readers by SQL. One of the participating processes is the
 * keeper and reduces new events; if it ends or hangs, another takes over (docs/decisions/0041).
 *
 * @returns a subscription; unsubscribe before closing the log
 */
export function takePartInKeeping(
  { log, readModel }: { readonly log: EventLog; readonly readModel: ReadModel },
  { report = () => {}, onElected = () => {} }: KeeperOptions = {},
): { stop(): void } {
  const { name: path } = readModel.database;
  // Only this process reads an in-memory read model.
  if (path === ":memory:") return { stop() {} };
  const office = holdOffice(`${path}-keeper`, () => {
    const keeping = keep();
    return { stop: () => keeping.unsubscribe() };
  });

  function keep(): Subscription {
    let isElected = false;
    return keepUpToDate(readModel, log)
      .pipe(keepTrying(report))
      .subscribe({
        next() {
          if (!isElected) onElected();
          isElected = true;
        },
        // A newer program made the tables: one of its processes must be the keeper.
        complete: () => office.stop(),
      });
  }

  return office;
}
