import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { STATE_VARIABLE } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { launchFilesOf } from "../../src/mcp/launching/launch-files.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, prints, signalbox, signalboxJson } from "../support/cli.ts";
import { anotherFolder, freshProject } from "../support/project.ts";

/*
 * Catches: an agent that decides from its own shell what is left to humans, and a log that calls that a human's act; a driver or a
 * human who is taken for an agent.
 */

const GATE = { command: "true", max: 3, timeout_s: 10 };

/** A project whose session s-1 is open, with a question of it and a gate. */
async function given() {
  const { project, folder: cwd } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV", gates: [GATE] }));
  await project.decide(createTask({ title: "Mail it" }));
  await signalboxJson(["session", "start", "1", "--session", "s-1"], { cwd });
  await signalboxJson(
    ["signal", "ask", "--session", "s-1", "--question", "Delete the old ones?", "--blocking"],
    { cwd },
  );
  return { project, cwd, env: { RALPH_SESSION_ID: "s-1" } };
}

const HUMANS: readonly (readonly string[])[] = [
  ["gate", "act", "1", "1", "skip"],
  ["inbox", "answer", "1", "yes, delete it"],
  ["task", "set", "1", "--status", "done"],
  ["task", "set", "1", "--title", "Something easier"],
  ["policy", "set", "stuck_limit", "9"],
  ["config", "trust", "--yes"],
  ["work", "pause"],
  ["redact", "2", "--reason", "It is in the way.", "--field", "title"],
  ["session", "start", "2"],
  ["session", "end", "s-2", "--exit", "cancelled"],
  ["run", "--once"],
  ["comment", "1", "A human says: go on.", "--actor", "alice"],
];

test.each(HUMANS)(
  "an agent's process is refused, and the log has the attempt: signalbox %s %s …",
  async (...args) => {
    const { project, cwd, env } = await given();
    const before = await project.log.head();
    const { exitCode, stderr } = await signalbox(args, { cwd, env });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("session s-1"),
    });
    const [refused, ...more] = await project.log.read(before, 10);
    expect(more).toEqual([]);
    expect(refused).toMatchObject({ type: "session.act_refused", actor: "agent", correlation: "s-1" });
    expect(refused?.payload).toMatchObject({
      task: 1,
      command: expect.stringContaining(args.slice(0, 2).join(" ")),
    });
  },
);

test("its own reports, and runs of its own gates, are an agent's; those of others are refused", async () => {
  const { project, cwd, env } = await given();
  const before = await project.log.head();
  await signalboxJson(["session", "state", "s-1", "testing"], { cwd, env });
  await signalboxJson(["gate", "run", "1", "--session", "s-1"], { cwd, env });
  await signalboxJson(
    ["signal", "learned", "--session", "s-1", "--text", "Fields are quoted.", "--kind", "convention"],
    { cwd, env },
  );
  const events = await project.log.read(before, 10);
  expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(["agent"]));
  for (const args of [
    ["signal", "done", "--session", "s-2", "--task", "2", "--summary", "Done."],
    ["gate", "run", "2"],
    ["session", "state", "s-2", "testing"],
  ])
    expect(await signalbox(args, { cwd, env })).toMatchObject({ exitCode: 1 });
  await signalboxJson(["session", "end", "s-1", "--exit", "exited"], { cwd, env });
});

test("a session that has ended is an agent's still; what it may read stays", async () => {
  const { cwd, env } = await given();
  await signalboxJson(["session", "end", "s-1", "--exit", "exited"], { cwd });
  expect(await signalbox(["task", "set", "1", "--status", "done"], { cwd, env })).toMatchObject({
    exitCode: 1,
  });
  expect(await signalbox(["task", "list"], { cwd, env })).toMatchObject(prints("Mail it"));
  expect(await signalbox(["prompt", "1"], { cwd, env })).toMatchObject(prints("Export as CSV"));
});

test("in another project's log it is nobody in particular", async () => {
  const { env } = await given();
  const { project, folder } = await freshProject(await anotherFolder());
  await project.decide(createTask({ title: "Elsewhere" }));
  await signalboxJson(["task", "set", "1", "--status", "done"], { cwd: folder, env });
  expect(await project.log.read((await project.log.head()) - 1, 1)).toMatchObject([
    { type: "task.status_set", actor: "human" },
  ]);
});

/** The session's launch files, as a driver writes them. */
function launched(cwd: string, recipe: string, session = "s-1") {
  const { folder, context } = launchFilesOf(readModelPathIn(cwd), session);
  mkdirSync(folder, { recursive: true });
  writeFileSync(context, JSON.stringify({ session_id: session, recipe, task_id: 1 }));
}

