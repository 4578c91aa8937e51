import { expect, onTestFinished, test, vi } from "vitest";
import { addComment } from "../../../src/operations/comments.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { useChild } from "../../children.ts";
import { signalboxJson } from "../../support/cli.ts";
import { callTool } from "../../support/mcp.ts";
import { givenClient, shownBy, taskCreated } from "./given.ts";
import { listenTo } from "./listen.ts";

/** A client that has subscribed to these resources, in this order, which is that in which changes are told. */
async function givenSubscribed(...uris: readonly string[]) {
  const given = await givenClient();
  const heard = listenTo(given.client);
  for (const uri of uris) await given.client.subscribeResource({ uri });
  return { ...given, heard };
}

test("another process's change of a shown resource triggers a notification, and reading shows it", async () => {
  const { folder, client, heard } = await givenSubscribed("ralph://board");
  await signalboxJson(["task", "add", "Mail it every Monday"], { cwd: folder });
  await heard.until("updated ralph://board");
  expect(await shownBy(client, "ralph://board")).toMatchObject({ ready: [1, 2] });
});

test.each([
  ["ralph://tasks/1", ["task", "set", "1", "--priority", "high"]],
  ["ralph://features/general", ["feature", "set", "general", "--description", "Everything else."]],
  ["ralph://disciplines/general", ["discipline", "set", "general", "--description", "All."]],
  ["ralph://progress", ["task", "set", "1", "--title", "Export as TSV"]],
])("signalbox %j notifies the subscribers of %s", async (uri, command) => {
  const { folder, heard } = await givenSubscribed(uri);
  await signalboxJson(command, { cwd: folder });
  await heard.until(`updated ${uri}`);
});

test("this server's own calls also notify: session, inbox, learnings", async () => {
  const { project, client } = await givenClient();
  await project.decide(startSession({ task: 1, session: "c-1" }));
  const heard = listenTo(client);
  const uris = ["ralph://sessions/c-1", "ralph://inbox", "ralph://learnings"];
  for (const uri of uris) await client.subscribeResource({ uri });
  await callTool(client, "ask", { question: "Which format?", blocking: true });
  await heard.until("updated ralph://inbox");
  await callTool(client, "learned", { text: "Orders have no id.", kind: "discovery" });
  await heard.until("updated ralph://learnings");
  expect(heard.told).toContain("updated ralph://sessions/c-1");
});

test("a change that the resource does not show triggers no notification", async () => {
  const { project, heard } = await givenSubscribed(
    "ralph://tasks/1",
    "ralph://inbox",
    "ralph://disciplines/general",
    "ralph://board",
  );
  const changed = { discipline: "general", mcp_servers: { db: { command: "db" } } };
  await project.log.append([{ type: "discipline.changed", actor: "human", payload: changed }]);
  await heard.until("updated ralph://disciplines/general");
  const hidden = { discipline: "general", mcp_servers: { db: { command: "db", env: { TOKEN: "secret" } } } };
  await project.log.append([{ type: "discipline.changed", actor: "human", payload: hidden }]);
  await project.decide(createTask({ title: "Mail it" }));
  await heard.until("updated ralph://board");
  expect(heard.told).toEqual(["updated ralph://disciplines/general", "updated ralph://board"]);
});

test("after unsubscribing there are no notifications of that resource", async () => {
  const { project, client, heard } = await givenSubscribed("ralph://board", "ralph://tasks/1");
  await client.unsubscribeResource({ uri: "ralph://board" });
  await project.decide(setTaskStatus({ task: 1, status: "done" }));
  await heard.until("updated ralph://tasks/1");
  expect(heard.told).toEqual(["updated ralph://tasks/1"]);
});

test("a client that unsubscribes before its subscription is answered is not subscribed", async () => {
  const { project, client, heard } = await givenSubscribed();
  await Promise.all([
    client.subscribeResource({ uri: "ralph://board" }),
    client.unsubscribeResource({ uri: "ralph://board" }),
    client.subscribeResource({ uri: "ralph://tasks/1" }),
  ]);
  await project.decide(setTaskStatus({ task: 1, status: "done" }));
  await heard.until("updated ralph://tasks/1");
  expect(heard.told).toEqual(["updated ralph://tasks/1"]);
});

