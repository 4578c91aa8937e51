import type { ModelProblem } from "../../events/types/agents.ts";
import type { Problem } from "./facts.ts";

/**
 * Why a model gave no answer, from its API's HTTP status and the client's message.
 *
 * @param status the HTTP status; undefined if the client does not report it
 */
export function problemOf(status: number | undefined, text: string, resetsAt?: Date | undefined): Problem {
  return { kind: kindOf(status, text), text, resetsAt };
}

function kindOf(status: number | undefined, text: string): ModelProblem {
  if (NO_LOGIN.test(text)) return "no_login";
  if (USAGE_LIMIT.test(text)) return "limit";
  if (NO_MODEL.test(text)) return "unknown_model";
  if (status === undefined) return OUTAGE.test(text) ? "outage" : "other";
  if (status === 401 || status === 403) return "no_login";
  if (status === 404) return "unknown_model";
  if (status === 429) return "limit";
  return status >= 500 || status === 408 ? "outage" : "other";
}

/* Each as a client prints it; `about.limits` of the clients has the sources. */
const NO_LOGIN =
  /please run \/login|not logged in|invalid (?:x-)?api[- ]key|api key not valid|set an auth method|no api key/i;
const USAGE_LIMIT =
  /(?:hit|reached) your (?:\w+ )?(?:usage )?limit|(?:usage )?limit (?:has been )?reached|out of (?:extra )?usage|(?:exhausted|exceeded) your (?:\w+ )?(?:quota|capacity)|quota exceeded|credit balance is too low|insufficient_quota/i;
const NO_MODEL =
  /model not found|issue with the selected model|model .{1,100} (?:does not exist|is not supported)/i;
const OUTAGE =
  /overloaded|high demand|stream (?:disconnected|closed)|connection (?:error|refused|reset)|unable to connect|fetch failed|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|timed? ?out|error sending request/i;

/**
 * The end of a duration such as `1h 5m 3s`, `34.07s` or `2 days 17 hours`, counted from now;
 * undefined if the text has none.
 */
export function timeAfter(now: Date, span: string): Date | undefined {
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*(ms|d|h|m|s)(?:[a-z]*)/gi)];
  if (parts.length === 0) return undefined;
  const ms = parts.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (MS_OF[unit.toLowerCase()] ?? 0),
    0,
  );
  return new Date(now.getTime() + ms);
}

const MS_OF: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
