import { expect, test } from "vitest";
import { signals } from "../../src/events/types/signals.ts";
import { createTask, endSession, startSession } from "../../src/index.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/** Session s-1 runs on task 1; nobody works on task 2. */
async function given() {
  const { project, folder: cwd } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(createTask({ title: "Mail it" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const head = await project.log.head();
  return {
    project,
    cwd,
    head,
    signal: (...args: string[]) => signalbox(["signal", ...args], { cwd }),
    state: (...args: string[]) => signalbox(["session", "state", "s-1", ...args], { cwd }),
    recorded: () => project.log.read(head, 10),
  };
}

test("a signal command records the session's task and the agent, and suggests the next steps", async () => {
  const { cwd, head, recorded } = await given();
  const args = ["signal", "partial", "--session", "s-1", "--summary", "Half.", "--remaining", "The rest."];
  expect(await signalboxJson(args, { cwd })).toEqual({
    position: head + 1,
    recorded: "partial on task 1 in session s-1",
    next: "When the session ends, the task goes back to the queue. End your work here.",
  });
  expect(await recorded()).toMatchObject([
    {
      type: "signal.partial",
      actor: "agent",
      correlation: "s-1",
      payload: { summary: "Half.", remaining: "The rest.", task: 1, session: "s-1" },
    },
  ]);
});

test("lists are given by repeated options, booleans by one option each, and missing options are absent", async () => {
  const { signal, recorded } = await given();
  const ask = ["ask", "--session", "s-1", "--question", "Tabs?"];
  await signal(...ask, "--no-blocking", "--option", "tabs", "--option", "commas, really");
  await signal(...ask, "--blocking");
  expect((await recorded()).map(({ payload }) => payload)).toEqual([
    { question: "Tabs?", blocking: false, options: ["tabs", "commas, really"], task: 1, session: "s-1" },
    { question: "Tabs?", blocking: true, task: 1, session: "s-1" },
  ]);
});

test("a signal starts an unknown session if its task is given", async () => {
  const { project, signal } = await given();
  const flag = ["flag", "--session", "s-9", "--what", "x", "--severity", "info", "--category", "bug"];
  const nobodys = await signal(...flag);
  expect(nobodys).toMatchObject({ ...fails(1, "there is no session s-9"), stdout: "" });
  expect((await signal(...flag, "--task", "2")).exitCode).toBe(0);
  expect(await project.queries.taskRow(2)).toMatchObject({ open_session: "s-9" });
});

test("a signal sent again under its key is recorded once, and other words under it are refused", async () => {
  const { signal, recorded } = await given();
  const learned = ["learned", "--session", "s-1", "--kind", "discovery", "--key", "k", "--json", "--text"];
  const first = await signal(...learned, "5 MB per origin.");
  expect(await signal(...learned, "5 MB per origin.")).toEqual(first);
  expect(await signal(...learned, "6 MB per origin.")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await recorded()).toHaveLength(1);
});

test("a learning that is known is answered with the entry that it confirms", async () => {
  const { signal, project } = await given();
  const learned = ["learned", "--session", "s-1", "--kind", "discovery", "--text"];
  await signal(...learned, "5 MB per origin.");
  const learning = await project.log.head();
  const { stdout } = await signal(...learned, "5 MB per ORIGIN");
  expect(stdout).toContain(`\nJoined with learning ${learning}, said 2 times: 5 MB per origin.\n`);
});

test("a state report by command gets the tool's answer, which mentions an irregular step", async () => {
  const { project, cwd, state } = await given();
  const args = ["session", "state", "s-1", "testing", "--metadata", '{"error":"red"}'];
  expect(await signalboxJson(args, { cwd })).toEqual({
    success: true,
    previousState: "idle",
    newState: "testing",
    transitionedAt: expect.stringMatching(/Z$/),
    hint: "The step from idle to testing is unusual; it was recorded.",
  });
  expect((await state("implementing")).stdout).toBe("Session s-1: testing → implementing.\n");
  expect(await project.queries.session("s-1")).toMatchObject({ states: ["idle", "testing", "implementing"] });
});

test.each([
  [["signal", "done", "--session", "s-1"], 2, "required option '--summary <text>'"],
  [["signal", "done", "--session", "s-1", "--summary", " "], 2, "`summary` is blank"],
  [["signal", "done", "--summary", "x"], 2, "required option '--session <id>'"],
  [["signal", "ask", "--session", "s-1", "--question", "x"], 2, "required option '--blocking'"],
  [["signal", "stuck", "--session", "s-1", "--reason", "x", "--task", "7"], 1, "there is no task 7"],
  [
    ["signal", "stuck", "--session", "s-1", "--reason", "x", "--task", "2"],
    1,
    "s-1 belongs to task 1, not to task 2",
  ],
  [["signal", "blocked", "--session", "s-1", "--on", "x", "--kind", "me"], 2, "upstream_task, external"],
  [["signal", "finish"], 2, "unknown command 'finish'"],
  [["session", "state", "s-1", "done"], 2, "analyzing, implementing, testing, committing, reviewing"],
  [["session", "state", "s-1", "testing", "--metadata", "[]"], 2, "a JSON object"],
  [["session", "state", "s-9", "testing"], 1, "never started"],
] as const)("signalbox %j exits with %i, says why, and records nothing", async (args, exitCode, message) => {
  const { cwd, recorded } = await given();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await recorded()).toEqual([]);
});

test("a signal after the session's end is recorded, and the command says that it settles nothing", async () => {
  const { project, signal } = await given();
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  const ran = await signal("done", "--session", "s-1", "--summary", "All of it.");
  expect(ran.stdout).toContain("does not settle the task");
});

test("every verb has a command that takes its arguments", async () => {
  const { signal } = await given();
  for (const { verb, arguments: schema } of signals) {
    const { stdout } = await signal(verb, "--help");
    for (const name of Object.keys(schema.shape)) expect(stdout).toContain(`--${name.replace(/s$/, "")}`);
  }
});
