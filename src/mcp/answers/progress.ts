import { map, type Observable, type Subscription, scan, throttleTime, timer } from "rxjs";
import type { ReadModel } from "../../read-model/read-model.ts";
import { type Caller, progressTokenOf } from "../caller.ts";

/** Sends MCP progress for a waiting call, so that a client that asked for it does not time out. */
export function tellProgress(caller: Caller, message: () => string): Subscription | undefined {
  return tell(caller, timer(0, EVERY_MS).pipe(map((progress) => ({ progress, message: message() }))));
}

/** Reports the progress of a rebuild that a call waits for. */
export function tellRebuild(caller: Caller, { rebuilding }: ReadModel): Subscription | undefined {
  const news = rebuilding.pipe(
    throttleTime(REBUILD_NEWS_MS, undefined, { leading: true, trailing: true }),
    // The protocol requires an increasing number.
    scan((last, { position, head }) => ({ ...last, progress: Math.max(position, last.progress + 1), head }), {
      progress: -1,
      head: 0,
    }),
    map(({ progress, head }) => ({
      progress,
      message: `Rebuilding the board from the log: ${progress} of ${Math.max(head, progress)} events.`,
    })),
  );
  return tell(caller, news);
}

function tell(
  caller: Caller,
  news: Observable<{ readonly progress: number; readonly message: string }>,
): Subscription | undefined {
  const progressToken = progressTokenOf(caller);
  if (progressToken === undefined) return undefined;
  return news.subscribe((params) => {
    caller.progress({ progressToken, ...params }).catch(() => {
      // A disconnected client is handled elsewhere.
    });
  });
}

const REBUILD_NEWS_MS = 1_000;

/** Well below the SDK's default timeout of one minute. */
const EVERY_MS = 10_000;
