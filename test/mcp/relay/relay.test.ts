import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";
import { startProcess } from "../../children.ts";
import { fails, signalbox } from "../../support/cli.ts";
import { loadedScripts } from "../../support/loaded-scripts.ts";
import { callTool } from "../../support/mcp.ts";
import { freshFolder } from "../../support/project.ts";
import { CALLS } from "../eras/call-lines.ts";
import { clientVia, givenRelay, rawConnection } from "./given-relay.ts";

/* Catches: an agent that acts as another session; one that stops its driver or other sessions; a client left without a reason. */

const TASK = { title: "Export as CSV" };
const HELLO = [
  {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const done = (id: number) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name: "done", arguments: { summary: `Call ${id}.` } },
});
const lines = (messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("");

test("all calls before the end of input are answered, in order, and the client's process ends with it", async () => {
  const { socket, reports } = await givenRelay([TASK]);
  const calls = Array.from({ length: 20 }, (_, index) => done(index + 2));
  const ran = await signalbox(["mcp", "--via", socket(1)], { input: lines([...HELLO, ...calls]) });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const answers = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
  expect(answers).toEqual([1, ...calls.map(({ id }) => id)]);
  expect(await reports()).toEqual(Array(20).fill("signal.done s-1"));
});

test("a connection acts as the session of its socket, whatever its environment, arguments and calls say", async () => {
  const { socket, reports, db, folder } = await givenRelay([TASK, TASK]);
  const context = join(folder, "context.json");
  writeFileSync(context, JSON.stringify({ session_id: "s-2", recipe: "all", task_id: 2 }));
  const agent = await clientVia(socket(1), {
    ...{ RALPH_TASK_ID: "2", RALPH_SESSION_ID: "s-2", RALPH_DB_PATH: db, RALPH_CONTEXT: context },
  });
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("create_task");
  const foreign = { sessionId: "s-2", state: "implementing" };
  expect(await callTool(agent, "update_session_state", foreign)).toMatchObject({ isError: true });
  await callTool(agent, "learned", { text: "It is mine.", kind: "discovery", session: "s-2", task: 2 });
  await callTool(agent, "done", { summary: "Mine." });
  expect(await reports()).toEqual(["signal.done s-1"]);
  const ran = await signalbox(["mcp", "--via", socket(1), "--db", db]);
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--via takes no other option") });
});

test("clients one after another and two at once are served, and a call that is sent again is recorded once", async () => {
  const { socket, reports } = await givenRelay([TASK]);
  const one = await clientVia(socket(1));
  const other = await clientVia(socket(1));
  const learned = { text: "Dates are UTC.", kind: "discovery" };
  const first = await callTool(one, "learned", learned, "toolu_1");
  await one.close();
  const third = await clientVia(socket(1));
  for (const agent of [other, third]) {
    expect(await callTool(agent, "learned", learned, "toolu_1")).toEqual(first);
  }
  expect(await reports()).toEqual(["signal.learned s-1"]);
});

test("a session has a limit of connections; one more is told so, and is served once another has gone", async () => {
  const { socket } = await givenRelay([TASK]);
  const greeting = () => {
    const connection = rawConnection(socket(1));
    connection.write("signalbox-relay 1\n");
    return connection;
  };
  const silent = Array.from({ length: 16 }, greeting);
  await Promise.all(silent.map((connection) => once(connection, "data")));
  expect(await text(greeting())).toContain("refused: it has 16 connections already");
  silent[0]?.destroy();
  await vi.waitUntil(async () => (await signalbox(["mcp", "--via", socket(1)])).exitCode === 0, 20_000);
});

test("a flood of connections beyond the limit is closed unanswered", async () => {
  const { socket } = await givenRelay([TASK]);
  const flood = Array.from({ length: 136 }, () => rawConnection(socket(1)));
  // The others may still say what they are.
  const dropped = flood.slice(128).map((connection) => once(connection.resume(), "close"));
  await Promise.all(dropped);
  expect(flood.slice(128).map(({ bytesRead }) => bytesRead)).toEqual(Array(8).fill(0));
});

test("a session's end does not wait for a client's queued calls longer than its patience", async () => {
  const { socket, relay, reports } = await givenRelay([TASK]);
  const connection = rawConnection(socket(1));
  const calls = Array.from({ length: 300 }, (_, index) => done(index + 2));
  connection.end(`signalbox-relay 1\n${lines([...HELLO, ...calls])}`);
  const answers = createInterface(connection)[Symbol.asyncIterator]();
  for (let answered = 0; answered < 3; answered++) await answers.next();
  await relay(1).close(0);
  const recorded = await reports();
  expect(recorded.length).toBeGreaterThan(0);
  expect(recorded.length).toBeLessThan(calls.length);
  expect(connection.destroyed || (await once(connection, "close"))).toBeTruthy();
  expect(await reports()).toEqual(recorded);
});

test("at its session's end a client is left with the reason, and nobody can connect any more", async () => {
  const { socket, relay, reports } = await givenRelay([TASK]);
  const client = startProcess(process.execPath, [packagePath("bin/signalbox.js"), "mcp", "--via", socket(1)]);
  for (const message of [...HELLO, done(2)]) client.tell(JSON.stringify(message));
  await client.says();
  await client.says();
  await relay(1).close();
  await expect(client.finish()).rejects.toThrow("The driver ended the connection");
  expect(client.process.exitCode).toBe(1);
  expect(await reports()).toEqual(["signal.done s-1"]);
  expect(existsSync(socket(1))).toBe(false);
  const late = await signalbox(["mcp", "--via", socket(1)], { input: lines([...HELLO, done(2)]) });
  expect(late).toMatchObject({ ...fails(2, "its session has ended"), stdout: "" });
});

test.each(["2025-06-18", "2026-07-28"] as const)(
  "a client that closes stdin right after `done`, in MCP %s, or goes, stops no gate of it",
  async (version) => {
    const { socket, project } = await givenRelay([
      { ...TASK, gates: [{ command: "sleep 1", max: 3, timeout_s: 60 }] },
    ]);
    const attempts = async () =>
      (await project.log.read(0, 100)).flatMap((event) =>
        event.type === "gate.attempted" ? [event.payload] : [],
      );
    const begun = async () => (await project.log.read(0, 100)).filter(({ type }) => type === "gate.started");
    const input = CALLS[version]("done", { summary: "All." });
    const ran = await signalbox(["mcp", "--via", socket(1)], { input });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      result: { structuredContent: { verified: true } },
    });
    expect(await attempts()).toMatchObject([{ exit_code: 0, interrupted: false }]);
    const gone = rawConnection(socket(1));
    gone.write(`signalbox-relay 1\n${CALLS[version]("verify", { gate: 1 })}`);
    await vi.waitUntil(async () => (await begun()).length === 2, 30_000);
    gone.destroy();
    await vi.waitUntil(async () => (await attempts()).length === 2, 30_000);
    expect(await attempts()).toMatchObject(Array(2).fill({ exit_code: 0, interrupted: false }));
  },
);

