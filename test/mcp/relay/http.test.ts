import { Agent, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createTask } from "../../../src/operations/tasks.ts";
import { ENVELOPE } from "../eras/envelope.ts";
import { whole } from "../http/given.ts";
import { clientVia, givenRelay } from "./given-relay.ts";

/* The tools of a session over HTTP on its socket, as in a container. Catches: an answer that is lost when the session ends. */

const TASK = { title: "Export as CSV" };

/** Sends a request over a socket, and resolves with its answer. */
function send(
  socket: string,
  { body, headers }: { body: object; headers: Record<string, string> },
  { path = "/mcp", host = "127.0.0.1:7000", agent }: { path?: string; host?: string; agent?: Agent } = {},
): Promise<{ status: number | undefined; text: string }> {
  const all = {
    ...headers,
    host,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  return new Promise((resolve, reject) => {
    request({ socketPath: socket, path, method: "POST", headers: all, agent }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (part: string) => {
          text += part;
        })
        .on("end", () => resolve({ status: response.statusCode, text }))
        .on("error", reject);
    })
      .on("error", reject)
      .end(JSON.stringify(body));
  });
}

const done = (summary: string) => whole("tools/call", { name: "done", arguments: { summary } });

test("a session is served over HTTP and by `mcp --via` at the same time, as itself alone", async () => {
  const { socket, reports, reported } = await givenRelay([TASK, TASK]);
  const client = await clientVia(socket(1));
  const headers = { authorization: "Bearer sb_of-another-session" };
  const call = done("Over HTTP.");
  expect((await send(socket(1), { ...call, headers: { ...call.headers, ...headers } })).status).toBe(200);
  await client.callTool({ name: "done", arguments: { summary: "By the relay." } });
  expect(await reports()).toEqual(["signal.done s-1", "signal.done s-1"]);
  expect(reported).toEqual([]);
});

test("on its socket a session of the recipe `all` starts and ends no other one, over HTTP and by `mcp --via`", async () => {
  const { project, socket, reports } = await givenRelay([TASK, TASK], { recipe: "all" });
  await project.decide(createTask(TASK));
  const client = await clientVia(socket(1));
  for (const call of [
    { name: "complete_ralph_session", arguments: { sessionId: "s-2", exit: "exited" } },
    { name: "create_ralph_session", arguments: { taskId: 3 } },
  ]) {
    expect((await send(socket(1), whole("tools/call", call))).text).toContain("you have entered session s-1");
    expect(JSON.stringify(await client.callTool(call))).toContain("you have entered session s-1");
  }
  expect(await reports()).toEqual([]);
});

test.each([
  ["another path", { path: "/" }, 404],
  ["a name that somebody had point here", { host: "evil.example" }, 421],
])("%s is refused", async (_what, options, status) => {
  const { socket, reports } = await givenRelay([TASK]);
  expect((await send(socket(1), done("No."), options)).status).toBe(status);
  expect(await reports()).toEqual([]);
});

test("a call that is recorded before the session ends is answered, and then nothing is", async () => {
  const { socket, relay, reports, reported } = await givenRelay([TASK]);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const listening = send(
    socket(1),
    whole("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: ENVELOPE }),
    { agent },
  );
  const sent = Array.from({ length: 10 }, (_, nth) => send(socket(1), done(`Call ${nth}.`), { agent }));
  await Promise.race(sent);
  await relay(1).close();
  const answers = await Promise.allSettled(sent);
  const recorded = answers.filter((one) => one.status === "fulfilled" && one.value.status === 200);
  expect(await reports()).toEqual(recorded.map(() => "signal.done s-1"));
  expect(recorded.length).toBeGreaterThan(0);
  expect((await listening).text).toContain('"resultType":"complete"');
  await expect(send(socket(1), done("Late."))).rejects.toThrow("ENOENT");
  expect(reported).toEqual([]);
});
