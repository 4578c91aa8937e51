import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { limitUnread } from "../../../src/mcp/http/event-stream.ts";
import { connectHttp, givenHttp, messageOf, post, whole } from "./given.ts";

/* What is no request of MCP over HTTP. Catches: one that is recorded, one that gets no answer, one that harms others. */

const TASK = { title: "Export as CSV" };
const DONE = whole("tools/call", { name: "done", arguments: { summary: "It exports." } });
const { id: _, ...NOTIFIED } = DONE.body;

test.each([
  ["a body that is not JSON", "{", {}, 400, -32_700, "is not JSON in UTF-8"],
  ["a batch", [DONE.body], {}, 400, -32_600, "not one JSON-RPC 2.0 message"],
  ["another type", DONE.body, { "content-type": "text/plain" }, 415, -32_600, "application/json"],
  [
    "a client that reads no streams",
    DONE.body,
    { accept: "application/json" },
    406,
    -32_600,
    "text/event-stream",
  ],
  ["too much", "x".repeat(9 * 1024 * 1024), {}, 413, -32_600, "larger than 8388608 bytes"],
  [
    "a page of another site",
    DONE.body,
    { origin: "https://evil.example" },
    403,
    -32_600,
    "page of another site",
  ],
  [
    "a version that is not served",
    versioned("2099-01-01"),
    { "mcp-protocol-version": "2099-01-01" },
    400,
    -32_022,
    "2099-01-01",
  ],
  ["no version in the body", { ...DONE.body, params: { name: "done" } }, {}, 400, -32_602, "_meta"],
  [
    "another version in the header",
    DONE.body,
    { "mcp-protocol-version": "2025-11-25" },
    400,
    -32_020,
    "mcp-protocol-version",
  ],
  ["another method in the header", DONE.body, { "mcp-method": "tools/list" }, 400, -32_020, "mcp-method"],
  ["another tool in the header", DONE.body, { "mcp-name": "stuck" }, 400, -32_020, "mcp-name"],
  [
    "a method that is not there",
    whole("prompts/list").body,
    { "mcp-method": "prompts/list" },
    404,
    -32_601,
    "Method not found",
  ],
  [
    "a client that has not introduced itself",
    plain("tools/list"),
    { "mcp-protocol-version": "2025-11-25" },
    400,
    -32_600,
    "Send `initialize` first",
  ],
  [
    "a client that is unknown",
    plain("tools/list"),
    { "mcp-protocol-version": "2025-11-25", "mcp-session-id": "x" },
    404,
    -32_001,
    "Send `initialize` again",
  ],
] as const)(
  "%s is refused with a reason, and nothing is recorded",
  async (_what, body, headers, status, code, words) => {
    const given = await givenHttp(TASK);
    const response = await post(given, body, { headers: { ...DONE.headers, ...headers } });
    expect(response.status).toBe(status);
    expect((await messageOf(response)).error).toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
    expect(await given.reports()).toEqual([]);
  },
);

function versioned(version: string) {
  const _meta = { "io.modelcontextprotocol/protocolVersion": version };
  return { ...DONE.body, params: { ...DONE.body.params, _meta } };
}

function plain(method: string) {
  return { jsonrpc: "2.0", id: 1, method };
}

