import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeToken } from "../../../src/mcp/http/tokens.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { connectHttp, givenHttp } from "./given.ts";

/* What a token of the recipe `all` may do to sessions. Catches: one that ends another agent's session, or works on another task. */

/** Two sessions, and a task without one; a token of the recipe `all`. @param task null: of a conversation */
async function given(client: "sdk 1" | "sdk 2 pinned", task: number | null) {
  const http = await givenHttp({ title: "Export" }, { title: "Import" });
  const { project, folder, db, url } = http;
  await project.decide(createTask({ title: "Of nobody" }));
  const session = task === null ? "c-1" : `s-${task}`;
  const context = join(folder, "context.json");
  writeFileSync(context, JSON.stringify({ session_id: session, recipe: "all", task_id: task }));
  const variables = {
    ...{ RALPH_CONTEXT: context, RALPH_DB_PATH: db },
    ...(task !== null && { RALPH_TASK_ID: String(task), RALPH_SESSION_ID: session }),
  };
  const { token } = await makeToken(project.log, db, { session, variables });
  const agent = await connectHttp(client, url, token);
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await agent.callTool({ name, arguments: args });
    return { isError: answer.isError ?? false, text: JSON.stringify(answer.content) };
  };
  return { ...http, call };
}

test.each(["sdk 1", "sdk 2 pinned"] as const)(
  "a token of one session starts and ends no other one, nor reports in it: %s",
  async (client) => {
    const { project, call, reports } = await given(client, 1);
    const head = await project.log.head();
    for (const [name, args, words] of [
      ["complete_ralph_session", { sessionId: "s-2", exit: "exited" }, "you have entered session s-1"],
      ["complete_ralph_session", { sessionId: "s-9", exit: "exited" }, "you have entered session s-1"],
      ["create_ralph_session", { taskId: 3 }, "you have entered session s-1"],
      ["create_ralph_session", { taskId: 2 }, "you have entered session s-1"],
      ["update_session_state", { sessionId: "s-2", state: "testing" }, "for your own session"],
      ["set_task_status", { id: 2, status: "pending" }, "Session s-2 works on task 2"],
      ["delete_task", { id: 2 }, "Session s-2 works on task 2"],
    ] as const)
      expect(await call(name, args), name).toEqual({ isError: true, text: expect.stringContaining(words) });
    expect(await project.log.head()).toBe(head);
    await call("partial", { summary: "Half.", remaining: "Half." });
    expect(await call("complete_ralph_session", { sessionId: "s-1", exit: "exited" })).toMatchObject({
      isError: false,
    });
    expect(await reports()).toEqual(["signal.partial s-1", "session.ended s-1"]);
  },
);

test("a token of one session reads all that its recipe shows", async () => {
  const { call } = await given("sdk 2 pinned", 1);
  expect(await call("get_task", { id: 2 })).toMatchObject({
    isError: false,
    text: expect.stringContaining("Import"),
  });
});

test("a token of a conversation works in the sessions that it started, and ends those alone, also repeatedly", async () => {
  const { project, call, reports } = await given("sdk 1", null);
  const end = (sessionId: string) => call("complete_ralph_session", { sessionId, exit: "exited" });
  expect(await end("s-1")).toEqual({ isError: true, text: expect.stringContaining("the conversation c-1") });
  expect(await reports()).toEqual([]);
  await call("create_ralph_session", { taskId: 3 });
  const session = (await project.queries.sessions({ task: 3 }))[0]?.id ?? "";
  await call("stuck", { reason: "No." });
  expect(await end("s-2")).toMatchObject({ isError: true });
  expect(await end(session)).toMatchObject({ isError: false });
  expect((await end(session)).text).toContain("has already ended");
  expect(await reports()).toEqual([
    `session.started ${session}`,
    `signal.stuck ${session}`,
    `session.ended ${session}`,
  ]);
});
