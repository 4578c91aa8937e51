import { setTimeout as delay } from "node:timers/promises";
import type { WebSocket } from "ws";
import { z } from "zod";
import { type ChannelAct, errorMessage, parsedJson } from "./core.ts";
import { checkedLookup } from "./lookup.ts";
import { post } from "./post.ts";
import { callSlack, type SlackPlace } from "./slack-api.ts";
import { escaped } from "./slack-blocks.ts";
import { plainLine } from "./text.ts";

type Handle = (act: ChannelAct) => Promise<string>;
type Report = (problem: string) => void;

interface Patience {
  /** How long to wait before the next connection, after so many failures in a row. */
  readonly wait_ms?: (failures: number) => number;
  /** A connection that is silent for twice as long is dead. */
  readonly ping_ms?: number;
}

/**
 * Receives clicks by Slack's Socket Mode until it is closed. Each is acknowledged at once, as Slack asks; then `handle` does it, and the
 * person is told the result where the button is. A connection that ends is made anew.
 */
export function listenToSlack(
  token: string,
  slack: SlackPlace,
  handle: Handle,
  report: Report,
  { wait_ms = backoff, ping_ms = 30_000 }: Patience = {},
): { close(): void } {
  const closing = new AbortController();
  const { signal } = closing;
  void (async () => {
    for (let failures = 0; !signal.aborted; ) {
      const began_ms = performance.now();
      try {
        const { url = "" } = await callSlack("apps.connections.open", { token, body: {} }, slack, signal);
        const wasGreeted = await receive(url, slack, ping_ms, signal, (click) => {
          void act(click, slack, handle, report, signal);
        });
        // Slack renews connections every few hours; one that ends at once is no success.
        failures = wasGreeted && performance.now() - began_ms > 10_000 ? 0 : failures + 1;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        report(`Slack sends no answers: ${errorMessage(error)}`);
      }
      if (failures > 0) await delay(wait_ms(failures), undefined, { signal, ref: false }).catch(() => {});
    }
  })();
  return { close: () => closing.abort() };
}

function backoff(failures: number): number {
  return Math.min(1_000 * 2 ** (failures - 1), 60_000) * (0.5 + Math.random() / 2);
}

/** Resolves once the connection has ended, with whether Slack said hello on it. @throws Error: it could not be made, or broke off */
async function receive(
  url: string,
  { isPrivate }: SlackPlace,
  ping_ms: number,
  signal: AbortSignal,
  clicked: (click: Click) => void,
): Promise<boolean> {
  const target = new URL(url);
  if (target.protocol !== "wss:" && !isPrivate) throw new Error("Slack named an address without TLS.");
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(target, {
    lookup: checkedLookup(target, isPrivate),
    handshakeTimeout: 10_000,
    maxPayload: 1_000_000,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const stop = () => socket.terminate();
  signal.addEventListener("abort", stop, { once: true });
  const stopPinging = keepAlive(socket, ping_ms);
  let wasGreeted = false;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => resolve(wasGreeted));
      socket.on("message", (data) => {
        const { success, data: envelope } = slackEnvelope.safeParse(parsedJson(data.toString()));
        if (!success) return;
        if (envelope.envelope_id !== undefined) {
          socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
        }
        if (envelope.type === "hello") wasGreeted = true;
        if (envelope.type === "disconnect") {
          if (envelope.reason === "link_disabled")
            reject(new Error("Socket Mode is switched off for the app."));
          socket.close();
        }
        const click = clickOf.safeParse(envelope);
        if (click.success) clicked(click.data);
      });
    });
  } finally {
    stopPinging();
    signal.removeEventListener("abort", stop);
    socket.terminate();
  }
}

/** Ends a connection on which nothing comes any more, not even an answer to a ping. */
function keepAlive(socket: WebSocket, ping_ms: number): () => void {
  let isAlive = true;
  const seen = () => {
    isAlive = true;
  };
  socket.on("open", seen).on("message", seen).on("ping", seen).on("pong", seen);
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, ping_ms).unref();
  return () => clearInterval(timer);
}

const slackEnvelope = z.looseObject({
  type: z.string(),
  reason: z.string().optional(),
  envelope_id: z.string().max(1_000).optional(),
});

/** A click on one of our buttons: their values are the bodies of answers. */
const clickOf = z.object({
  type: z.literal("interactive"),
  payload: z.object({
    type: z.literal("block_actions"),
    user: z.object({ id: z.string() }),
    actions: z.tuple([z.object({ value: z.string().max(2_000) })]),
    response_url: z.string().optional(),
  }),
});
type Click = z.infer<typeof clickOf>;

const answerBody = z.object({ token: z.string(), act: z.string(), text: z.string().optional() });

async function act(
  { payload: { user, actions, response_url } }: Click,
  { isPrivate }: SlackPlace,
  handle: Handle,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const [{ value }] = actions;
  const body = answerBody.safeParse(parsedJson(Buffer.from(value).toString()));
  // A button of another program of the same app.
  if (!body.success) return;
  try {
    const result = await handle({ account: user.id, ...body.data }).catch((error) => {
      report(`An answer from Slack failed: ${errorMessage(error)}`);
      return "signalbox could not do that. Try it on the page.";
    });
    if (response_url === undefined) return;
    const told = { response_type: "ephemeral", replace_original: false, text: escaped(plainLine(result)) };
    const headers = { "content-type": "application/json; charset=utf-8" };
    const secrets = [response_url, new URL(response_url).pathname];
    await post({ url: response_url, headers, body: JSON.stringify(told), isPrivate, secrets }, signal);
  } catch (error) {
    report(`Somebody on Slack was not told the result of an answer: ${errorMessage(error)}`);
  }
}
