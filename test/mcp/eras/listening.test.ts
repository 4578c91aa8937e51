import { expect, test } from "vitest";
import { contextSchema } from "../../../src/mcp/context.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { changeTask, createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { connectHere, newClient } from "./clients.ts";
import { ENVELOPE } from "./envelope.ts";
import { connectLines } from "./lines.ts";

/* Changes that a client of MCP 2026-07-28 asks to be told of. Catches: notices that nobody asked for, or that are not tagged. */

const CONTEXT = contextSchema.parse({ session_id: "s-1", recipe: "signals", task_id: 1 });
const WITHOUT_ASK = { ...CONTEXT, disabled_tools: ["ask" as const] };
const ID = "io.modelcontextprotocol/subscriptionId";
const UPDATED = "notifications/resources/updated";

async function given() {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  let opened = 0;
  const server = createServer({
    context: CONTEXT,
    open: async () => {
      opened += 1;
      return project.store;
    },
  });
  return { project, server, lines: await connectLines(server), opened: () => opened };
}

/** Asks for changes, and waits until that is acknowledged. */
async function listen(lines: Awaited<ReturnType<typeof connectLines>>, id: string, notifications: object) {
  lines.send({ id, method: "subscriptions/listen", params: { notifications, _meta: ENVELOPE } });
  return lines.heard(
    ({ method, params }) =>
      method === "notifications/subscriptions/acknowledged" &&
      JSON.stringify(params).includes(JSON.stringify(id)),
  );
}

test("the subset that can be told is acknowledged first, and the log is opened only for resources", async () => {
  const { lines, opened } = await given();
  const tools = await listen(lines, "a", { toolsListChanged: true, promptsListChanged: true });
  expect(tools.params).toEqual({ notifications: { toolsListChanged: true }, _meta: { [ID]: "a" } });
  expect(opened()).toBe(0);
  const uris = ["ralph://tasks/1", "ralph://tasks/99", "file:///etc/passwd"];
  const resources = await listen(lines, "b", { resourceSubscriptions: uris });
  expect(resources.params).toEqual({
    notifications: { resourceSubscriptions: ["ralph://tasks/1"] },
    _meta: { [ID]: "b" },
  });
});

test("each stream is told of what it asked for, with its name", async () => {
  const { project, lines } = await given();
  await listen(lines, "task", { resourceSubscriptions: ["ralph://tasks/1"] });
  await listen(lines, "list", { resourcesListChanged: true });
  await project.decide(changeTask({ task: 1, title: "Export as JSON" }));
  const updated = await lines.heard(({ method }) => method === UPDATED);
  expect(updated.params).toEqual({ uri: "ralph://tasks/1", _meta: { [ID]: "task" } });
  await project.decide(createTask({ title: "Import" }));
  const changed = await lines.heard(({ method }) => method === "notifications/resources/list_changed");
  expect(changed.params).toEqual({ _meta: { [ID]: "list" } });
});

test("a client that did not ask is told nothing", async () => {
  const { project, server, lines } = await given();
  await lines.askWhole("tools/list");
  await lines.askWhole("resources/list");
  await listen(lines, "task", { resourceSubscriptions: ["ralph://tasks/1"] });
  await server.replaceContext(WITHOUT_ASK);
  await project.decide(createTask({ title: "Import" }));
  await project.decide(changeTask({ task: 1, title: "Export as JSON" }));
  await lines.heard(({ method }) => method === UPDATED);
  const told = lines.said.flatMap(({ method }) => method ?? []);
  expect(told).toEqual(["notifications/subscriptions/acknowledged", UPDATED]);
});

test("a stream that is cancelled is told nothing any more, and gets no result", async () => {
  const { project, lines } = await given();
  await listen(lines, "a", { resourceSubscriptions: ["ralph://tasks/1"] });
  lines.send({ method: "notifications/cancelled", params: { requestId: "a" } });
  await listen(lines, "b", { resourceSubscriptions: ["ralph://tasks/1"] });
  await project.decide(changeTask({ task: 1, title: "Export as JSON" }));
  await lines.heard(({ method }) => method === UPDATED);
  expect(lines.said.filter(({ method }) => method === UPDATED)).toMatchObject([
    { params: { _meta: { [ID]: "b" } } },
  ]);
  expect(lines.said.filter(({ id }) => id === "a")).toEqual([]);
});

test("a server that ends completes its streams", async () => {
  const { server, lines } = await given();
  await listen(lines, "a", { toolsListChanged: true });
  await server.leave();
  const { result } = await lines.heard(({ id }) => id === "a");
  expect(result).toMatchObject({ resultType: "complete", _meta: { [ID]: "a" } });
});

test("more streams than a server has are refused", async () => {
  const { lines } = await given();
  for (let number = 0; number < 100; number++) await listen(lines, `${number}`, { toolsListChanged: true });
  expect(await lines.askWhole("subscriptions/listen", { notifications: {} })).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining("100 streams") },
  });
});

test("a real client is told of changed tools and resources", async () => {
  const { project, server } = await given();
  const client = await connectHere(server, newClient("sdk 2 pinned"));
  const told: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", () => void told.push("tools"));
  client.setNotificationHandler(UPDATED, ({ params }) => void told.push(params.uri));
  const stream = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["ralph://tasks/1"] });
  await client.listTools();
  await server.replaceContext(WITHOUT_ASK);
  await expect.poll(() => told).toEqual(["tools"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("ask");
  await project.decide(changeTask({ task: 1, title: "Export as JSON" }));
  await expect.poll(() => told).toEqual(["tools", "ralph://tasks/1"]);
  await server.leave();
  expect(await stream.closed).toBe("graceful");
});
