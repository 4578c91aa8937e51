import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readContext } from "../../src/mcp/context.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { givenDiscipline, SHADCN } from "../mcp/launching/given.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a session that is started although nothing can be launched, files of another session, tools nobody meant. */
interface Launched {
  readonly session: string;
  readonly tools: readonly string[];
  readonly servers: readonly string[];
  readonly context_file: string;
  readonly mcp_config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** A project with a task of the discipline `frontend`, which has a server and does without `suggest`. */
async function given() {
  const { project, folder, db } = await freshProject();
  await givenDiscipline(project, "frontend", {
    disabled_tools: ["suggest"],
    mcp_servers: { shadcn: SHADCN },
  });
  await project.decide(createTask({ title: "Export as CSV", discipline: "frontend" }));
  return {
    project,
    folder,
    db,
    // The shape that docs/cli.md documents.
    launch: async (...args: readonly string[]) =>
      (await signalboxJson(["launch", ...args], { cwd: folder })) as Launched,
    runs: () => (existsSync(join(folder, ".ralph", "run")) ? readdirSync(join(folder, ".ralph", "run")) : []),
  };
}

test("a recipe for one task starts a session and writes the session's files", async () => {
  const { project, folder, db, launch } = await given();
  const launched = await launch("signals", "--task", "1", "--disable-tools", "ask, flag", "--driver", "d-1");
  const { session, context_file, mcp_config } = launched;
  const path = join(folder, ".ralph", "run", session);
  expect(launched).toEqual({
    session: expect.stringMatching(/^s-/),
    started: true,
    task: 1,
    recipe: "signals",
    discipline: "frontend",
    feature: "general",
    tools: ["done", "partial", "stuck", "learned", "blocked", "verify", "update_session_state"],
    servers: ["ralph", "shadcn"],
    context_file: join(path, "context.json"),
    mcp_config: join(path, "mcp.json"),
    env: {
      RALPH_TASK_ID: "1",
      RALPH_SESSION_ID: session,
      RALPH_DB_PATH: db,
      RALPH_WORKSPACE: realpathSync(folder),
      RALPH_CONTEXT: context_file,
      // The command had it, too: what a human has confirmed is looked up in the same place.
      SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
    },
    args: ["--mcp-config", mcp_config, "--strict-mcp-config", "--allowedTools", "mcp__ralph,mcp__shadcn"],
  });
  expect(await project.queries.sessions({ open: true })).toMatchObject([
    { id: session, task_id: 1, driver: "d-1" },
  ]);
  const context = readContext(context_file);
  expect(context).toMatchObject({ session_id: session, task_id: 1, discipline: "frontend" });
  expect(context.disabled_tools).toEqual(expect.arrayContaining(["ask", "flag", "suggest", "get_task"]));
});

test("beside a session whose task makes the same files none is launched; the refusal names that task and the path", async () => {
  const { project, folder, runs, launch } = await given();
  for (const output_artifacts of [["src/*.ts"], ["src/a.ts"]])
    await project.decide(createTask({ title: "Export", discipline: "frontend", output_artifacts }));
  await launch("signals", "--task", "2");
  const before = runs();
  const ran = await signalbox(["launch", "signals", "--task", "3"], { cwd: folder });
  expect(ran).toMatchObject(fails(1, "Task 3 makes the same files as task 2 (src/*.ts), whose session s-"));
  expect(runs()).toEqual(before);
  await launch("signals", "--task", "3", "--force");
});

test("a server started from the written files lists the printed tools", async () => {
  const { launch } = await given();
  const { mcp_config, tools } = await launch("signals", "--task", "1");
  const { command, args, env } = JSON.parse(readFileSync(mcp_config, "utf8")).mcpServers.ralph;
  expect(command).toBe(process.execPath);
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const input = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ran = await signalbox(args.slice(1), { env, input: input.join("") });
  const listed = JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "").result.tools;
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(tools);
  expect(tools).not.toContain("suggest");
});

test("an open session is launched again under its name, and its task follows", async () => {
  const { project, launch } = await given();
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const head = await project.log.head();
  const { context_file } = await launch("task_execution", "--session", "s-1");
  expect(readContext(context_file)).toMatchObject({
    session_id: "s-1",
    task_id: 1,
    recipe: "task_execution",
  });
  expect(await launch("signals", "--session", "s-1", "--task", "1")).toMatchObject({ context_file });
  expect(readContext(context_file).recipe).toBe("signals");
  expect(await project.log.head()).toBe(head);
});

test("other recipes need neither a task nor a session in the log, and get no permission options", async () => {
  const { project, launch } = await given();
  const head = await project.log.head();
  const all = await launch("all");
  expect(all).toMatchObject({
    session: expect.stringMatching(/^c-/),
    started: false,
    task: null,
    discipline: null,
  });
  expect(all.tools).toEqual(toolNames);
  expect(Object.keys(all.env)).toEqual([
    "RALPH_SESSION_ID",
    "RALPH_DB_PATH",
    "RALPH_WORKSPACE",
    "RALPH_CONTEXT",
    "SIGNALBOX_STATE",
  ]);
  expect(all.args).toEqual(["--mcp-config", all.mcp_config, "--strict-mcp-config"]);
  const named = await launch("yap", "--session", "planning", "--task", "1", "--discipline", "general");
  expect(named).toMatchObject({ session: "planning", task: 1, discipline: "general", feature: "general" });
  expect(await project.log.head()).toBe(head);
});

