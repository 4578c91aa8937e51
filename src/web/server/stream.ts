import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { concatMap, interval, map, merge, type Observable, startWith, throttleTime } from "rxjs";
import type { Project } from "../../project.ts";
import { catchUp } from "../../projections/worker.ts";
import { type EventLine, linesOf } from "./answers/log.ts";

/** What the stream tells: how far the log has come, and what its new events say. */
export interface LiveNews {
  /** The position of the last event; 0 for an empty log. */
  readonly head: number;
  /** When it was recorded; null for an empty log. */
  readonly recorded_at: string | null;
  /** The new events; of many the last ones. */
  readonly lines: readonly EventLine[];
  /** True where the panel only shows. */
  readonly read_only: boolean;
}

/** So often the stream says something, that a page may know that it is connected. */
const HEARTBEAT_MS = 15_000;
/** Messages are so far apart at least. */
const NEWS_MS = 100;
const LINES = 50;

/**
 * Server-sent events of the log's Observable: `news` at first and after each change, from any process, and `beat` while
 * nothing changes. Each has the position that it knows as its id, from which a page that was cut off goes on.
 *
 * @param readOnly told to the page, which then offers nothing to be done
 * @param known the last position that the page knows; absent: the log's head
 */
export function liveStream(context: Context, project: Project, readOnly: boolean, known?: number): Response {
  return streamSSE(context, async (stream) => {
    const after = known ?? (await project.log.head());
    const subscription = messages(project, readOnly, after)
      .pipe(concatMap((message) => stream.writeSSE(message)))
      .subscribe({ error: () => void stream.close(), complete: () => void stream.close() });
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    subscription.unsubscribe();
  });
}

interface Message {
  readonly event: "news" | "beat";
  readonly id: string;
  readonly data: string;
}

function messages(project: Project, readOnly: boolean, after: number): Observable<Message> {
  let told = after;
  const news = project.log.follow(after).pipe(
    map(() => undefined),
    throttleTime(NEWS_MS, undefined, { leading: true, trailing: true }),
    startWith(undefined),
    concatMap(async () => {
      const part: LiveNews = { ...(await newsAfter(project, told)), read_only: readOnly };
      told = part.head;
      return { event: "news" as const, id: String(told), data: JSON.stringify(part) };
    }),
  );
  const beats = interval(HEARTBEAT_MS).pipe(
    map(() => ({ event: "beat" as const, id: String(told), data: JSON.stringify({ head: told }) })),
  );
  return merge(news, beats);
}

async function newsAfter({ log, store: { readModel } }: Project, told: number) {
  const head = await log.head();
  const events = await log.read(Math.max(told, head - LINES), LINES);
  const [last] = events.length > 0 ? events.slice(-1) : await log.read(head - 1, 1);
  await catchUp(readModel, log);
  return {
    head: last?.position ?? head,
    recorded_at: last?.recordedAt ?? null,
    lines: linesOf(events, readModel),
  };
}
