// @module-tag slice
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { ENVELOPE } from "./eras/envelope.ts";

async function given() {
  const { project, db, folder } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const env = {
    RALPH_TASK_ID: "1",
    RALPH_SESSION_ID: "s-1",
    RALPH_DB_PATH: db,
    ...stateVariables(process.env),
  };
  return { project, env, folder };
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const HELLO = [
  request(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const done = (id: number) =>
  request(id, "tools/call", { name: "done", arguments: { summary: `Call ${id}.` } });
const lines = (messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("");

function serve(env: Record<string, string>) {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "mcp"], {
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  const exited = once(child, "exit");
  return { child, exited };
}

test("all calls before the end of input are answered, in order, and stdout carries only the protocol", async () => {
  const { project, env } = await given();
  const calls = Array.from({ length: 20 }, (_, index) => done(index + 2));
  const ran = await signalbox(["mcp"], { env, input: lines([...HELLO, ...calls]) });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const answers = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, ...calls.map(({ id }) => id)]);
  const summaries = (await project.log.read(0, 100)).flatMap((event) =>
    event.type === "signal.done" ? [event.payload.summary] : [],
  );
  expect(summaries).toEqual(calls.map(({ id }) => `Call ${id}.`));
});

test.each(["signals", "all"])(
  "a listing of the recipe %s before the end of input is answered",
  async (recipe) => {
    const { folder } = await given();
    const of = recipe === "all" ? [] : ["--task", "1"];
    const launched = await signalboxJson(["launch", recipe, ...of], { cwd: folder });
    const { env, tools } = z
      .object({ env: z.record(z.string(), z.string()), tools: z.array(z.string()) })
      .parse(launched);
    const ran = await signalbox(["mcp"], { env, input: lines([...HELLO, request(2, "tools/list")]) });
    const answer = JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "");
    const listed = answer.result.tools.map(({ name }: { name: string }) => name);
    expect(tools).toEqual(expect.arrayContaining(listed));
    expect(listed).toContain("done");
  },
);

test("starting, listing tools and disconnecting append nothing", async () => {
  const { project, env } = await given();
  const head = await project.log.head();
  const discover = request(0, "server/discover", { _meta: ENVELOPE });
  const ran = await signalbox(["mcp"], { env, input: lines([discover, ...HELLO, request(2, "tools/list")]) });
  expect(ran.exitCode).toBe(0);
  expect(JSON.parse(ran.stdout.split("\n")[0] ?? "")).toMatchObject({
    result: { supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18"] },
  });
  expect(await project.log.head()).toBe(head);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "the server ends on %s, and everything it acknowledged is in the log",
  async (signal) => {
    const { project, env } = await given();
    const { child, exited } = serve(env);
    child.stdin.write(lines([...HELLO, done(2)]));
    let output = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      output += chunk;
      if (output.includes('"id":2')) break;
    }
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect((await project.log.read(0, 100)).map(({ type }) => type)).toContain("signal.done");
  },
);

test("the server ends when no one reads its answers any more", async () => {
  const { env } = await given();
  const { child, exited } = serve(env);
  child.stdout.destroy();
  child.stdin.on("error", () => {});
  const writing = setInterval(() => child.stdin.write(lines([...HELLO, request(2, "tools/list")])), 20);
  const [code] = await exited;
  clearInterval(writing);
  expect(code).toBe(0);
});

test.each([
  ["RALPH_TASK_ID", "seven", "the id of the session's task"],
  ["RALPH_TASK_ID", undefined, "is not set"],
  ["RALPH_SESSION_ID", "two words", "without blanks"],
  ["RALPH_DB_PATH", undefined, "is not set"],
  ["RALPH_WORKSPACE", "src", "the absolute path of the project's folder"],
  ["RALPH_WORKSPACE", "/", "is outside of"],
  ["RALPH_WORKSPACE", "/no/such/folder", "Name an existing folder"],
])("a launch with %s %s stops with the reason", async (name, value, message) => {
  const { env } = await given();
  const { [name as keyof typeof env]: _, ...others } = env;
  const ran = await signalbox(["mcp"], { env: { ...others, ...(value !== undefined && { [name]: value }) } });
  expect(ran).toMatchObject({ ...fails(2, name), stdout: "" });
  expect(ran.stderr).toContain(message);
});

test("a launch on a folder without a project stops with the reason, and makes no file", async () => {
  const { env, folder } = await given();
  const ran = await signalbox(["mcp"], {
    env: { ...env, RALPH_DB_PATH: `${folder}/elsewhere/ralph.db` },
    input: lines([...HELLO, done(2)]),
  });
  expect(ran).toMatchObject({ ...fails(2, "there is no event log beside it"), stdout: "" });
  expect(existsSync(`${folder}/elsewhere`)).toBe(false);
});
