import { once } from "node:events";
import { concatMap, from } from "rxjs";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { noSuchTask, stateOf, wasEver } from "../../decisions/state.ts";
import type { EventLog } from "../../events/log.ts";
import type { Event, EventType } from "../../events/types/index.ts";
import { matching } from "../../history/log/filter.ts";
import { rangeWithin } from "../../history/log/range.ts";
import { readFiltered } from "../../history/log/subject-events.ts";
import { subjectsIn } from "../../history/log/subjects.ts";
import { noSuchActor, noSuchSession } from "../../history/log/unknown-names.ts";
import { pc, print, printJsonLine } from "../../lib/terminal/output.ts";
import { catchUp } from "../../read-model/worker.ts";
import { type CommonOptions, warn } from "../making/command.ts";
import { momentIn } from "../making/moment-in.ts";
import { eventHead, eventLine } from "./event-lines.ts";

/** What `signalbox log list` takes. */
export interface LogOptions extends CommonOptions {
  readonly task?: number;
  readonly session?: string;
  readonly type?: ReadonlySet<EventType>;
  readonly text?: string;
  readonly humans?: boolean;
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
 * @throws Refusal `not_found`: there was never such a task or session, or no event is by this actor; `not_possible`: nothing
 *   can lie between the bounds
 */
export async function printLog(project: Project, options: LogOptions): Promise<void> {
  const { log, store } = project;
  const { task, actor, session, follow: goesOn = false, reverse, json } = options;
  // Where a task's and a session's events are, the read model knows. NDJSON of all needs it not, nor waits for it.
  const looksUp = !json || task !== undefined || session !== undefined;
  const head = await log.head();
  if (looksUp) await catchUp(store.readModel, log);
  if (task !== undefined) refuseOrWait(unknownTask(project, task), "task", goesOn);
  const printer = printerOf(project, options);
  const range = await rangeWithin(log, {
    ...options,
    since: await momentIn(options.since, project, "start"),
    until: await momentIn(options.until, project, "end"),
  });
  const end = Math.min(range.to, head);
  const order = reverse ? "newest_first" : "oldest_first";
  const read = { from: range.from, to: end };
  await printPages(readFiltered(log, store.readModel, options, read, order), printer, log);
  if (printer.printed === 0) {
    if (actor !== undefined) refuseOrWait(await noSuchActor(log, actor), "actor", goesOn);
    if (session !== undefined)
      refuseOrWait(await noSuchSession(log, store.readModel, session), "session", goesOn);
    if (!json && !goesOn) print(pc.dim("none"));
  }
  if (!goesOn || printer.isFull()) return;
  await follow(log, Math.max(end, range.from - 1), async (events) => {
    if (looksUp) await catchUp(store.readModel, log);
    await printPage(events, printer, log);
    return printer.isFull();
  });
}

/** What to say of a task that there is not and never was. */
function unknownTask({ store }: Project, task: number): string | undefined {
  const state = stateOf(store.readModel);
  return wasEver(state, task) ? undefined : noSuchTask(state, task).message;
}

/**
 * A follower may wait for a subject that does not exist yet, and is told so; a misspelt name would wait for ever.
 *
 * @param unknown what to say; undefined where it is there
 */
function refuseOrWait(
  unknown: string | undefined,
  field: "task" | "session" | "actor",
  goesOn: boolean,
): void {
  if (unknown === undefined) return;
  if (!goesOn) throw new Refusal("not_found", unknown, { field });
  warn(`${unknown} Waiting for one.`);
}

interface Printer {
  printed: number;
  /** True once as many are printed as were asked for. */
  isFull(): boolean;
  wants(event: Event): boolean;
  /** @param recordedBy who appended each event, if the log knows */
  print(event: Event, recordedBy: ReadonlyMap<number, string>): void;
}

function printerOf({ store }: Project, { json, limit, type: types, ...filter }: LogOptions): Printer {
  const subjectOf = subjectsIn(store.readModel);
  return {
    printed: 0,
    isFull() {
      return limit !== undefined && this.printed >= limit;
    },
    wants: matching({ ...filter, types }, subjectOf),
    print(event, recordedBy) {
      const by = recordedBy.get(event.position);
      if (!json && this.printed === 0) print(eventHead(by !== undefined));
      if (json) printJsonLine(by === undefined ? event : { ...event, recordedBy: by });
      else print(eventLine(event, subjectOf(event), by));
      this.printed++;
    },
  };
}

async function printPages(
  pages: AsyncIterable<readonly Event[]>,
  printer: Printer,
  log: EventLog,
): Promise<void> {
  for await (const events of pages) {
    await printPage(events, printer, log);
    if (printer.isFull()) return;
  }
}

async function printPage(events: readonly Event[], printer: Printer, log: EventLog): Promise<void> {
  const wanted = events.filter((event) => printer.wants(event));
  const recordedBy = await log.recordedBy(wanted.map(({ position }) => position));
  for (const event of wanted) {
    if (printer.isFull()) return;
    printer.print(event, recordedBy);
  }
  // A slow reader must not make the whole log pile up in memory.
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
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
