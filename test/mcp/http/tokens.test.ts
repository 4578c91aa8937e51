import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../../src/api/project.ts";
import { projectState } from "../../../src/config/project-state.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { anotherFolder, freshProject } from "../../support/project.ts";
import { connectHttp, givenHttp, messageOf, post, tokenFor, whole } from "./given.ts";

/* Who may do what over HTTP. Catches: a token that opens more than its session, one that outlives it, a guess that costs others time. */

const TASK = { title: "Export as CSV" };
const LIST = whole("tools/list");
const DONE = whole("tools/call", { name: "done", arguments: { summary: "It exports." } });

test("without a token of the session nothing is answered, and the reason is told", async () => {
  const given = await givenHttp(TASK);
  const other = await freshProject(await anotherFolder());
  await other.project.decide(createTask(TASK));
  await other.project.decide(startSession({ task: 1, session: "s-1" }));
  const [token = ""] = given.tokens;
  for (const [authorization, reason] of [
    ["", "has no token of signalbox"],
    ["Bearer let-me-in", "has no token of signalbox"],
    [`Basic ${token}`, "has no token of signalbox"],
    [`Bearer ${await tokenFor(other.project, other.db, 1)}`, "belongs to another project"],
    [`Bearer ${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, "Nothing is known of this token"],
    [
      `Bearer ${token.slice(0, 12)}../../../../../../../../../../../../../../etc/passwd`,
      "has no token of signalbox",
    ],
  ]) {
    for (const { body, headers } of [LIST, DONE, { body: "no JSON at all", headers: {} }]) {
      const response = await post(given, body, {
        headers: { ...headers, authorization: authorization ?? "" },
      });
      expect(response.status, authorization).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect((await messageOf(response)).error?.message).toContain(reason);
    }
  }
  expect(await given.reports()).toEqual([]);
});

test("a token ends with its session: its calls are answered, its streams end, and later requests are told why", async () => {
  const given = await givenHttp(TASK, TASK);
  const client = await connectHttp("sdk 1", given.url, given.tokens[0] ?? "");
  await client.listTools();
  const { body, headers } = whole("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const stream = await post(given, body, { headers });
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  await given.project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await stream.text()).toMatch(/acknowledged.*"result":\{"resultType":"complete"/s);
  const late = await post(given, DONE.body, { headers: DONE.headers });
  expect(late.status).toBe(401);
  expect((await messageOf(late)).error?.message).toContain("Session s-1 has ended (exited)");
  const other = { ...given, tokens: given.tokens.slice(1) };
  expect((await post(other, DONE.body, { headers: DONE.headers })).status).toBe(200);
  expect(await given.reports()).toEqual(["signal.done s-2"]);
});

test("only the hash of a token is kept, for its owner alone, and whoever removes it ends the token", async () => {
  const given = await givenHttp(TASK);
  const folder = join(projectState(readModelPathIn(given.folder)).folder, "tokens");
  const [file = ""] = readdirSync(folder);
  const [token = ""] = given.tokens;
  expect(file).toMatch(/^[0-9a-f]{64}\.json$/);
  expect(`${file}${readFileSync(join(folder, file), "utf8")}`).not.toContain(token.slice(12));
  expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  expect((await post(given, LIST.body, { headers: LIST.headers })).status).toBe(200);
  rmSync(join(folder, file));
  expect((await post(given, LIST.body, { headers: LIST.headers })).status).toBe(401);
});

test("a token that is removed while it is used ends its streams with its next request", async () => {
  const given = await givenHttp(TASK);
  const folder = join(projectState(readModelPathIn(given.folder)).folder, "tokens");
  const { body, headers } = whole("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const stream = await post(given, body, { headers });
  rmSync(join(folder, readdirSync(folder)[0] ?? ""));
  expect((await post(given, LIST.body, { headers: LIST.headers })).status).toBe(401);
  expect(await stream.text()).toContain('"resultType":"complete"');
});

test("a client of one session cannot go on in that of another by its name", async () => {
  const given = await givenHttp(TASK, TASK);
  const begin = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  const name = (await post(given, begin)).headers.get("mcp-session-id") ?? "";
  const stolen = await post(
    { ...given, tokens: given.tokens.slice(1) },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { headers: { "mcp-session-id": name } },
  );
  expect(stolen.status).toBe(404);
  expect((await messageOf(stolen)).error?.message).toContain("of this token");
});

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

test("while a thousand tokens are tried, the one that is right gets its answers, in turn with the others", async () => {
  const given = await givenHttp(TASK);
  const [token = ""] = given.tokens;
  let tried = 0;
  const guess = async () => {
    while (tried < 1_000) {
      tried += 1;
      const headers = {
        ...LIST.headers,
        authorization: `Bearer ${token.slice(0, 12)}${String(tried).padStart(43, "x")}`,
      };
      expect((await post(given, LIST.body, { headers })).status).toBe(401);
    }
  };
  let answered = 0;
  const work = async () => {
    while (tried < 1_000) {
      expect((await post(given, LIST.body, { headers: LIST.headers })).status).toBe(200);
      answered += 1;
    }
  };
  await Promise.all([guess(), guess(), guess(), guess(), work()]);
  // Each connection is served in turn: the guesses do not come first.
  expect(answered).toBeGreaterThan(50);
});

test("a session may have several tokens, and each reports in it", async () => {
  const given = await givenHttp(TASK);
  const tokens = [await tokenFor(given.project, given.db, 1)];
  expect((await post({ ...given, tokens }, DONE.body, { headers: DONE.headers })).status).toBe(200);
  expect(await given.reports()).toEqual(["signal.done s-1"]);
});
