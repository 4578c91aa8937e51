import { Agent, type IncomingMessage, request as send } from "node:http";
import { text } from "node:stream/consumers";
import { type Answer, type OpenClient, openClient, STATELESS_VERSION } from "./client.ts";

/** A session's client over HTTP, which has connections of its own. */
export interface HttpClient extends OpenClient {
  close(): void;
}

/** @param url of `/mcp`; @param stateless whether it speaks MCP 2026-07-28; else it keeps a stream open, as clients do */
export async function openHttpClient(url: string, token: string, stateless: boolean): Promise<HttpClient> {
  const agent = new Agent({ keepAlive: true });
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    ...(stateless && { "mcp-protocol-version": STATELESS_VERSION }),
  };
  const exchange = (method: "GET" | "POST", more: object, body?: object) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, { agent, method, headers: { ...headers, ...more } }, (response) => {
        const status = response.statusCode ?? 0;
        if (status < 300) resolve(response);
        else reject(new Error(`The server answered ${status}.`));
      });
      sent.once("error", reject).end(body && JSON.stringify(body));
    });
  const post = async (body: object, more: object = {}) => {
    const response = await exchange("POST", { "content-type": "application/json", ...more }, body);
    const session = response.headers["mcp-session-id"];
    if (typeof session === "string") headers["mcp-session-id"] = session;
    return text(response);
  };
  const client = await openClient(
    {
      ask: async (request) => answerIn(await post(request, stateless ? namesIn(request) : {})),
      tell: post,
    },
    stateless,
  );
  const stream = stateless ? undefined : await exchange("GET", {});
  stream?.once("error", () => {}).resume();
  return { ...client, close: () => agent.destroy() };
}

/** What a header must repeat of a request of that version. */
function namesIn({ method, params: { name } }: { method: string; params: { name?: unknown } }) {
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": name }) };
}

/** @param body JSON, or a stream whose last event it is */
function answerIn(body: string): Answer {
  return JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body);
}
