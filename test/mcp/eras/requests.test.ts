import { expect, test } from "vitest";
import { version } from "../../../src/lib/version.ts";
import { signalsContext } from "../../../src/mcp/context.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { ENVELOPE } from "./envelope.ts";
import { connectLines } from "./lines.ts";

/* Requests of MCP 2026-07-28, word for word. */

const SERVED = ["2026-07-28", "2025-11-25", "2025-06-18"];
const DONE = { name: "done", arguments: { summary: "It exports." } };

async function given() {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  let clients = 0;
  const server = createServer({
    context: signalsContext("s-1", 1),
    open: async () => project.store,
    onClient: () => {
      clients += 1;
    },
  });
  const client = await connectLines(server);
  return { project, server, client, clients: () => clients };
}

test.each([
  ["server/discover", {}, true],
  ["tools/list", {}, true],
  ["resources/list", {}, true],
  ["resources/templates/list", {}, true],
  ["resources/read", { uri: "ralph://board" }, true],
  ["tools/call", DONE, false],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "ralph://tasks/{id}" },
      argument: { name: "id", value: "1" },
    },
    false,
  ],
])(
  "the result of %s says that it is complete, whose it is, and how long it is good for",
  async (method, params, cached) => {
    const { client } = await given();
    const { result } = await client.askWhole(method, params);
    expect(result).toMatchObject({
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "ralph", version } },
      ...(cached && { ttlMs: expect.any(Number), cacheScope: "private" }),
    });
    if (!cached) expect(result).not.toHaveProperty("ttlMs");
  },
);

test("a client that asks what is served is told, and has not come yet", async () => {
  const { client, clients } = await given();
  expect(await client.askWhole("server/discover")).toMatchObject({
    result: { supportedVersions: SERVED, capabilities: { tools: { listChanged: true } } },
  });
  expect(await client.askWhole("ping")).toMatchObject({ error: { code: -32_601 } });
  expect(clients()).toBe(0);
  await client.askWhole("tools/list");
  await client.askWhole("tools/list");
  expect(clients()).toBe(1);
});

test.each(["1900-01-01", "2027-01-01", "2025-11-25", ""])(
  "a request of version %j is answered with the versions that are served",
  async (requested) => {
    const { project, client, clients } = await given();
    const head = await project.log.head();
    const { error } = await client.askWhole("tools/call", DONE, {
      "io.modelcontextprotocol/protocolVersion": requested,
    });
    expect(error).toMatchObject({ code: -32_022, data: { supported: SERVED, requested } });
    expect(clients()).toBe(0);
    expect(await project.log.head()).toBe(head);
  },
);

const KEY = "io.modelcontextprotocol";
test.each([
  ["tools/call", DONE, { [`${KEY}/clientCapabilities`]: undefined }, "clientCapabilities` is missing"],
  ["tools/call", DONE, { [`${KEY}/clientCapabilities`]: [] }, "clientCapabilities` is [], it must be"],
  ["tools/list", {}, { [`${KEY}/protocolVersion`]: 3 }, "protocolVersion` is 3, it must be text"],
  ["tools/list", {}, { [`${KEY}/clientInfo`]: "me" }, 'clientInfo` is "me", it must be'],
  ["tools/list", { cursor: 5 }, {}, "`params.cursor` is 5, it must be text"],
  ["tools/call", { ...DONE, requestState: 7 }, {}, "`params.requestState` is 7, it must be text"],
  ["tools/call", { name: "no_such_tool" }, {}, "Unknown tool no_such_tool"],
  ["resources/read", { uri: "ralph://tasks/99" }, {}, 'There is no task "99"'],
  ["subscriptions/listen", {}, {}, "`params.notifications` is missing"],
])("%s with %j and %j is answered with what is wrong", async (method, params, envelope, words) => {
  const { project, client } = await given();
  const head = await project.log.head();
  const { error } = await client.askWhole(method, params, envelope);
  expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(words) });
  expect(await project.log.head()).toBe(head);
});

test.each(["server/discover", "subscriptions/listen"])(
  "%s that does not name its version is told so",
  async (method) => {
    const { client } = await given();
    const { error } = await client.ask(method, {});
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining("is missing") });
  },
);

test.each(["initialize", "resources/subscribe", "logging/setLevel", "tasks/get", "constructor"])(
  "there is no %s in this era",
  async (method) => {
    const { client } = await given();
    expect(await client.askWhole(method)).toMatchObject({ error: { code: -32_601 } });
  },
);

test("a missing resource has the code of the era in which it was asked for", async () => {
  const { client } = await given();
  const uri = "ralph://tasks/99";
  expect(await client.askWhole("resources/read", { uri })).toMatchObject({ error: { code: -32_602 } });
  expect(await client.ask("resources/read", { uri })).toMatchObject({ error: { code: -32_002 } });
});

test("nothing is said about a cancelled call any more, and what it recorded stays", async () => {
  const { project, client } = await given();
  const call = { ...DONE, _meta: { ...ENVELOPE, progressToken: 1 } };
  client.send({ id: 7, method: "tools/call", params: call });
  client.send({ method: "notifications/cancelled", params: { requestId: 7, reason: "Interrupted." } });
  await client.askWhole("tools/call", { ...DONE, arguments: { summary: "The second." } });
  expect(client.said.filter(({ id }) => id === 7)).toEqual([]);
  const recorded = (await project.log.read(0, 100)).filter(({ type }) => type === "signal.done");
  expect(recorded).toHaveLength(2);
});

test("one connection may ask in both eras", async () => {
  const { client } = await given();
  await client.askWhole("tools/list");
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const { result } = await client.ask("initialize", params);
  expect(result).toMatchObject({ protocolVersion: "2025-06-18" });
  const { result: listed } = await client.ask("tools/list");
  expect(Object.keys(listed ?? {})).toEqual(["tools"]);
});

test("a tool use repeated in another era is the same call", async () => {
  const { project, client } = await given();
  const use = { "claudecode/toolUseId": "toolu_1" };
  const whole = await client.askWhole("tools/call", DONE, use);
  const head = await project.log.head();
  const { result } = await client.ask("tools/call", { ...DONE, _meta: use });
  expect(result?.structuredContent).toEqual(whole.result?.structuredContent);
  expect(await project.log.head()).toBe(head);
});
