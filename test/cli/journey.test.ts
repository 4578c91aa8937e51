// @module-tag slice
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

/** What an agent does in a session, by a server process that is launched as `session start` says. */
async function agentCalls(
  env: Record<string, string>,
  ...calls: readonly (readonly [tool: string, args: object])[]
): Promise<void> {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const messages = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: hello },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...calls.map(([name, args], index) => ({
      jsonrpc: "2.0",
      id: index + 1,
      method: "tools/call",
      params: { name, arguments: args },
    })),
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const ran = await signalbox(["mcp"], { env, input });
  expect(ran.stdout).not.toContain('"isError":true');
}

interface Started {
  readonly session: string;
  readonly env: Record<string, string>;
}

async function start(cwd: string, task: number): Promise<Started> {
  // The shape that docs/cli.md documents.
  return (await signalboxJson(["session", "start", String(task)], { cwd })) as Started;
}

test("a driver can work with commands only, from an empty folder to a correct board", async () => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  expect(
    await signalboxJson(["task", "add", "Export as CSV", "--description", "Semicolons."], { cwd }),
  ).toMatchObject({
    id: 1,
    title: "Export as CSV",
    status: "pending",
    stuck_count: 0,
    feature: "general",
    discipline: "general",
    ready: true,
  });
  await signalbox(["task", "add", "Send it by mail", "--depends-on", "1", "--priority", "critical"], { cwd });
  expect(await signalboxJson(["next"], { cwd })).toMatchObject({ id: 1 });

  const first = await start(cwd, 1);
  expect(first).toEqual({
    session: expect.any(String),
    task: 1,
    env: {
      RALPH_TASK_ID: "1",
      RALPH_SESSION_ID: first.session,
      RALPH_DB_PATH: join(cwd, ".ralph", "db", "ralph.db"),
    },
  });
  expect(await signalboxJson(["next"], { cwd })).toBeNull();
  await agentCalls(
    first.env,
    ["ask", { question: "Semicolons or tabs?", blocking: true, options: ["semicolons", "tabs"] }],
    ["suggest", { what: "Import from CSV", kind: "new_task", why: "People will ask." }],
    ["partial", { summary: "The writer.", remaining: "The separator." }],
  );
  expect(await signalboxJson(["session", "end", first.session, "--exit", "exited"], { cwd })).toEqual({
    session: first.session,
    task: 1,
    closing: "partial",
    inferred: false,
    outcome: "partial",
    states: ["idle", "done"],
    irregular: 0,
    signals: 3,
    late: 0,
    status: "needs_input",
  });

  const { inbox } = (await signalboxJson(["inbox", "list"], { cwd })) as {
    inbox: { id: number; kind: string }[];
  };
  expect(inbox.map(({ kind }) => kind)).toEqual(["question", "proposal"]);
  const [question, proposal] = inbox.map(({ id }) => String(id));
  await signalboxJson(["inbox", "answer", question ?? "", "Semicolons."], { cwd });
  expect(await signalboxJson(["inbox", "approve", proposal ?? ""], { cwd })).toMatchObject({
    task: { id: 3, status: "pending", origin: "agent" },
  });
  expect(await signalboxJson(["inbox", "undo", question ?? ""], { cwd })).toMatchObject({
    task: { id: 1, status: "needs_input" },
  });
  await signalboxJson(["inbox", "answer", question ?? "", "Tabs."], { cwd });

  const second = await start(cwd, 1);
  await agentCalls(second.env, ["done", { summary: "With tabs." }]);
  expect(await signalboxJson(["session", "end", second.session, "--exit", "exited"], { cwd })).toMatchObject({
    outcome: "success",
    status: "done",
  });
  expect(await signalboxJson(["next"], { cwd })).toMatchObject({ id: 2, priority: "critical" });
  expect((await signalbox(["status"], { cwd })).stdout).toContain("1 done");
});

test("the output of --json is identical, byte for byte, after the read model was deleted", async () => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  await signalbox(["task", "add", "A", "--verify", "npm test"], { cwd });
  await signalbox(["task", "add", "B", "--depends-on", "1"], { cwd });
  const { session, env } = await start(cwd, 1);
  await agentCalls(env, ["ask", { question: "Why?", blocking: true }], ["stuck", { reason: "No idea." }]);
  await signalbox(["session", "end", session, "--exit", "crashed"], { cwd });
  await signalbox(["comment", "1", "Because."], { cwd });
  const commands = [
    ["status"],
    ["task", "list"],
    ["task", "show", "1"],
    ["next"],
    ["session", "list"],
    ["inbox", "list", "--all"],
    ["log", "list"],
    ["feature", "list"],
    ["discipline", "list"],
    ["policy", "list"],
    ["comment", "list", "1"],
    ["learning", "list"],
    ["learning", "show"],
    ["progress", "show"],
    ["project", "show"],
    ["gate", "list", "1"],
    ["gate", "runs", "1"],
    ["session", "show", session],
  ];
  const look = () => Promise.all(commands.map((command) => signalbox([...command, "--json"], { cwd })));
  const before = await look();
  for (const end of ["", "-wal", "-shm"])
    rmSync(join(cwd, ".ralph", "db", `ralph.db${end}`), { force: true });
  expect(await look()).toEqual(before);
  for (const ran of before)
    expect(ran).toEqual({ stdout: expect.stringMatching(/./), stderr: "", exitCode: 0 });
});

test("a command that is sent again under its key is not done again", async () => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const add = ["task", "add", "Only once", "--key", "k-1"];
  const first = await signalboxJson(add, { cwd });
  expect(await signalboxJson(add, { cwd })).toEqual(first);
  expect(await signalboxJson(["task", "list"], { cwd })).toMatchObject({ tasks: [{ id: 1 }] });
  const start = ["session", "start", "1", "--key", "k-2"];
  expect(await signalboxJson(start, { cwd })).toEqual(await signalboxJson(start, { cwd }));
  await signalbox(["task", "set", "1", "--priority", "high", "--key", "k-3"], { cwd });
  for (const others of [
    ["task", "add", "Something else", "--key", "k-1"],
    ["task", "add", "Only once", "--priority", "low", "--key", "k-1"],
    ["task", "set", "1", "--title", "Renamed", "--key", "k-3"],
    ["session", "start", "1", "--force", "--key", "k-2"],
  ]) {
    const other = await signalbox(others, { cwd });
    expect(other.exitCode, others.join(" ")).toBe(2);
    expect(other.stderr).toContain("used for another decision");
  }
});

test("log --follow shows what other processes append, until it is interrupted", async () => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const { spawn } = await import("node:child_process");
  const { packagePath } = await import("../../src/lib/package-root.ts");
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "log", "--follow", "--json"], {
    cwd,
  });
  const seen: string[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      rest += chunk;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) seen.push(JSON.parse(line).type);
      if (seen.includes("task.created")) child.kill("SIGINT");
    }
  })();
  await signalbox(["task", "add", "A"], { cwd });
  await reading;
  expect(seen).toEqual(["feature.created", "discipline.created", "task.created"]);
});