test("subscribing again after the last subscriber left notifies of later changes", async () => {
  const { project, client, heard } = await givenSubscribed("ralph://tasks/1");
  await client.unsubscribeResource({ uri: "ralph://tasks/1" });
  await project.decide(setTaskStatus({ task: 1, status: "done" }));
  await client.subscribeResource({ uri: "ralph://board" });
  await client.subscribeResource({ uri: "ralph://tasks/1" });
  await project.decide(addComment({ task: 1, author: "me", body: "Look again." }));
  await heard.until("updated ralph://tasks/1");
  expect(heard.told).toEqual(["updated ralph://tasks/1"]);
});

test("of rapid changes the first triggers a notification at once, and the rest a common one", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { project, client, heard } = await givenSubscribed("ralph://board");
  await project.decide(createTask({ title: "Task 2" }));
  await heard.until("updated ralph://board");
  for (let task = 3; task <= 12; task++) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await client.ping();
  }
  expect(heard.told).toEqual(["updated ralph://board"]);
  vi.advanceTimersByTime(1_000);
  await heard.until("updated ralph://board", 2);
  expect(await shownBy(client, "ralph://board")).toMatchObject({
    ready: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  });
  expect(heard.told).toHaveLength(2);
});

test("a deleted resource triggers one notification, and is not found afterwards", async () => {
  const { project, client, heard } = await givenSubscribed("ralph://tasks/1", "ralph://board");
  await project.log.append([{ type: "task.deleted", actor: "human", payload: { task: 1 } }]);
  await heard.until("updated ralph://board");
  expect(heard.told).toEqual(["updated ralph://tasks/1", "updated ralph://board"]);
  await expect(client.readResource({ uri: "ralph://tasks/1" })).rejects.toMatchObject({ code: -32002 });
});

test("subscriptions over the limit are refused, with the remedy", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 1_000 }, (_, index) => taskCreated(index + 2)));
  const subscribe = (task: number) => client.subscribeResource({ uri: `ralph://tasks/${task}` });
  for (let task = 1; task <= 1_000; task++) await subscribe(task);
  await expect(subscribe(1_001)).rejects.toThrow("subscribe to ralph://board");
  await subscribe(7);
});

test("clients that saw the list are notified of an addition, not of a change of an entry", async () => {
  const { project, folder, client, heard } = await givenSubscribed("ralph://features/general");
  await client.listResources();
  await project.decide(setTaskStatus({ task: 1, status: "done" }));
  await heard.until("updated ralph://features/general");
  expect(heard.told).not.toContain("list changed");
  await signalboxJson(["task", "add", "Mail it"], { cwd: folder });
  await heard.until("list changed");
});

test.each([
  ["a task", "task.deleted", { task: 1 }],
  ["a feature", "feature.deleted", { feature: "other" }],
  ["a discipline", "discipline.deleted", { discipline: "general" }],
  ["a session", "session.started", { session: "s-1", task: 1, forced: false }],
] as const)("of the list is told when %s comes or goes: %s", async (_what, type, payload) => {
  const { project, client } = await givenClient();
  await project.decide(createFeature({ name: "other", display_name: "Other" }));
  const heard = listenTo(client);
  await client.listResources();
  await project.log.append([{ type, actor: "human", payload }]);
  await heard.until("list changed");
});

test("a client that never saw the list is not notified of its changes", async () => {
  const { folder, heard } = await givenSubscribed("ralph://board");
  await signalboxJson(["task", "add", "Mail it"], { cwd: folder });
  await heard.until("updated ralph://board");
  expect(heard.told).toEqual(["updated ralph://board"]);
});

const startChild = useChild("test/mcp/resources/children/subscribe-and-leave.ts");

test.each(["unsubscribes", "closes", "closes at once"])(
  "a server whose client %s closes the log, and its process ends",
  async (leaves) => {
    const { folder } = await givenClient();
    expect(await startChild(folder, leaves).finish()).toEqual(["told", "left"]);
  },
);