test("a gate that runs at its session's end is stopped, and recorded as interrupted", async () => {
  const { socket, relay, project, folder } = await givenRelay([
    { ...TASK, gates: [{ command: "touch begun; sleep 100", max: 3, timeout_s: 200 }] },
  ]);
  const agent = await clientVia(socket(1));
  void callTool(agent, "done", { summary: "All." }).catch(() => {});
  await vi.waitUntil(() => existsSync(join(folder, "begun")), 30_000);
  await relay(1).close();
  const attempts = (await project.log.read(0, 100)).flatMap((event) =>
    event.type === "gate.attempted" ? [event.payload.interrupted] : [],
  );
  expect(attempts).toEqual([true]);
});

test.each([
  ["is not there", () => "/no/such/socket", "There is no socket /no/such/socket"],
  ["is a file", () => "/etc/passwd", "/etc/passwd is not a socket"],
  ["is too long", () => `/tmp/${"x".repeat(110)}`, "has 115 bytes, and a socket's path can have 107"],
])("a socket that %s is told, and what would be right", async (_what, path, message) => {
  const ran = await signalbox(["mcp", "--via", path()], { input: lines(HELLO) });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
});

test("nothing that the client says goes to the socket of another program", async () => {
  const path = join(freshFolder(), "other.sock");
  const got = new Promise<string>((resolve) => {
    const other = createServer((connection) => {
      connection.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      resolve(text(connection));
    }).listen(path);
    onTestFinished(() => void other.close());
  });
  const ran = await signalbox(["mcp", "--via", path], { input: lines([...HELLO, done(2)]) });
  expect(ran).toMatchObject({ ...fails(2, "does not answer as a relay"), stdout: "" });
  expect(await got).toBe("signalbox-relay 1\n");
});

test("garbage, endless lines, and a client that never reads harm neither the driver nor other sessions", async () => {
  const { socket, relay, reported } = await givenRelay([TASK, TASK]);
  const strangers = ["GET / HTTP/2\r\n\r\n", "\0\0\0\n", "x".repeat(100_000)].map(async (said) => {
    const connection = rawConnection(socket(1));
    connection.write(said);
    return text(connection);
  });
  for (const answer of await Promise.all(strangers)) expect(answer).toContain("refused: expected");

  const garbage = rawConnection(socket(1));
  garbage.write("signalbox-relay 1\n{}\nnot json\n");
  const endless = rawConnection(socket(1));
  endless.write("signalbox-relay 1\n");
  const piece = Buffer.alloc(1024 * 1024, "x");
  for (let sent = 0; sent < 64; sent++) if (!endless.write(piece)) await once(endless, "drain");
  endless.write("\n");
  const answers = createInterface(endless)[Symbol.asyncIterator]();
  expect((await answers.next()).value).toBe("signalbox-relay 1");
  expect((await answers.next()).value).toContain("A line is longer than");
  const flood = rawConnection(socket(1));
  flood.pause();
  const list = { jsonrpc: "2.0", method: "tools/list" };
  const many = lines([
    ...HELLO,
    ...Array.from({ length: 5_000 }, (_, index) => ({ ...list, id: index + 2 })),
  ]);
  flood.write(`signalbox-relay 1\n${many}`);

  const agent = await clientVia(socket(2));
  expect(await callTool(agent, "done", { summary: "All." })).toMatchObject({ isError: false });
  expect(process.memoryUsage().external).toBeLessThan(300 * 1024 * 1024);
  await relay(1).close();
  expect(await callTool(agent, "done", { summary: "Still." })).toMatchObject({ isError: false });
  expect(reported).toEqual([]);
});

test("the client's process loads nothing of the server", async () => {
  const { socket } = await givenRelay([TASK]);
  const input = lines([...HELLO, done(2)]);
  const via = await loadedScripts(["mcp", "--via", socket(1)], { input });
  const names = via.map(({ name }) => name);
  expect(names).toContain("mcp_relay_pipe");
  const ofServer =
    /^(node_modules|events|decisions|projections|project|operations|cli_program|mcp_(server|tools))_?/;
  expect(names.filter((name) => ofServer.test(name))).toEqual([]);
});
