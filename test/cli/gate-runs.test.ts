import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { decide } from "../../src/decisions/decide.ts";
import { declareGates } from "../../src/operations/gates.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a human who decides on a gate without having seen all of what would be run, or what came of it. */
async function given(...commands: string[]) {
  const { project, folder: cwd } = await freshProject();
  execFileSync("git", ["init", "--quiet"], { cwd });
  const gates = commands.map((command) => ({ command, max: 1, timeout_s: 20 }));
  await project.decide(createTask({ title: "Export", gates }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  return {
    project,
    cwd,
    run: (...args: string[]) => signalbox(args, { cwd }),
    json: (...args: string[]) => signalboxJson(args, { cwd }),
  };
}

test.each(["gate list", "task show"])(
  "%s shows every line of a command, with all that hides made visible, and how the last attempt ended",
  async (command) => {
    const { run } = await given("true", "set -e\n\n\tno-such\r\n# \u202eevil\u001b[2J");
    await run("gate", "run", "1", "--session", "s-1");
    const { stdout } = await run(...command.split(" "), "1");
    const lines = stdout.split("\n").map((line) => line.trimEnd());
    const first = lines.findIndex((line) => /^1 +passed +0\/1 +passed$/.test(line));
    expect(lines.slice(first + 1, first + 8)).toEqual([
      "      true",
      expect.stringMatching(/^2 +escalated +1\/1 +failed with exit code 127$/),
      "      set -e",
      "",
      "       no-such\\u{d}",
      "      # \\u{202e}evil\\u{1b}[2J",
      expect.stringMatching(/^ {6}\(Exit code 127: a command was not found/),
    ]);
  },
);

test("gate list says which gates wait for approval", async () => {
  const { project, run, json } = await given("true");
  const gates = [{ command: "npm test", max: 1, timeout_s: 5 }];
  await decide(project.store, declareGates({ task: 1, gates }), { actor: "agent" });
  expect((await run("gate", "list", "1")).stdout).toMatch(/^2 +pending +waiting +0\/1 *\n {6}npm test$/m);
  expect(await json("gate", "list", "1")).toMatchObject([
    { approval: "unneeded", last_signal: null, last_interrupted: null },
    { approval: "waiting", declared: expect.any(Number), approval_position: null },
  ]);
});

test("gate runs lists every run: how it ended, how long it took, and on which files", async () => {
  const { run, json, cwd } = await given("echo fine", "echo more > made; echo bad >&2; exit 3");
  writeFileSync(join(cwd, "here"), "");
  await run("gate", "run", "1", "--session", "s-1");
  await run("gate", "record", "1", "1", "--exit-code", "1", "--stdout", "elsewhere");
  const runs = (await json("gate", "runs", "1")) as { id: number; workspace_before: string }[];
  expect(runs).toMatchObject([
    {
      ...{ gate: 1, kind: "attempt", session_id: "s-1", state: "passed", exit_code: 0 },
      ...{ command: "echo fine", stdout: "fine\n", workspace_changed: false, left_behind: [] },
      runner: { pid: expect.any(Number) },
    },
    {
      ...{ gate: 2, state: "failed", exit_code: 3, stderr: "bad\n", workspace_changed: true },
      workspace_before: runs[0]?.workspace_before,
      stderr_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    {
      gate: 1,
      state: "failed",
      stdout: "elsewhere",
      runner: null,
      started_at: null,
      workspace_changed: null,
    },
  ]);
  expect(await json("gate", "runs", "1", "2")).toMatchObject([{ gate: 2 }]);
  const { stdout } = await run("gate", "runs", "1");
  const [, ...rows] = stdout.split("\n").map((line) => line.trimEnd());
  expect(rows[0]).toMatch(/ s-1 +passed +\d+\.\d s +[0-9a-f]{12}$/);
  expect(rows[1]).toMatch(/failed with exit code 3 +\d+\.\d s +([0-9a-f]{12}) → (?!\1)[0-9a-f]{12}$/);
  expect(rows[2]).toMatch(/failed with exit code 1/);
});

test("gate runs --output prints the stored output of one run", async () => {
  const { run, json } = await given("echo 'a\u001b[31mb'; echo no >&2; exit 127");
  await run("gate", "run", "1");
  const [{ id } = { id: 0 }] = (await json("gate", "runs", "1")) as { id: number }[];
  const printed = await run("gate", "runs", "1", "--output", String(id));
  expect(printed.stdout).toBe("a\\u{1b}[31mb\nno\n");
  expect(printed.stderr).toContain("Exit code 127");
  expect(await json("gate", "runs", "1", "--output", String(id))).toEqual({
    id,
    stdout: "a\\u{1b}[31mb\n",
    stderr: "no\n",
  });
});

test.each([
  [["9"], "There is no task 9"],
  [["1", "4"], "Task 1 has no gate 4; `signalbox gate list 1` shows those it has."],
  [["1", "--output", "99"], "There is no run 99 of task 1. Run `signalbox gate runs 1` to see its runs."],
])("gate runs %j is refused, with the valid choices", async (args, message) => {
  const { run } = await given("true");
  const ran = await run("gate", "runs", ...args);
  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
  expect((await run("gate", "runs", "1")).stdout).toBe("none\n");
});

test("the runs of a task that was deleted can still be read", async () => {
  const { run, json } = await given("echo fine");
  await run("gate", "run", "1");
  await run("session", "end", "s-1", "--exit", "cancelled");
  await run("task", "delete", "1");
  expect(await json("gate", "runs", "1")).toMatchObject([{ stdout: "fine\n" }]);
});

test("the inbox says how an escalated gate ended", async () => {
  const { run, json } = await given("kill -KILL $$");
  await run("gate", "run", "1");
  expect(await json("inbox", "list")).toMatchObject({
    inbox: [
      {
        kind: "gate",
        ended: expect.stringMatching(/^was ended by SIGKILL\. The shell was ended by SIGKILL\./),
      },
    ],
  });
  expect((await run("inbox", "list")).stdout).toContain("was ended by SIGKILL");
});

test.each([
  ["retry", "pending", "pending"],
  ["skip", "skipped", "done"],
  ["abort", "aborted", "failed"],
])(
  "an escalated gate takes inbox %s by the id that the inbox shows: it is %s then, and its task %s",
  async (action, state, status) => {
    const { run, json } = await given("false");
    await run("gate", "run", "1", "--session", "s-1");
    await run("signal", "done", "--session", "s-1", "--summary", "All of it.");
    await run("session", "end", "s-1", "--exit", "exited");
    const {
      inbox: [item],
    } = z.object({ inbox: z.tuple([z.object({ id: z.number() })]) }).parse(await json("inbox"));
    expect((await run("inbox")).stdout).toContain(`signalbox inbox retry|skip|abort ${item.id}\n`);
    const approved = await run("inbox", "approve", String(item.id));
    expect(approved.stderr).toContain(
      `${item.id} is an escalated gate; retry, skip or abort it. [not_found]`,
    );
    const act = ["inbox", action, String(item.id), "--key", "k-1"];
    const acted = await json(...act);
    expect(acted).toMatchObject({ id: item.id, act: "gate.acted", task: { id: 1, status } });
    expect(await json("gate", "list", "1")).toMatchObject([{ state, last_action: action }]);
    expect(await json("inbox")).toEqual({ inbox: [], next: null });
    expect(await json(...act)).toEqual(acted);
    const again = await run("inbox", action, String(item.id));
    expect(again.stderr).toContain(`There is no escalated gate ${item.id}.`);
  },
);

test("log shows gate events as sentences", async () => {
  const { run } = await given("exit 3");
  await run("gate", "run", "1", "--session", "s-1");
  await run("gate", "act", "1", "1", "skip");
  const { stdout } = await run("log", "list");
  expect(stdout).toMatch(/gate\.started +Gate 1 is running$/m);
  expect(stdout).toMatch(/gate\.attempted +Gate 1: failed with exit code 3$/m);
  expect(stdout).toMatch(/gate\.acted +Gate 1: skip · /m);
});

test.each<[string, (cwd: Awaited<ReturnType<typeof given>>) => Promise<unknown>, number, RegExp]>([
  [
    "is escalated",
    ({ run }) => run("gate", "run", "1", "2"),
    1,
    /Gate 2 is escalated and was not run\. Decide on it: `signalbox inbox`\./,
  ],
  [
    "was aborted",
    async ({ run }) => {
      await run("gate", "run", "1", "2");
      await run("gate", "act", "1", "2", "abort");
    },
    1,
    /Gate 2 is aborted and was not run\./,
  ],
  [
    "was skipped",
    async ({ run }) => {
      await run("gate", "run", "1", "2");
      await run("gate", "act", "1", "2", "skip");
    },
    0,
    /^(?!.*Gate 2)/s,
  ],
  [
    "waits for approval",
    async ({ project, run }) => {
      await run("gate", "run", "1", "2");
      await run("gate", "act", "1", "2", "skip");
      const gates = [{ command: "npm test", max: 1, timeout_s: 5 }];
      await decide(project.store, declareGates({ task: 1, gates }), { actor: "agent" });
    },
    1,
    /Gate 3 waits for approval and was not run\. Approve or reject it: `signalbox inbox`\./,
  ],
])(
  "of a task with a gate that %s, gate run exits with 0 only if it is not in the way",
  async (_how, prepare, exitCode, words) => {
    const task = await given("true", "false");
    await prepare(task);
    const ran = await task.run("gate", "run", "1");
    expect(ran).toMatchObject({ exitCode, stdout: expect.stringMatching(words) });
    expect(ran.stdout).toContain("gate 1 passed");
    expect(await task.run("gate", "run", "1", "--json")).toMatchObject({ exitCode });
    expect(await task.run("gate", "run", "1", "1")).toMatchObject({ exitCode: 0 });
  },
);

test("gate run exits with 0 if every gate was skipped, and says that there is nothing to run", async () => {
  const { run } = await given("false");
  const first = await run("gate", "run", "1");
  expect(first).toMatchObject({ exitCode: 1, stdout: expect.not.stringContaining("was not run") });
  await run("gate", "act", "1", "1", "skip");
  expect(await run("gate", "run", "1")).toMatchObject({
    exitCode: 0,
    stdout: "Task 1 has no gate to run.\n",
  });
});
