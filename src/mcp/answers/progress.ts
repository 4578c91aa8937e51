import { type Subscription, timer } from "rxjs";
import type { Caller } from "./shown-form.ts";

/** Tells a client that wants to know (MCP, Progress) that a call still waits, so that it does not give it up. */
export function tellProgress(
  { _meta, sendNotification }: Caller,
  message: () => string,
): Subscription | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return timer(0, EVERY_MS).subscribe((progress) => {
    sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, message: message() },
    }).catch(() => {
      // A client that has gone is noticed elsewhere.
    });
  });
}

/** Well below the minute after which clients give up that go by the SDK's own limit. */
const EVERY_MS = 10_000;
