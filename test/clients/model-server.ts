import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Certificate } from "../support/certificate.ts";
import { anthropic } from "./dialects/anthropic.ts";
import { chat } from "./dialects/chat.ts";
import type { Answer, Asked, Dialect } from "./dialects/dialect.ts";
import { gemini } from "./dialects/gemini.ts";
import { responses } from "./dialects/responses.ts";

/** What the model does in one of its turns. */
export interface Turn {
  readonly text?: string;
  readonly tools?: Answer["tools"];
  /** Tokens in and out; absent: 100 and 20. */
  readonly usage?: Answer["usage"];
  /** Instead of an answer: an error of the API. */
  readonly error?: {
    readonly status: number;
    /** How the API calls it, such as `overloaded_error`. */
    readonly type?: string;
    readonly message?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** The `error.details` of Gemini's API. */
    readonly details?: readonly unknown[];
    /** Further fields of the error. */
    readonly more?: Readonly<Record<string, unknown>>;
  };
  /** It never answers. */
  readonly hangs?: boolean;
}

/** A request that a client has sent to the model. */
interface Request {
  readonly url: string;
  readonly tools: readonly string[];
  /** The number of the conversation that it begins; undefined where it goes on with one. */
  readonly begins: number | undefined;
  /** All of the request, as it was sent. */
  readonly body: string;
}

/** With what a model speaks TLS. */
export interface Tls extends Certificate {
  /** Where it listens. */
  readonly address: string;
}

export interface ModelServer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** The requests of agents so far; those of helpers, which ask for a title for one, are not among them. */
  readonly requests: readonly Request[];
  close(): Promise<void>;
}

/**
 * A model on loopback that follows a script, for real clients. It speaks the API of Anthropic, both of OpenAI's, and
 * Gemini's, and answers whichever a client asks.
 *
 * @param sessions the turns of each conversation, in the order in which these begin; the last of them repeats for ever
 * @param whenAsked is called as each request of an agent comes
 * @param tls absent: `http://127.0.0.1`
 */
export async function startModelServer(
  sessions: readonly (readonly Turn[])[],
  whenAsked?: () => void,
  tls?: Tls,
): Promise<ModelServer> {
  const requests: Request[] = [];
  /** By what each conversation begins with. */
  const begun = new Map<string, number>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response).catch(() => response.destroy());
  };
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener)
    : createServer(listener);
  const address = tls?.address ?? "127.0.0.1";

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "";
    const body = await text(request);
    const dialect = dialects.find(({ path }) => request.method === "POST" && path.test(url));
    if (!dialect) return answerOther(url, response);
    const asked = dialect.read(JSON.parse(body));
    // A client also asks its model for titles and summaries, without tools.
    if (asked.tools.length === 0)
      return dialect.write(response, answerOf({ text: "A title" }, asked, "title"));
    whenAsked?.();
    const { session, turn } = placeOf(asked, body, begun);
    requests.push({ url, tools: asked.tools, begins: turn === 0 ? session : undefined, body });
    const turns = sessions[Math.min(session, sessions.length - 1)] ?? [];
    const next = turns[Math.min(turn, turns.length - 1)] ?? { text: "There is nothing left to do." };
    if (next.hangs) return;
    if (next.error) return refuse(response, dialect, next.error);
    dialect.write(response, answerOf(next, asked, `call_s${session}_t${turn}`));
  }

  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    url: `${tls ? "https" : "http"}://${address}:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await delay(0);
    },
  };
}

const dialects: readonly Dialect[] = [anthropic, responses, chat, gemini];

/**
 * Where a conversation stands. The ids of our calls say it, since a client sends them back with their results; where there is
 * none, it has just begun, or it is asked again.
 */
function placeOf({ first }: Asked, body: string, begun: Map<string, number>) {
  const calls = [...body.matchAll(/call_s(\d+)_t(\d+)/g)];
  const last = calls.at(-1);
  if (last)
    return { session: Number(last[1]), turn: Math.max(...calls.map(([, , turn]) => Number(turn))) + 1 };
  const session = begun.get(first) ?? begun.size;
  begun.set(first, session);
  return { session, turn: 0 };
}

function answerOf({ text = "", tools = [], usage }: Turn, { model, stream }: Asked, id: string): Answer {
  return { id, model, stream, text, tools, usage: usage ?? { input: 100, output: 20 } };
}

function refuse(response: ServerResponse, dialect: Dialect, error: NonNullable<Turn["error"]>): void {
  response.writeHead(error.status, { "content-type": "application/json", ...error.headers });
  const { status, type = "api_error", message = "The model is not to be had.", details, more } = error;
  response.end(JSON.stringify(dialect.error({ status, type, message, details, more })));
}

/** What else clients ask: lists of models, counts of tokens; what nobody knows is not there. */
function answerOther(url: string, response: ServerResponse): void {
  const known = /\/models/.test(url)
    ? { object: "list", data: [{ id: "scripted", object: "model" }], models: [] }
    : /count_?tokens/i.test(url)
      ? { input_tokens: 100, totalTokens: 100 }
      : undefined;
  response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
  response.end(
    JSON.stringify(known ?? { error: { type: "not_found_error", message: "There is no such thing." } }),
  );
}