test.each(["its length", "chunks"])(
  "a request behind one that is too large, with %s, is answered on the same connection",
  async (how) => {
    const { url, tokens } = await givenHttp(TASK);
    const { hostname, port, host, pathname } = new URL(url);
    const large = "x".repeat(9 * 1024 * 1024);
    const head = (framing: string) =>
      [
        `POST ${pathname} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${tokens[0]}`,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        framing,
        "\r\n",
      ].join("\r\n");
    const first =
      how === "chunks"
        ? `${head("Transfer-Encoding: chunked")}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
        : head(`Content-Length: ${large.length}`) + large;
    const socket = connect(Number(port), hostname);
    // For longer than a body is dropped by whoever does not look at it.
    for (let part = 0; part < 6; part++) {
      socket.write(first.slice((part * first.length) / 6, ((part + 1) * first.length) / 6));
      await delay(200);
    }
    socket.write(`${head("Content-Length: 1\r\nConnection: close")}{`);
    const answers = await text(socket);
    expect(answers.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["413", "400"]);
  },
);

test("a name that a header cannot hold is sent encoded", async () => {
  const given = await givenHttp(TASK);
  const encoded = `=?base64?${Buffer.from("done").toString("base64")}?=`;
  const response = await post(given, DONE.body, { headers: { ...DONE.headers, "mcp-name": encoded } });
  expect(response.status).toBe(200);
  expect(await given.reports()).toEqual(["signal.done s-1"]);
});

test("a notification is taken without an answer", async () => {
  const given = await givenHttp(TASK);
  const response = await post(
    given,
    { ...NOTIFIED, method: "notifications/cancelled" },
    { headers: DONE.headers },
  );
  expect([response.status, await response.text()]).toEqual([202, ""]);
});

test.each([
  ["GET", "2026-07-28", 405],
  ["GET", "2025-11-25", 400],
  ["PUT", "2025-11-25", 405],
])("%s of %s is answered with %i", async (method, version, status) => {
  const { url, tokens } = await givenHttp(TASK);
  const headers = { authorization: `Bearer ${tokens[0]}`, "mcp-protocol-version": version };
  expect((await fetch(url, { method, headers })).status).toBe(status);
});

test("a name that somebody else had point here is refused", async () => {
  const given = await givenHttp(TASK);
  const status = await new Promise((resolve) => {
    const headers = { host: "evil.example", authorization: `Bearer ${given.tokens[0]}` };
    request(given.url, { method: "POST", headers }, ({ statusCode }) => resolve(statusCode)).end("{}");
  });
  expect(status).toBe(421);
});

test("of many clients that one session has, the one that was used least recently gives way", async () => {
  const given = await givenHttp(TASK);
  const [token = ""] = given.tokens;
  const first = await connectHttp("sdk 1", given.url, token);
  const second = await connectHttp("sdk 1", given.url, token);
  await first.listTools();
  for (let nth = 0; nth < 15; nth++) await connectHttp("sdk 1", given.url, token);
  await first.listTools();
  await expect(second.listTools()).rejects.toThrow("Send `initialize` again");
});

test("a session has at most 64 requests under way, and one that is given up makes room", async () => {
  const given = await givenHttp(TASK);
  const begun = Array.from({ length: 64 }, () => {
    const headers = {
      authorization: `Bearer ${given.tokens[0]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": 1_000,
    };
    const one = request(given.url, { method: "POST", headers });
    one.on("error", () => {}).write("{");
    return one;
  });
  const list = whole("tools/list");
  const status = async () => (await post(given, list.body, { headers: list.headers })).status;
  await expect.poll(status, { timeout: 10_000 }).toBe(429);
  begun[0]?.destroy();
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
  for (const one of begun) one.destroy();
});

test.each(["sdk 1", "sdk 2 pinned"] as const)(
  "of one session at most 64 calls of %s wait, and one more is told so",
  async (name) => {
    const gates = [{ command: "until [ -e go ]; do sleep 0.1; done", max: 3, timeout_s: 50 }];
    const given = await givenHttp({ ...TASK, gates });
    const client = await connectHttp(name, given.url, given.tokens[0] ?? "");
    const verify = { name: "verify", arguments: {} };
    const refused: string[] = [];
    const many = Array.from({ length: 80 }, () =>
      client.callTool(verify).catch((error) => refused.push(String(error))),
    );
    await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(16);
    writeFileSync(join(given.folder, "go"), "");
    await Promise.all(many);
    expect(refused).toHaveLength(16);
    expect(refused[0]).toMatch(/64 (calls of this session wait|requests under way) already/);
  },
);

test("a stream that its client does not read is cut off, in the end", async () => {
  let sent = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const { body } = limitUnread(new Response(source, { headers }));
  await expect.poll(() => sent).toBeGreaterThanOrEqual(64);
  await expect(new Response(body).arrayBuffer()).rejects.toThrow("more than 67108864 bytes unread");
  expect(sent).toBeLessThan(70);
});

test("a client that leaves in the middle of a call is not waited for, and what was recorded stays", async () => {
  const gates = [{ command: "sleep 0.3", max: 3, timeout_s: 10 }];
  const given = await givenHttp({ ...TASK, gates });
  const left = new AbortController();
  const verify = whole("tools/call", { name: "verify", _meta: { progressToken: 1 } });
  const stream = await post(given, verify.body, { headers: verify.headers, signal: left.signal });
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  left.abort();
  expect((await post(given, DONE.body, { headers: DONE.headers })).status).toBe(200);
  expect(await given.reports()).toContain("signal.done s-1");
  expect(given.reported).toEqual([]);
});
