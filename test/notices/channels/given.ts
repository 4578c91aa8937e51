import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Message, Notice } from "../../../src/outside/notices/channel.ts";

/** A question of an agent that waits. */
export function notice(fields: Partial<Notice> = {}): Notice {
  return {
    kind: "question",
    subject: "A question blocks a task",
    project: "shop",
    task: { id: 12, title: "Add a basket" },
    text: "Which currency?",
    detail: null,
    options: ["euro", "dollar"],
    at: "2026-11-26T03:00:00.000Z",
    link: "https://box.example/inbox/7",
    acts: [],
    ...fields,
  };
}

export function message(...notices: readonly Partial<Notice>[]): Message {
  const all = notices.length === 0 ? [{}] : notices;
  return { id: "0194-a", notices: all.map(notice) };
}

export const never = () => new AbortController().signal;

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on this machine that keeps what it gets; closed after the test. */
export async function givenServer(
  answer: RequestListener = (_, response) => response.end("ok"),
): Promise<{ readonly url: string; readonly port: number; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    received.push({ path: request.url ?? "", headers: request.headers, body });
    answer(request, response);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, received };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}
