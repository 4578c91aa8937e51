import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { logPathBeside } from "../../src/events/log-location.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { writeWhole } from "../../src/lib/write-whole.ts";
import type { Context } from "../../src/mcp/context.ts";
import { type Launched, launchFilesOf, writeLaunchFiles } from "../../src/mcp/launching/launch-files.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { givenDiscipline } from "./launching/given.ts";

/*
 * Real server processes, whose context.json changes. Catches: a tool that can be called after it was taken away, a server
 * that goes on with a context that nobody can read, one that outlives its client because it watches.
 */
const CONTEXT: Context = {
  session_id: "s-1",
  recipe: "signals",
  discipline: null,
  feature: null,
  task_id: 1,
  disabled_tools: [],
};
const WITHOUT_ASK: Context = { ...CONTEXT, disabled_tools: ["ask"] };

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly tools?: readonly { readonly name: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A project with a task, and a server of its session with a client that has initialized. */
async function given(context: Context = CONTEXT) {
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const launched = writeLaunchFiles(db, { context, servers: {} });
  const server = new Served(launched);
  await server.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  server.send({ method: "notifications/initialized" });
  return {
    project,
    db,
    server,
    folder: launchFilesOf(db, "s-1").folder,
    change: (next: Context) => writeLaunchFiles(db, { context: next, servers: {} }),
    writeBad: (text: string) => writeWhole(launched.contextFile, text),
    signals: async () =>
      (await project.log.read(0, 1_000)).filter(({ type }) => type.startsWith("signal.")).length,
  };
}

/** A server process, and what it has said so far. */
class Served {
  readonly process: ChildProcess;
  /** Everything on stdout, in its order. */
  readonly heard: Answer[] = [];
  stderr = "";
  readonly #ended: Promise<unknown[]>;
  readonly #waiting = new Set<() => void>();
  #ids = 0;

  constructor({ env }: Launched) {
    const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "mcp"], {
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    this.process = child;
    this.#ended = once(child, "close");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await this.#ended;
    });
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    createInterface(child.stdout).on("line", (line) => {
      this.heard.push(JSON.parse(line));
      for (const look of this.#waiting) look();
    });
  }

  send(message: object): void {
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request without waiting for its answer. @returns its id */
  request(method: string, params: object = {}): number {
    this.#ids += 1;
    this.send({ id: this.#ids, method, params });
    return this.#ids;
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    const id = this.request(method, params);
    return this.hears((answer) => answer.id === id);
  }

  call(name: string, args: object): Promise<Answer> {
    return this.ask("tools/call", { name, arguments: args });
  }

  async tools(): Promise<string[]> {
    return (await this.ask("tools/list")).result?.tools?.map(({ name }) => name) ?? [];
  }

  /** The first answer or notification of that kind, as soon as it is there. */
  hears(wanted: (answer: Answer) => boolean): Promise<Answer> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.heard.find(wanted);
        if (!found) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  async ended(): Promise<unknown> {
    return (await this.#ended)[0];
  }
}

const isChange = ({ method }: Answer) => method === "notifications/tools/list_changed";
const QUESTION = { question: "Semicolons?", blocking: false };

test("an idle client is notified of a changed context, and then has its tools", async () => {
  const { server, change, signals } = await given();
  expect(await server.tools()).toContain("ask");
  change(WITHOUT_ASK);
  await server.hears(isChange);
  expect(await server.tools()).not.toContain("ask");
  expect(await server.call("ask", QUESTION)).toMatchObject({ error: { code: -32602 } });
  expect((await server.call("done", { summary: "All." })).result).not.toHaveProperty("isError");
  expect(await signals()).toBe(1);
});

test("from the change on, a removed tool cannot be called, even before the client is notified", async () => {
  const { server, change, signals } = await given();
  expect(await server.tools()).toContain("ask");
  for (const round of [1, 2, 3, 4, 5]) {
    change(WITHOUT_ASK);
    expect(await server.call("ask", QUESTION)).toMatchObject({ error: { code: -32602 } });
    // The client is told before it is answered.
    expect(server.heard.filter(isChange).length).toBe(2 * round - 1);
    change(CONTEXT);
    expect(await server.call("ask", QUESTION)).not.toHaveProperty("error");
    expect(await signals()).toBe(round);
  }
});

test("a file that is written again and says the same is no change", async () => {
  const { server, change } = await given();
  change(CONTEXT);
  await server.tools();
  change(WITHOUT_ASK);
  await server.hears(isChange);
  expect(server.heard.filter(isChange)).toHaveLength(1);
});

test("a discipline that the context names from now on takes its tools away", async () => {
  const { project, server, change } = await given();
  await givenDiscipline(project, "docs", { disabled_tools: ["suggest"] });
  change({ ...CONTEXT, discipline: "docs" });
  await server.hears(isChange);
  expect(await server.tools()).not.toContain("suggest");
});

test("where the system's notices are lost, because the folder is another one, the change is seen all the same", async () => {
  const { server, folder, change } = await given();
  change(WITHOUT_ASK);
  // It watches from now on, at the latest.
  await server.hears(isChange);
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  change({ ...WITHOUT_ASK, disabled_tools: ["flag"] });
  await server.hears((answer) => isChange(answer) && server.heard.filter(isChange).length === 2);
  expect(await server.tools()).not.toContain("flag");
});

const bad = (change: object) => JSON.stringify({ ...CONTEXT, ...change });

test.each([
  ["is no JSON", '{"session_id": ', "cannot be read"],
  ["has a field that no context has", bad({ receipt: "all" }), "`receipt` is not a field of it"],
  ["has an unknown tool", bad({ disabled_tools: ["asks"] }), "did you mean ask"],
  ["has another recipe's name", bad({ recipe: "signal" }), '`recipe` is "signal", legal values are signals'],
  [
    "is of another session",
    bad({ session_id: "s-2" }),
    '`session_id` "s-2", but this server was launched for "s-1"',
  ],
  ["is of another task", bad({ task_id: 2 }), "`task_id` 2, but this server was launched for 1"],
  ["has lost its task", bad({ task_id: null }), "needs a task"],
  [
    "names a discipline that is not there",
    bad({ discipline: "x" }),
    'names the discipline "x", which does not exist',
  ],
])("a changed context that %s stops the server with the reason", async (_what, text, reason) => {
  const { server, writeBad } = await given();
  writeBad(text);
  expect(await server.ended()).toBe(2);
  expect(server.stderr).toMatch(/^signalbox mcp: /);
  expect(server.stderr).toContain(reason);
  expect(server.heard.filter(isChange)).toEqual([]);
});

test("a removed context stops the server with the reason", async () => {
  const { server, folder } = await given();
  rmSync(folder, { recursive: true });
  expect(await server.ended()).toBe(2);
  expect(server.stderr).toContain("ENOENT");
});

test("a call in progress when the context becomes invalid is answered and recorded before the server stops", async () => {
  const { server, db, writeBad, signals } = await given();
  await server.call("flag", { what: "Slow.", severity: "info", category: "performance" });
  const other = new Database(logPathBeside(db));
  onTestFinished(() => void other.close());
  // Another process has the log's lock: an append waits for it.
  other.exec("BEGIN IMMEDIATE");
  const call = server.request("tools/call", { name: "done", arguments: { summary: "All." } });
  // What came before the listing is begun by now.
  await server.tools();
  writeBad("{}");
  expect((await server.ask("tools/list")).error?.message).toContain("cannot be used");
  other.exec("ROLLBACK");
  expect(await server.ended()).toBe(2);
  const answer = await server.hears(({ id }) => id === call);
  expect(answer).toHaveProperty("result.structuredContent.recorded", "done on task 1 in session s-1");
  expect(await signals()).toBe(2);
});

test("calls after a context became invalid are answered with the reason, and nothing is recorded", async () => {
  const { server, writeBad, signals } = await given();
  await server.tools();
  writeBad("{}");
  const answer = await server.call("done", { summary: "Too late." });
  expect(answer.error?.message).toContain("`session_id` is missing");
  expect(await server.ended()).toBe(2);
  expect(await signals()).toBe(0);
});

test("no server starts with an invalid context, and none continues without its discipline", async () => {
  const { server, db } = await given({ ...CONTEXT, discipline: "x" });
  const listed = await server.ask("tools/list");
  expect(listed.error?.message).toContain('names the discipline "x"');
  expect(await server.ended()).toBe(2);
  expect(server.stderr).toContain('names the discipline "x", which does not exist');

  const launched = writeLaunchFiles(db, { context: CONTEXT, servers: {} });
  writeWhole(launched.contextFile, bad({ recipe: "signal" }));
  const never = new Served(launched);
  expect(await never.ended()).toBe(2);
  expect(never.stderr).toContain('`recipe` is "signal", legal values are signals');
  expect(never.heard).toEqual([]);
});

test("a server that watches its context ends with its client", async () => {
  const { server, change } = await given();
  change(WITHOUT_ASK);
  await server.hears(isChange);
  server.process.stdin?.end();
  expect(await server.ended()).toBe(0);
});
