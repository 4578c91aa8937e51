import { existsSync } from "node:fs";
import { join } from "node:path";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { expect, test, vi } from "vitest";
import { KeptEvents } from "../../../src/mcp/http/kept-events.ts";
import { type GivenHttp, givenHttp, post, whole } from "./given.ts";

/* A client that lost its connection. Catches: an answer that nobody gets, one that comes twice, a call that is cut short. */

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** The events of a response as they come. */
function eventsOf(response: Response) {
  const { body } = response;
  if (!body) throw new Error(`There is no stream: ${response.status}.`);
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).values();
}

/** What is sent with each request of a client that has introduced itself. */
async function introduced(given: GivenHttp): Promise<Record<string, string>> {
  const begun = await post(given, { jsonrpc: "2.0", id: 0, method: "initialize", params: INITIALIZE });
  const headers = {
    authorization: `Bearer ${given.tokens[0]}`,
    accept: "text/event-stream",
    "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await begun.text();
  return headers;
}

test("the answer to a call whose connection was cut comes by the next one, once", async () => {
  const gates = [{ command: "sleep 0.5", max: 3, timeout_s: 10 }];
  const given = await givenHttp({ title: "Export as CSV", gates });
  const { accept: _, ...headers } = await introduced(given);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "verify", arguments: {} } };
  const cut = new AbortController();
  const events = eventsOf(await post(given, call, { headers, signal: cut.signal }));
  const first = await events.next();
  const id = first.value?.id ?? "";
  expect(id).not.toBe("");
  cut.abort();
  await expect(events.next()).rejects.toThrow();
  const goOn = { headers: { ...headers, accept: "text/event-stream", "last-event-id": id } };
  let resumed = await fetch(given.url, goOn);
  // The server may not have seen yet that the connection was cut.
  while (resumed.status === 409) resumed = await fetch(given.url, goOn);
  const told: { id?: number; result?: object }[] = [];
  for await (const { data } of eventsOf(resumed)) {
    told.push(JSON.parse(data));
    if (told.at(-1)?.id === 1) break;
  }
  expect(told.filter((message) => message.id === 1)).toMatchObject([
    { result: { structuredContent: { verified: true } } },
  ]);
});

test.each(["2025-11-25", "2026-07-28"])(
  "a client that leaves while its `done` runs, in MCP %s, stops no gate of it",
  async (version) => {
    const gates = [{ command: "touch begun; sleep 1", max: 3, timeout_s: 60 }];
    const given = await givenHttp({ title: "Export as CSV", gates });
    const params = { name: "done", arguments: { summary: "All." } };
    const { accept: _, ...headers } = await introduced(given);
    const call =
      version === "2025-11-25"
        ? { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers }
        : whole("tools/call", params);
    const left = new AbortController();
    const answer = post(given, call.body, { headers: call.headers, signal: left.signal }).then((response) =>
      response.text(),
    );
    await vi.waitUntil(() => existsSync(join(given.folder, "begun")), 30_000);
    left.abort();
    await expect(answer).rejects.toThrow();
    const attempts = async () =>
      (await given.project.log.read(0, 100)).flatMap((event) =>
        event.type === "gate.attempted" ? [event.payload] : [],
      );
    await vi.waitUntil(async () => (await attempts()).length > 0, 30_000);
    expect(await attempts()).toMatchObject([{ exit_code: 0, interrupted: false }]);
    expect(given.reported).toEqual([]);
  },
);

test("a stream is gone on with only where it is known", async () => {
  const given = await givenHttp({ title: "Export as CSV" });
  const headers = await introduced(given);
  for (const id of ["x", "no-such-stream/999"]) {
    const response = await fetch(given.url, { headers: { ...headers, "last-event-id": id } });
    expect(response.status).toBe(400);
  }
});

test("what is kept for a client is limited, and what is no longer kept is not skipped in silence", async () => {
  const kept = new KeptEvents();
  const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });
  const ids: string[] = [];
  for (let id = 0; id < 1_500; id++) ids.push(await kept.storeEvent(id % 2 ? "odd" : "even", message(id)));
  const told: unknown[] = [];
  const send = async (_: string, { ...one }) => void told.push(one);
  expect(await kept.replayEventsAfter(ids[1_495] ?? "", { send })).toBe("odd");
  expect(told).toEqual([message(1_497), message(1_499)]);
  await expect(kept.replayEventsAfter(ids[3] ?? "", { send })).rejects.toThrow("no longer kept");
});
