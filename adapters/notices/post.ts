import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ChannelError, errorMessage } from "./core.ts";
import { checkedLookup, type Resolve } from "./lookup.ts";
import { refusalOf } from "./refusal.ts";
import { plainLine } from "./text.ts";

export interface Post {
  /** http or https. Only its host appears in errors. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Allows addresses inside. */
  readonly isPrivate?: boolean;
  /** Never to appear in an error, even if the server repeats them. */
  readonly secrets?: readonly string[];
}

interface Surroundings {
  readonly resolve?: Resolve;
  readonly limit_ms?: number;
}

/**
 * Sends a POST: the one way out over HTTP for all channels. It connects to no address but those that it has checked, follows neither
 * redirects nor proxies, and gives up after 10 seconds.
 *
 * @param signal aborts it
 * @returns the beginning of the answer
 * @throws ChannelError: the address is inside and `isPrivate` is false, the server cannot be reached, or its status is not 2xx
 */
export async function post(
  { url, headers, body, isPrivate = false, secrets = [] }: Post,
  signal: AbortSignal,
  { resolve, limit_ms = LIMIT_MS }: Surroundings = {},
): Promise<string> {
  const target = new URL(url);
  const limit = AbortSignal.timeout(limit_ms);
  const bothSignals = AbortSignal.any([signal, limit]);
  const lookup = checkedLookup(target, isPrivate, resolve);
  try {
    const response = await send(target, body, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body), "user-agent": "signalbox" },
      // A connection of its own: one that is kept was made for what its name meant then.
      agent: false,
      signal: bothSignals,
      lookup,
    });
    const answer = await beginningOf(response, bothSignals);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw refusalOf({ host: target.host, status, headers: response.headers, answer, secrets });
  } catch (cause) {
    if (cause instanceof ChannelError) throw cause;
    if (signal.aborted) throw new ChannelError(`Sending to ${target.host} was stopped.`, { cause });
    const why = limit.aborted
      ? `did not answer within ${limit_ms / 1_000} seconds`
      : `cannot be reached: ${reasonOf(cause)}`;
    throw new ChannelError(`${target.host} ${why}.`, { cause });
  }
}

const LIMIT_MS = 10_000;
/** No answer that counts is longer. */
const ANSWER_LIMIT = 64 * 1_024;

function send(target: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(target, options, resolve).on("error", reject).end(body);
  });
}

/** Reads no more than it gives; an answer that breaks off has told its status all the same. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_LIMIT) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, ANSWER_LIMIT);
}

/** A system's code says more than its words, which may hold paths. */
function reasonOf(error: unknown): string {
  // A connection that tried several addresses has the errors of each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && "code" in first ? `${first.code}` : undefined;
  return plainLine(code ?? errorMessage(first)).slice(0, 200);
}
