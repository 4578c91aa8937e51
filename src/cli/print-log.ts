import { once } from "node:events";
import { concatMap, from } from "rxjs";
import { Refusal } from "../decisions/refusal.ts";
import { noSuchTask, stateOf } from "../decisions/state.ts";
import type { EventLog } from "../events/log.ts";
import type { Event, EventType } from "../events/types/index.ts";
import type { Project } from "../project.ts";
import { catchUp } from "../projections/worker.ts";
import { noSuchActor } from "../replay/log/actors.ts";
import { matching } from "../replay/log/filter.ts";
import { rangeWithin } from "../replay/log/range.ts";
import { readLog } from "../replay/log/read-log.ts";
import { subjectsIn } from "../replay/log/subjects.ts";
import type { CommonOptions } from "./command.ts";
import { eventHead, eventLine } from "./event-lines.ts";
import { momentIn } from "./moment-in.ts";
import { print } from "./output.ts";

/** What `signalbox log list` takes. */
export interface LogOptions extends CommonOptions {
  readonly task?: number;
  readonly session?: string;
  readonly type?: ReadonlySet<EventType>;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  readonly from?: number;
  readonly to?: number;
  readonly after?: number;
  readonly limit?: number;
  readonly reverse?: boolean;
  readonly follow?: boolean;
}

/**
 * Prints the events that are wanted, as they are read: memory holds a page of them, however long the log is.
 *
 * @throws Refusal `not_found`: there was never such a task, or no event is by this actor
 */
export async function printLog(project: Project, options: LogOptions): Promise<void> {
  const { log, store } = project;
  const { task, actor, follow: goesOn, reverse } = options;
  // Which task a session works on, the read model knows. NDJSON of the log alone needs it not, nor waits for it.
  const looksUp = !options.json || task !== undefined;
  if (looksUp) await catchUp(store.readModel, log);
  if (task !== undefined) checkTask(project, task);
  const printer = printerOf(project, options);
  const range = await rangeWithin(log, {
    to: options.to,
    since: await momentIn(options.since, project, "start"),
    until: await momentIn(options.until, project, "end"),
    from: Math.max(options.from ?? 1, (options.after ?? 0) + 1),
  });
  const end = Math.min(range.to, await log.head());
  const order = reverse ? "newest_first" : "oldest_first";
  await printPages(readLog(log, { from: range.from, to: end }, order), printer);
  if (actor !== undefined && printer.printed === 0) await checkActor(log, actor, goesOn ?? false);
  if (!goesOn || printer.isFull()) return;
  await follow(log, Math.max(end, range.from - 1), async (events) => {
    if (looksUp) await catchUp(store.readModel, log);
    await printPage(events, printer);
    return printer.isFull();
  });
}

/** @throws Refusal `not_found`, unless there is or was such a task */
function checkTask({ store }: Project, task: number): void {
  const state = stateOf(store.readModel);
  if (state.statusChanges.first(1, { task_id: task }).length === 0) throw noSuchTask(state, task);
}

interface Printer {
  printed: number;
  /** True once as many are printed as were asked for. */
  isFull(): boolean;
  wants(event: Event): boolean;
  print(event: Event): void;
}

function printerOf({ store }: Project, { json, limit, type: types, ...filter }: LogOptions): Printer {
  const subjectOf = subjectsIn(store.readModel);
  return {
    printed: 0,
    isFull() {
      return limit !== undefined && this.printed >= limit;
    },
    wants: matching({ ...filter, types }, subjectOf),
    print(event) {
      if (!json && this.printed === 0) print(eventHead());
      print(json ? JSON.stringify(event) : eventLine(event, subjectOf(event)));
      this.printed++;
    },
  };
}

async function printPages(pages: AsyncIterable<readonly Event[]>, printer: Printer): Promise<void> {
  for await (const events of pages) {
    await printPage(events, printer);
    if (printer.isFull()) return;
  }
}

async function printPage(events: readonly Event[], printer: Printer): Promise<void> {
  for (const event of events) {
    if (printer.isFull()) return;
    if (printer.wants(event)) printer.print(event);
  }
  // A slow reader must not make the whole log pile up in memory.
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
}

/** Whoever follows may wait for an actor who has not acted yet; a misspelt one would be waited for without end. */
async function checkActor(log: EventLog, actor: string, goesOn: boolean): Promise<void> {
  const unknown = await noSuchActor(log, actor);
  if (unknown === undefined) return;
  if (!goesOn) throw new Refusal("not_found", unknown, { field: "actor" });
  process.stderr.write(`signalbox: ${unknown} Waiting for one.\n`);
}

/** Goes on with what comes after a position until `take` has enough, or until the program is told to end. */
function follow(
  log: EventLog,
  after: number,
  take: (events: readonly Event[]) => Promise<boolean>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = log
      .follow(after)
      .pipe(concatMap((events) => from(take(events))))
      .subscribe({ next: (enough) => enough && stop(), error: reject, complete: resolve });
    function stop(): void {
      subscription.unsubscribe();
      resolve();
    }
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}
