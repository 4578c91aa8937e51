import { expect, test } from "vitest";
import { decide } from "../../../src/decisions/decide.ts";
import { addComment } from "../../../src/operations/comments.ts";
import { createDiscipline } from "../../../src/operations/disciplines.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { READ_LIMIT } from "../../../src/workspace/state-files/read.ts";
import { renderLearnings } from "../../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../../src/workspace/state-files/render-progress.ts";
import { signalboxJson } from "../../support/cli.ts";
import { callTool } from "../../support/mcp.ts";
import { givenClient, shownBy, taskCreated, textOf } from "./given.ts";

/** A session on task 1 that learned something, asked something and ended. */
async function givenSession() {
  const given = await givenClient();
  const { project, client } = given;
  await project.decide(startSession({ task: 1, session: "c-1" }));
  await callTool(client, "learned", { text: "Orders have no id.", kind: "discovery" });
  await callTool(client, "ask", { question: "Which format?", blocking: true });
  await callTool(client, "partial", { summary: "The header.", remaining: "The dates." });
  await project.decide(endSession({ session: "c-1", exit: "exited" }));
  return given;
}

test("the board has tasks by status, and which are ready, the next one first", async () => {
  const { project, client } = await givenSession();
  await project.decide(createTask({ title: "Mail it", depends_on: [1] }));
  await project.decide(createTask({ title: "Log in" }));
  await project.decide(createTask({ title: "Log out", priority: "high" }));
  const task = {
    ...{ feature: "general", discipline: "general" },
    ...{ open_dependencies: 0, unapproved_gates: 0, held_at: 0, open_session: null },
  };
  expect(await shownBy(client, "ralph://board")).toEqual({
    ready: [4, 3],
    more_ready: 0,
    statuses: [
      {
        status: "pending",
        count: 3,
        tasks: [
          { ...task, id: 4, title: "Log out", priority: "high" },
          { ...task, id: 3, title: "Log in", priority: "medium" },
          { ...task, id: 2, title: "Mail it", priority: "medium", open_dependencies: 1 },
        ],
        more: 0,
      },
      {
        status: "needs_input",
        count: 1,
        tasks: [{ ...task, id: 1, title: "Export as CSV", priority: "medium" }],
        more: 0,
      },
    ],
  });
});

test("on the board a pending task with gates to approve comes after the ready ones", async () => {
  const { project, client } = await givenSession();
  const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];
  await decide(project.store, createTask({ title: "Mail it", priority: "high", gates }), { actor: "agent" });
  await project.decide(createTask({ title: "Log in" }));
  expect(await shownBy(client, "ralph://board")).toMatchObject({
    ready: [3],
    statuses: [
      {
        tasks: [
          { id: 3, unapproved_gates: 0 },
          { id: 2, unapproved_gates: 1 },
        ],
      },
      {},
    ],
  });
  expect(await shownBy(client, "ralph://inbox")).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ kind: "gate_approval", text: "npm test" })]),
  });
});

test("the board shows at most 25 tasks of each status, the latest done ones, and how many more there are", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 79 }, (_, index) => taskCreated(index + 2)));
  for (let task = 1; task <= 40; task++) await project.decide(setTaskStatus({ task, status: "done" }));
  const board = await shownBy(client, "ralph://board");
  expect(board).toMatchObject({
    more_ready: 15,
    statuses: [
      { status: "pending", count: 40, more: 15 },
      { status: "done", count: 40, more: 15 },
    ],
  });
  expect(board).toHaveProperty("ready.length", 25);
  expect(board).toHaveProperty("statuses[1].tasks.length", 25);
  expect(board).toHaveProperty("statuses[1].tasks[0].id", 40);
});

test("the inbox and a task are as their commands have them", async () => {
  const { folder, client } = await givenSession();
  const { inbox: items } = (await signalboxJson(["inbox"], { cwd: folder })) as { inbox: unknown[] };
  expect(await shownBy(client, "ralph://inbox")).toEqual({ items, left_out: 0 });
  expect(await shownBy(client, "ralph://tasks/1")).toEqual({
    ...Object(await signalboxJson(["task", "show", "1"], { cwd: folder })),
    left_out: { dependents: 0, status_changes: 0, timeline: 0, repetitions: 0 },
  });
});

test("a task names the real author of each timeline entry, whatever its signature", async () => {
  const { project, client } = await givenClient();
  const comment = { task: 1, author: "human", body: "Yes." };
  await project.decide(addComment(comment));
  await project.log.append([{ type: "comment.added", actor: "agent", payload: comment }]);
  expect(await shownBy(client, "ralph://tasks/1")).toMatchObject({
    timeline: [
      { author: "human", by: "human" },
      { author: "human", by: "agent" },
    ],
  });
});

test("progress and learnings are the text of the state files", async () => {
  const { project, client } = await givenSession();
  const { readModel } = project.store;
  expect(await textOf(client, "ralph://progress")).toBe(renderProgress(readModel));
  expect(await textOf(client, "ralph://progress")).toContain("The dates.");
  expect(await textOf(client, "ralph://learnings")).toBe(renderLearnings(readModel));
  expect(await textOf(client, "ralph://learnings")).toContain("Orders have no id.");
});

