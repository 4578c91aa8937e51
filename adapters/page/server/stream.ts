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
import { catchUp, eventAt, isOutdated, LogError, outdated, type Project, REDACTION_TYPE } from "./core.ts";
import { faultOf } from "./problem.ts";

/** A message of the stream: the state of the log. */
export interface LiveNews {
  /** The position of the last event; 0 for an empty log. */
  readonly head: number;
  /** Its leaf hash, by which a reconnecting page detects a replaced log; null for an empty log. */
  readonly leaf: string | null;
  /** When it was recorded; null for an empty log. */
  readonly recorded_at: string | null;
  /** True if an event was redacted since the last message, so that cached answers may contain it. */
  readonly redacted: boolean;
  /** True with `--read-only`. */
  readonly read_only: boolean;
}

/** What a reconnecting page knows of the log. */
export interface Known {
  readonly position: number;
  /** The leaf hash of the event there; absent: not compared. */
  readonly leaf: string | undefined;
}

/** The live streams of a panel. */
export interface LiveStreams {
  /**
   * Server-sent events: `news` at first and after each change by any process, `beat` as a heartbeat.
   * Each event's id is its position, from which a page resumes. `problem` says why the log cannot be
   * followed, and is the last event.
   *
   * @param known absent: the log's head
   * @param look gives undefined once nobody may read it any more, which ends it
   * @throws LogError: the log cannot be read
   */
  open(known?: Known, look?: () => unknown): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream. */
  close(): void;
}

/** The interval of the heartbeat. */
const HEARTBEAT_MS = 15_000;
/** The minimum interval between messages. */
const NEWS_MS = 25;

/** @param readOnly sent to the page, which then disables its actions */
export function openLive(project: Project, readOnly: boolean): LiveStreams {
  // Replayed, so that late subscribers hear it, too.
  const closed = new ReplaySubject<void>(1);
  const heads = headsOf(project);
  const newsOf = shareNews((after, head) => createNews(project, readOnly, after, head));
  return {
    async open(known, look = () => true) {
      const head = await project.log.head();
      if (known && (await isReplacedLog(project, known, head)))
        throw new LogError("history_differs", LOG_REPLACED);
      let told = known?.position ?? head;
      let isFirst = true;
      let isCancelled = false;
      const cancelled = new ReplaySubject<void>(1);
      const ended = merge(closed, cancelled);
      // Keep following between messages.
      const following = heads.pipe(takeUntil(ended)).subscribe({ error: () => {} });
      const next = (): Observable<Message> => {
        if (isFirst) return defer(() => newsOf(told, head));
        const news = heads.pipe(
          filter((now) => now > told),
          take(1),
          concatMap((now) => newsOf(told, now)),
        );
        // A removed or replaced log causes no event, so the heartbeat checks for it.
        const beat = timer(HEARTBEAT_MS).pipe(
          concatMap(() => project.log.head()),
          map(() => messageOf("beat", told, {})),
        );
        return race(news, beat);
      };
      return new ReadableStream<Uint8Array>({
        // Called when the client has taken the last message, so a slow client gets only the newest state.
        async pull(controller) {
          try {
            const message = await firstValueFrom(next().pipe(takeUntil(ended)), { defaultValue: undefined });
            if (isCancelled) return;
            if (!message || look() === undefined) {
              following.unsubscribe();
              return controller.close();
            }
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

const LOG_REPLACED = "The log was replaced since this page was loaded. Reload the page.";

async function isReplacedLog({ log }: Project, { position, leaf }: Known, head: number): Promise<boolean> {
  if (position > head) return true;
  if (leaf === undefined) return false;
  const [event] = await log.read(position - 1, 1);
  return event?.leafHash !== leaf;
}

/** The head of the log, at first and after each change, shared by all streams. */
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

/** Creates a message once for all pages with the same state. */
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

async function createNews(
  project: Project,
  readOnly: boolean,
  after: number,
  head: number,
): Promise<Message> {
  const { log, store } = project;
  const events = await log.read(Math.max(after, head - SCAN_LIMIT), SCAN_LIMIT);
  const last = await eventAt(log, head);
  const { readModel } = store;
  if (await isOutdated(readModel, log)) {
    // The page shows the error, disables its actions and retries.
    throw outdated(readModel.database.name, readModel.position(), head);
  }
  await catchUp(readModel, log);
  const news: LiveNews = {
    head,
    leaf: last?.leafHash ?? null,
    recorded_at: last?.recordedAt ?? null,
    redacted: head - after > SCAN_LIMIT || events.some(({ type }) => type === REDACTION_TYPE),
    read_only: readOnly,
  };
  return messageOf("news", head, news);
}

/** The events searched for a redaction; with more new events, one is assumed. */
const SCAN_LIMIT = 1_000;

function messageOf(event: "news" | "beat" | "problem", position: number, data: object): Message {
  const text = `event: ${event}\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`;
  return { position, bytes: new TextEncoder().encode(text) };
}