test("a session's name that is a path stays below the project's run folder", async () => {
  const { folder, launch, runs } = await given();
  const { context_file } = await launch("all", "--session", "../../etc/passwd");
  expect(runs()).toHaveLength(1);
  expect(context_file).toBe(join(folder, ".ralph", "run", runs()[0] ?? "", "context.json"));
  expect(readContext(context_file).session_id).toBe("../../etc/passwd");
});

test("sent again under its key, the session that was started is meant; once that has ended, it is refused", async () => {
  const { project, folder, launch } = await given();
  const args = ["signals", "--task", "1", "--key", "k-1"];
  const first = await launch(...args);
  expect(await launch(...args)).toEqual(first);
  await project.decide(endSession({ session: first.session, exit: "exited" }));
  const again = await signalbox(["launch", ...args], { cwd: folder });
  expect(again).toMatchObject({ ...fails(1, `Session ${first.session} has ended (exited)`), stdout: "" });
});

test.each([
  [["signal", "--task", "1"], 2, "did you mean signals?"],
  [["everything"], 2, "there are signals, braindump, yap"],
  [["signals"], 2, "name it with --task, or its open session with --session"],
  [["signals", "--task", "9"], 1, "There is no task 9"],
  [["signals", "--task", "one"], 2, "whole number"],
  [["signals", "--session", "s-9"], 1, "There is no session s-9"],
  [["signals", "--session", "two words"], 2, "without spaces"],
  [["signals", "--session", "s-2"], 1, "Session s-2 has ended (exited)"],
  [["signals", "--session", "s-3", "--task", "1"], 1, "Session s-3 belongs to task 3, not to task 1"],
  [["yap", "--session", "s-3", "--task", "1"], 1, "Session s-3 belongs to task 3, not to task 1"],
  [
    ["discuss", "--session", "s-3", "--discipline", "general"],
    1,
    "Session s-3 belongs to task 3, and its agent",
  ],
  [["signals", "--task", "3"], 1, "Session s-3 of task 3 is open"],
  [["signals", "--task", "4"], 1, "Only a ready task can be started, unless by force (--force)"],
  [["signals", "--task", "1", "--discipline", "fronted"], 1, 'Did you mean "frontend"'],
  [["signals", "--task", "1", "--feature", "x"], 1, 'There is no feature "x"'],
  [["signals", "--task", "1", "--discipline", "clash"], 1, 'MCP server "ralph" has the name of'],
  [
    ["signals", "--task", "1", "--disable-tools", "ask,sugest"],
    2,
    'It names "sugest", which is not a tool; did you mean suggest',
  ],
  [
    ["signals", "--task", "1", "--disable-tools", "done,partial,stuck"],
    1,
    "the launch removes done, partial, stuck",
  ],
  [
    ["signals", "--task", "1", "--discipline", "mute"],
    1,
    'the discipline "mute" removes done, partial, stuck',
  ],
  [["discuss"], 1, "Name it with --discipline"],
  [["signals", "--task", "1", "--folder", ".."], 3, "is outside of"],
  [["signals", "--task", "1", "--folder", "no-such"], 3, "Name an existing folder"],
] as const)(
  "signalbox launch %j exits with %i, says why, and neither records nor writes",
  async (args, exitCode, message) => {
    const { project, folder, runs } = await given();
    for (const title of ["Ended", "Open", "Waits"])
      await project.decide(createTask({ title, ...(title === "Waits" && { depends_on: [3] }) }));
    for (const task of [2, 3]) await project.decide(startSession({ task, session: `s-${task}` }));
    await project.decide(endSession({ session: "s-2", exit: "exited" }));
    await givenDiscipline(project, "clash", { mcp_servers: { ralph: SHADCN } });
    await givenDiscipline(project, "mute", { disabled_tools: ["done", "partial", "stuck"] });
    const head = await project.log.head();
    const ran = await signalbox(["launch", ...args], { cwd: folder });
    expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
    expect(await project.log.head()).toBe(head);
    expect(runs()).toEqual([]);
  },
);

test("the folder that is named is the server's, as where its gates are run", async () => {
  const { folder, launch } = await given();
  mkdirSync(join(folder, ".ralph", "worktrees", "task-1"), { recursive: true });
  const { env, mcp_config } = await launch("signals", "--task", "1", "--folder", ".ralph/worktrees/task-1");
  const path = join(realpathSync(folder), ".ralph", "worktrees", "task-1");
  expect(env.RALPH_WORKSPACE).toBe(path);
  expect(JSON.parse(readFileSync(mcp_config, "utf8")).mcpServers.ralph.env.RALPH_WORKSPACE).toBe(path);
});

test("a task that is not ready is started by force", async () => {
  const { project, launch } = await given();
  await project.decide(createTask({ title: "Mail it", depends_on: [1] }));
  expect(await launch("signals", "--task", "2", "--force")).toMatchObject({ task: 2, started: true });
});

test("people see which files were written and the client's options, quoted for a shell", async () => {
  const { folder } = await given();
  const { stdout } = await signalbox(["launch", "all", "--session", "it's"], { cwd: folder });
  const path = join(folder, ".ralph", "run", "it's");
  expect(stdout).toContain(`Session it's, recipe all: ${toolNames.length} tools, servers ralph.`);
  for (const name of ["context.json", "mcp.json"]) expect(stdout).toContain(`  ${join(path, name)}\n`);
  expect(stdout).toContain(`  RALPH_CONTEXT=${join(path, "context.json")}\n`);
  const word = `'${join(path, "mcp.json").replace("'", "'\\''")}'`;
  expect(stdout).toContain(`  --mcp-config ${word} --strict-mcp-config\n`);
});