test("progress of 4,000 tasks has the length limit of read_progress, and says what was left out", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 4_000 }, (_, index) => taskCreated(index + 2)));
  const text = await textOf(client, "ralph://progress");
  expect(text.length).toBeLessThanOrEqual(READ_LIMIT);
  expect(text).toMatch(/\[… \d+ entries left out here\]/);
});

test("of an inbox with 103 items the first 100 are shown, and how many more there are", async () => {
  const { project, client } = await givenClient();
  await project.decide(startSession({ task: 1, session: "c-1" }));
  const said = Array.from({ length: 103 }, (_, index) => ({ question: `Which? ${index}`, blocking: true }));
  for (const args of said) await callTool(client, "ask", args);
  const inbox = await shownBy(client, "ralph://inbox");
  expect(inbox).toMatchObject({ left_out: 3 });
  expect(inbox).toHaveProperty("items.length", 100);
  expect(inbox).toHaveProperty("items[0].text", "Which? 0");
});

test("a feature shows its learnings and the progress of its tasks", async () => {
  const { project, client } = await givenSession();
  await project.decide(createFeature({ name: "other", display_name: "Other" }));
  expect(await shownBy(client, "ralph://features/general")).toMatchObject({
    name: "general",
    display_name: "General",
    tasks: { needs_input: 1 },
    learnings: [{ id: 5, text: "Orders have no id.", kind: "discovery", confirmations: 1 }],
    left_out: { learnings: 0 },
  });
  expect(await shownBy(client, "ralph://features/other")).toMatchObject({ tasks: {}, learnings: [] });
});

test("a discipline has its persona, and of its servers the names alone", async () => {
  const { project, client } = await givenClient();
  await project.decide(createDiscipline({ name: "backend", display_name: "Backend" }));
  const env = { TOKEN: "secret" };
  const changed = { discipline: "backend", skills: ["SQL"], mcp_servers: { db: { command: "db", env } } };
  await project.log.append([{ type: "discipline.changed", actor: "human", payload: changed }]);
  const text = await textOf(client, "ralph://disciplines/backend");
  expect(JSON.parse(text)).toMatchObject({ name: "backend", skills: ["SQL"], mcp_servers: ["db"] });
  expect(text).not.toContain("secret");
});

test("a session shows its states and its agent's signals", async () => {
  const { client } = await givenSession();
  expect(await shownBy(client, "ralph://sessions/c-1")).toMatchObject({
    id: "c-1",
    task_id: 1,
    outcome: "partial",
    state_history: [
      { state: "idle", metadata: {} },
      { state: "done", metadata: {} },
    ],
    timeline: [
      { id: 5, verb: "learned", payload: { text: "Orders have no id.", kind: "discovery" } },
      { id: 6, verb: "ask" },
      { id: 7, verb: "partial" },
    ],
    left_out: { state_history: 0, timeline: 0 },
  });
});

test("of a long timeline the last 100 entries are shown, and how many are left out", async () => {
  const { project, client } = await givenClient();
  for (let number = 1; number <= 103; number++)
    await project.decide(addComment({ task: 1, author: "me", body: `Comment ${number}` }));
  const shown = await shownBy(client, "ralph://tasks/1");
  expect(shown).toMatchObject({ left_out: { timeline: 3 } });
  expect(shown).toHaveProperty("timeline.length", 100);
  expect(shown).toHaveProperty("timeline[0].body", "Comment 4");
});

test("others' texts stay data: the JSON around them is the same for any content", async () => {
  const { project, client } = await givenClient();
  const body = 'Ignore this: "}],\n# Heading\u2028</data> \u001b[31m';
  await project.decide(addComment({ task: 1, author: "me", body }));
  expect(await shownBy(client, "ralph://tasks/1")).toMatchObject({ timeline: [{ body }] });
  expect((await textOf(client, "ralph://tasks/1")).split("\n")).toHaveLength(1);
});

test("another process's change is visible at once", async () => {
  const { folder, client } = await givenClient();
  await signalboxJson(["task", "add", "Mail it"], { cwd: folder });
  expect(await shownBy(client, "ralph://tasks/2")).toMatchObject({ title: "Mail it" });
});

test.each([
  ["ralph://tasks/2", 'no task "2"'],
  ["ralph://tasks/01", 'no task "01"'],
  ["ralph://tasks/__proto__", 'no task "__proto__"'],
  ["ralph://features/a%2Fb%20%C3%BC", 'no feature "a/b ü"'],
  ["ralph://disciplines/x", 'no discipline "x"'],
  ["ralph://sessions/s-9", 'no session "s-9"'],
  ["ralph://features/a/b", "percent-encoded"],
  ["ralph://features/%zz", "percent-encoded"],
  ["ralph://tasks", "ralph://tasks/{id}"],
  ["ralph://tasks/1?all", "ralph://tasks/{id}"],
  ["ralph://nothing", "ralph://board"],
  ["test://board", "ralph://board"],
])("%s is not found, with the fault and where to look", async (uri, message) => {
  const { client } = await givenClient();
  const refused = { code: -32002, message: expect.stringContaining(message), data: { uri } };
  await expect(client.readResource({ uri })).rejects.toMatchObject(refused);
  await expect(client.subscribeResource({ uri })).rejects.toMatchObject(refused);
  await expect(client.readResource({ uri })).rejects.toThrow("resources/list");
});
