import { expect, test } from "vitest";
import { addComment } from "../../../src/operations/comments.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

/* Catches: a comment that is not in the log when the tool answers, another task's, a human's words rewritten. */

async function given(context: Parameters<typeof connectWith>[1] = { recipe: "all" }) {
  const { project } = await freshProject();
  for (const title of ["One", "Two"]) await project.decide(createTask({ title }));
  const agent = await connectWith(project.store, context);
  const call = (name: string, args: Record<string, unknown>, use?: string) =>
    callTool(agent, name, args, use);
  return { project, call };
}

const said = { task_id: 1, author: "backend", body: "The parser is shared." };

test("a comment is on its task, as called and as an agent's, when the answer comes", async () => {
  const { project, call } = await given();
  const answer = await call("add_task_comment", { ...said, discipline: "general", priority: "high" });
  const comment_id = await project.log.head();
  expect(answer).toMatchObject({ isError: false, structured: { comment_id } });
  expect(await project.queries.comments(1)).toMatchObject([
    {
      ...{ id: comment_id, author: "backend", actor: "agent", body: "The parser is shared." },
      ...{ discipline: "general", priority: "high" },
    },
  ]);
  const [event] = await project.log.read(comment_id - 1, 1);
  expect(event).toMatchObject({ type: "comment.added", actor: "agent", correlation: "c-1" });
});

test("an agent gives its comment other words, and takes it away", async () => {
  const { project, call } = await given();
  const { structured } = await call("add_task_comment", said);
  const { comment_id } = Object(structured);
  const changed = await call("update_task_comment", { task_id: 1, comment_id, body: "It is not." });
  expect(changed.structured).toEqual({ comment_id, body: "It is not." });
  expect((await project.queries.task(1))?.timeline).toMatchObject([{ id: comment_id, body: "It is not." }]);
  const deleted = await call("delete_task_comment", { task_id: 1, comment_id });
  expect(deleted.structured).toEqual({ deleted: comment_id });
  expect((await project.queries.task(1))?.timeline).toEqual([]);
});

test("a call that is sent again is answered as before, and recorded once", async () => {
  const { project, call } = await given();
  const first = await call("add_task_comment", said, "toolu_1");
  const head = await project.log.head();
  expect(await call("add_task_comment", said, "toolu_1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
});

const HUMANS = 5;

test.each([
  [
    "add_task_comment",
    { ...said, discipline: "genral" },
    '`discipline`: There is no discipline "genral". Did you mean "general"?',
  ],
  ["add_task_comment", { ...said, priority: "urgent" }, "legal values are critical, high, medium, low"],
  ["add_task_comment", { ...said, body: " " }, "`body` is blank"],
  ["add_task_comment", { task_id: 1, body: "x" }, "`author` is missing"],
  ["add_task_comment", { ...said, author: "" }, "`author` is blank"],
  ["update_task_comment", { task_id: 1, comment_id: HUMANS, body: "x" }, "was written by Ada"],
  [
    "delete_task_comment",
    { task_id: 1, comment_id: HUMANS },
    "can change or delete only the comments of agents",
  ],
])("%s with %j is refused, and nothing is recorded", async (name, args, message) => {
  const { project, call } = await given();
  const [event] = await project.decide(addComment({ task: 1, author: "Ada", body: "Hands off." }));
  expect(event?.position).toBe(HUMANS);
  const answer = await call(name, args);
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(message);
  expect(await project.log.head()).toBe(HUMANS);
});

test("a session can only comment on its own task", async () => {
  const { project, call } = await given({ recipe: "task_execution", session_id: "s-1", task_id: 1 });
  const answer = await call("add_task_comment", { ...said, task_id: 2 });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("Call it with `task_id` 1.") });
  expect(await project.queries.comments(2)).toEqual([]);
  expect(await call("add_task_comment", said)).toMatchObject({ isError: false });
});