test("what its recipe's tools do an agent may do by command, on its own task, signed as an agent's", async () => {
  const { project, cwd, env } = await given();
  expect(await signalbox(["comment", "1", "Look."], { cwd, env })).toMatchObject({ exitCode: 1 });
  launched(cwd, "task_execution");
  const [question] = await project.queries.inbox();
  const before = await project.log.head();
  await signalboxJson(["comment", "1", "The parser is shared."], { cwd, env });
  await signalboxJson(["learning", "add", "Orders come sorted."], { cwd, env });
  const events = await project.log.read(before, 10);
  expect(events).toMatchObject([
    { type: "comment.added", actor: "agent", correlation: "s-1", payload: { author: "agent" } },
    { type: "learning.added", actor: "agent", correlation: "s-1", payload: { source: "agent" } },
  ]);
  for (const { via } of events) expect(via).toBeUndefined();
  for (const args of [
    ["comment", "2", "On another task."],
    ["learning", "add", "Fields are quoted.", "--kind", "convention"],
    ["task", "add", "More work"],
    ["task", "set", "1", "--status", "done"],
    ["inbox", "answer", String(question?.id), "yes"],
  ])
    expect(await signalbox(args, { cwd, env }), args.join(" ")).toMatchObject(fails(1, "session s-1"));
});

test("a recipe that plans may add tasks by command, as drafts of an agent would be; one that reviews changes only its fields", async () => {
  const { project, cwd, env } = await given();
  launched(cwd, "yap");
  await signalboxJson(["task", "add", "More work", "--feature", "general", "--discipline", "general"], {
    cwd,
    env,
  });
  expect(await project.log.read((await project.log.head()) - 1, 1)).toMatchObject([
    { type: "task.created", actor: "agent", payload: { title: "More work" } },
  ]);
  launched(cwd, "opus_review");
  await signalboxJson(["task", "set", "3", "--priority", "high"], { cwd, env });
  expect(await signalbox(["task", "set", "3", "--title", "Less work"], { cwd, env })).toMatchObject({
    exitCode: 1,
  });
});

test("words that cannot be are told as such, and are no attempt at a human's act", async () => {
  const { project, cwd, env } = await given();
  launched(cwd, "task_execution");
  const before = await project.log.head();
  expect(await signalbox(["comment", "1", ""], { cwd, env })).toMatchObject(fails(2, "`body` is blank"));
  expect(await project.log.head()).toBe(before);
});

test("whose events are listed says nothing of who asks", async () => {
  const { project, cwd, env } = await given();
  const before = await project.log.head();
  expect(await signalbox(["log", "list", "--actor", "human"], { cwd, env })).toMatchObject(
    prints("Export as CSV"),
  );
  expect(await project.log.head()).toBe(before);
});

test("a context of another session, or one that is broken, gives nothing", async () => {
  const { cwd, env } = await given();
  launched(cwd, "task_execution");
  const { context } = launchFilesOf(readModelPathIn(cwd), "s-1");
  for (const text of ["{", JSON.stringify({ session_id: "s-2", recipe: "task_execution", task_id: 1 })]) {
    writeFileSync(context, text);
    expect(await signalbox(["comment", "1", "Look."], { cwd, env })).toMatchObject({ exitCode: 1 });
  }
});

const program = `"${process.execPath}" "${packagePath("bin/signalbox.js")}"`;

test.runIf(process.platform === "linux").each([
  ["without its variable", `env -u RALPH_SESSION_ID ${program} task set 1 --status done; exit $?`],
  [
    "with an empty environment",
    `env -i PATH="$PATH" HOME="$HOME" ${STATE_VARIABLE}="$${STATE_VARIABLE}" ${program} task set 1 --status done; exit $?`,
  ],
  ["through nohup", `nohup ${program} task set 1 --status done; exit $?`],
  [
    "with another session's variable, which may do more",
    `RALPH_SESSION_ID=s-2 ${program} comment 2 Look.; exit $?`,
  ],
  [
    "from a shell of a shell, without its variable",
    `sh -c 'unset RALPH_SESSION_ID; exec setsid sh -c "$1"; :' sh '${program} task set 1 --status done; exit $?'; exit $?`,
  ],
])("an agent is known by its ancestors: %s", async (_how, line) => {
  const { project, cwd, env } = await given();
  await signalboxJson(["session", "start", "2", "--session", "s-2"], { cwd });
  launched(cwd, "yap", "s-2");
  const before = await project.log.head();
  const { status, stderr } = spawnSync("sh", ["-c", line], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining("session s-1") });
  expect(await project.log.read(before, 10)).toMatchObject([{ type: "session.act_refused" }]);
});
