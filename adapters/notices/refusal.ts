import type { IncomingHttpHeaders } from "node:http";
import { ChannelError, maskSecrets, shorten } from "./core.ts";
import { plainLine } from "./text.ts";

/** What a server answered that did not take a message. */
interface Refused {
  readonly host: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly answer: string;
  /** Never to be told, even if the server repeats them. */
  readonly secrets: readonly string[];
}

/** What a status that is not 2xx means: a redirect and most 4xx are final; after 408, 425, 429 and 5xx it can be tried again. */
export function refusalOf(
  { host, status, headers, answer, secrets }: Refused,
  now = Date.now(),
): ChannelError {
  if (status >= 300 && status < 400) {
    return new ChannelError(
      `${host} answered ${status} and points to ${originOf(headers.location)}. signalbox follows no redirect: set the channel's address to where it leads.`,
      { isFinal: true },
    );
  }
  const isFinal = status < 500 && !RETRIED.has(status);
  const words = shorten(plainLine(maskSecrets(answer, secrets)), 200);
  const said = words === "" ? "" : `: ${words}`;
  const retryAfter_s = isFinal ? undefined : secondsOf(headers["retry-after"], now);
  return new ChannelError(`${host} answered ${status}${said}.${clockWords(headers.date, now)}`, {
    isFinal,
    ...(retryAfter_s !== undefined && { retryAfter_s }),
  });
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

/** Without the path and the query, which may be secret. */
function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location)
    ? plainLine(new URL(location).host)
    : "another path there";
}

/** `Retry-After` as seconds from now, at most a day; undefined if it is not there or cannot be read (RFC 9110 §10.2.3). */
function secondsOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), DAY_S);
}

const DAY_S = 24 * 3_600;

/** A signature or a token may have been refused because of it. */
function clockWords(date: string | undefined, now: number): string {
  const ahead_min = Math.round((Date.parse(date ?? "") - now) / 60_000);
  if (Number.isNaN(ahead_min) || Math.abs(ahead_min) <= 5) return "";
  return ` Its clock is ${Math.abs(ahead_min)} minutes ${ahead_min > 0 ? "ahead of" : "behind"} this machine's: set the one that is wrong.`;
}
