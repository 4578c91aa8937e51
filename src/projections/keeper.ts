import type { Subscription } from "rxjs";
import type { EventLog } from "../events/log.ts";
import { keepTrying } from "./keep-trying.ts";
import type { ReadModel } from "./read-model.ts";
import { SignOfLife } from "./sign-of-life.ts";
import { keepUpToDate } from "./worker.ts";

export interface KeeperOptions {
  /** Told what keeps it from reducing; it goes on trying. */
  readonly report?: (error: unknown) => void;
  /** Called whenever this process has become the keeper, with the read model at the head of the log. */
  readonly onElected?: () => void;
}

/**
 * Takes part in keeping the read model fresh for those who read it by SQL. Of all processes that do so, one is the keeper and
 * reduces what comes; where it ends or hangs, another takes over (docs/decisions/0041).
 *
 * @returns to be stopped before the log is closed
 */
export function takePartInKeeping(
  { log, readModel }: { readonly log: EventLog; readonly readModel: ReadModel },
  { report = () => {}, onElected = () => {} }: KeeperOptions = {},
): { stop(): void } {
  const { name: path } = readModel.database;
  // One in memory is read by nobody else.
  if (path === ":memory:") return { stop() {} };
  // A killed keeper leaves this one file. It does no harm: the next keeper finds it silent at its third look and replaces it.
  const sign = new SignOfLife(`${path}-keeper`);
  let keeping: Subscription | undefined;
  let timer = setTimeout(look, WATCH_MS);

  function look(): void {
    if (keeping ? sign.beat() : sign.isOthersSilent() && sign.beginOwn()) keeping ??= keep();
    else {
      keeping?.unsubscribe();
      keeping = undefined;
    }
    timer = setTimeout(look, keeping ? BEAT_MS : WATCH_MS);
  }

  function keep(): Subscription {
    let isElected = false;
    return keepUpToDate(readModel, log)
      .pipe(keepTrying(report))
      .subscribe({
        next() {
          if (!isElected) onElected();
          isElected = true;
        },
        // A newer program has made the tables: one of its processes is to keep them.
        complete: stop,
      });
  }

  function stop(): void {
    clearTimeout(timer);
    keeping?.unsubscribe();
    sign.endOwn();
  }

  return { stop };
}

/** The keeper gives signs faster than others look for them, so that each look finds a new one. */
const BEAT_MS = 300;
const WATCH_MS = 500;
