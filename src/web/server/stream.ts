import {
  concatMap,
  defer,
  filter,
  firstValueFrom,
  map,
  merge,
  type Observable,
  ReplaySubject,
  race,
  share,
  startWith,
  take,
  takeUntil,
  throttleTime,
  timer,
} from "rxjs";
import { eventAt } from "../../events/event-at.ts";
import { LogError } from "../../events/log-error.ts";
import { REDACTION_TYPE } from "../../events/types/redactions.ts";
import type { Project } from "../../project/project.ts";
import { outdated } from "../../projections/read-model-error.ts";
import { catchUp, isOutdated } from "../../projections/worker.ts";
import { faultOf } from "./problem.ts";

/** What the stream tells: how far the log has come. */
export interface LiveNews {
  /** The position of the last event; 0 for an empty log. */
  readonly head: number;
  /** Its leaf hash, by which a page that was cut off finds out whether this is still the log that it knows; null for an empty log. */
  readonly leaf: string | null;
  /** When it was recorded; null for an empty log. */
  readonly recorded_at: string | null;
  /** True where an event was redacted since what was told before: what the page has read may still have its words. */
  readonly redacted: boolean;
  /** True where the panel only shows. */
  readonly read_only: boolean;
}

/** What a page knows of the log already. */
export interface Known {
  readonly position: number;
  /** The leaf hash of the event there; absent: it is not compared. */
  readonly leaf: string | undefined;
}

/** The live streams of a panel. */
export interface LiveStreams {
  /**
   * Server-sent events: `news` at first and after each change, from any process, and `beat` while nothing changes. Each has the position
   * that it knows as its id, from which a page that was cut off goes on. `problem` says why the log cannot be followed, and is the last.
   *
   * @param known absent: the log's head
   * @throws LogError: the log cannot be read
   */
  open(known?: Known): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream. */
  close(): void;
}

/** So often the stream says something, that a page may know that it is connected. */
const HEARTBEAT_MS = 15_000;
/** Messages are so far apart at least. */
const NEWS_MS = 25;

/** @param readOnly told to the page, which then offers nothing to be done */
export function openLive(project: Project, readOnly: boolean): LiveStreams {
  // Of what is over, also those hear that ask later.
  const closed = new ReplaySubject<void>(1);
  const heads = headsOf(project);
  const newsOf = shareNews((after, head) => tellNews(project, readOnly, after, head));
  return {
    async open(known) {
      const head = await project.log.head();
      if (known && (await isAnotherLog(project, known, head)))
        throw new LogError("history_differs", ANOTHER_LOG);
      let told = known?.position ?? head;
      let isFirst = true;
      let isCancelled = false;
      const cancelled = new ReplaySubject<void>(1);
      const ended = merge(closed, cancelled);
      // Follows the log for as long as there is somebody to tell, not from one message to the next.
      const following = heads.pipe(takeUntil(ended)).subscribe({ error: () => {} });
      const next = (): Observable<Message> => {
        if (isFirst) return defer(() => newsOf(told, head));
        const news = heads.pipe(
          filter((now) => now > told),
          take(1),
          concatMap((now) => newsOf(told, now)),
        );
        // A log that was removed or replaced changes nothing that could be followed: it must be asked for.
        const beat = timer(HEARTBEAT_MS).pipe(
          concatMap(() => project.log.head()),
          map(() => messageOf("beat", told, {})),
        );
        return race(news, beat);
      };
      return new ReadableStream<Uint8Array>({
        // Called when the client has taken what there was: of what came meanwhile a slow one is told the newest.
        async pull(controller) {
          try {
            const message = await firstValueFrom(next().pipe(takeUntil(ended)), { defaultValue: undefined });
            if (isCancelled) return;
            if (!message) return controller.close();
            isFirst = false;
            told = message.position;
            controller.enqueue(message.bytes);
          } catch (error) {
            following.unsubscribe();
            if (isCancelled) return;
            controller.enqueue(messageOf("problem", told, faultOf(error)).bytes);
            controller.close();
          }
        },
        cancel() {
          isCancelled = true;
          cancelled.next();
        },
      });
    },
    close: () => closed.next(),
  };
}

const ANOTHER_LOG = "The log was replaced since this page was loaded. Reload the page.";

async function isAnotherLog({ log }: Project, { position, leaf }: Known, head: number): Promise<boolean> {
  if (position > head) return true;
  if (leaf === undefined) return false;
  const [event] = await log.read(position - 1, 1);
  return event?.leafHash !== leaf;
}

/** The head of the log at first and whenever it has moved, for all who follow it together. */
function headsOf({ log }: Project): Observable<number> {
  return defer(() => log.head()).pipe(
    concatMap((head) =>
      log.follow(head).pipe(
        map((events) => events.at(-1)?.position ?? head),
        startWith(head),
      ),
    ),
    throttleTime(NEWS_MS, undefined, { leading: true, trailing: true }),
    share({ connector: () => new ReplaySubject(1) }),
  );
}

/** Pages that know the same are told the same: that is written once. */
function shareNews(tell: (after: number, head: number) => Promise<Message>): typeof tell {
  let shared: { readonly head: number; readonly news: Map<number, Promise<Message>> } | undefined;
  return (after, head) => {
    if (shared?.head !== head) shared = { head, news: new Map() };
    const { news } = shared;
    const told = news.get(after) ?? tell(after, head);
    news.set(after, told);
    return told;
  };
}

interface Message {
  readonly position: number;
  readonly bytes: Uint8Array;
}

async function tellNews(project: Project, readOnly: boolean, after: number, head: number): Promise<Message> {
  const { log, store } = project;
  const events = await log.read(Math.max(after, head - LOOKED_THROUGH), LOOKED_THROUGH);
  const last = await eventAt(log, head);
  const { readModel } = store;
  if (await isOutdated(readModel, log)) {
    // The page shows it, lets nothing be done, and asks again.
    throw outdated(readModel.database.name, readModel.position(), head);
  }
  await catchUp(readModel, log);
  const news: LiveNews = {
    head,
    leaf: last?.leafHash ?? null,
    recorded_at: last?.recordedAt ?? null,
    redacted: head - after > LOOKED_THROUGH || events.some(({ type }) => type === REDACTION_TYPE),
    read_only: readOnly,
  };
  return messageOf("news", head, news);
}

/** Of more events that a page does not know nobody looks whether one is a redaction: it is told that one may be. */
const LOOKED_THROUGH = 1_000;

function messageOf(event: "news" | "beat" | "problem", position: number, data: object): Message {
  const text = `event: ${event}\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`;
  return { position, bytes: new TextEncoder().encode(text) };
}
