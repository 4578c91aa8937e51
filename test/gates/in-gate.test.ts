import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/*
 * A gate's command that calls signalbox. Catches: one that decides in a human's name, one that waits for itself, one that records
 * its own run as interrupted, and a test suite of another project that does not run as a gate.
 */
const program = `'${process.execPath}' '${packagePath("bin/signalbox.js")}'`;

/** A project whose gate 1 runs a command, beside a gate 2 that nobody has run, and with an open session. */
async function given(command: string) {
  const { project, folder } = await freshProject();
  const limits = { max: 3, timeout_s: 100 };
  const both = [command, "exit 1"].map((each) => ({ command: each, ...limits }));
  await project.decide(createTask({ title: "Export", gates: both }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const head = await project.log.head();
  // Whoever uses signalbox in a gate has a state folder there.
  const home = freshFolder();
  return {
    run: () => signalbox(["gate", "run", "1", "1"], { cwd: folder, env: { HOME: home } }),
    /** What is recorded since. */
    types: async () => (await project.log.read(head, 100)).map(({ type }) => type),
    said: () => readFileSync(join(folder, "said"), "utf8"),
  };
}

test.each([
  "gate act 1 2 skip",
  "gate approve 1",
  "gate reject 1 2",
  "gate undo 1 2",
  "gate record 1 2 --exit-code 0",
  "gate run 1 2",
  "gate add 1 --verify true",
  "signal done --session s-1 --summary Done",
  "session state s-1 testing",
  "task set 1 --status done",
  "task add Other",
  "run --once --agent pretend",
])("a gate's command that calls `%s` is refused, and nothing is recorded", async (words) => {
  const { run, said, types } = await given(`${program} ${words} 2> said`);
  expect(await run()).toMatchObject({ exitCode: 1 });
  expect(said()).toMatch(/belongs to gate 1 of task 1.*only checks and cannot record anything.*\[in_gate\]/);
  expect(await types()).toEqual(["gate.started", "gate.attempted"]);
});

test("a server started by a gate's command records nothing in this project", async () => {
  const hello = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "stuck", arguments: { reason: "No host." } } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const { run, said, types } = await given(
    `printf '%s\\n' '${hello.join("' '")}' | RALPH_TASK_ID=1 RALPH_SESSION_ID=s-1 RALPH_DB_PATH="$PWD/.ralph/db/ralph.db" ${program} mcp > said`,
  );
  await run();
  expect(said()).toContain("only checks and cannot record anything");
  expect(await types()).toEqual(["gate.started", "gate.attempted"]);
});

const apart = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
const canBeApart = spawnSync("unshare", [...apart, "true"]).status === 0;

test("a gate's command can read the project, and its own run continues", async () => {
  const { run, said, types } = await given(`${program} task list > said`);
  expect(await run()).toMatchObject({ exitCode: 0 });
  expect(said()).toContain("Export");
  expect(await types()).toEqual(["gate.started", "gate.attempted"]);
});

test.for(["", "env -u SIGNALBOX_GATE"])(
  "so it does where its runner cannot be seen, by `%s`",
  async (without, context) => {
    context.skip(!canBeApart, "unshare cannot make a user namespace on this machine.");
    const { run, said, types } = await given(
      `unshare ${apart.join(" ")} ${without} ${program} task list > said`,
    );
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect(said()).toContain("Export");
    expect(await types()).toEqual(["gate.started", "gate.attempted"]);
  },
);

test("a gate's command that uses signalbox in another project does so as anybody, gates too", async () => {
  const { run, said } = await given(
    `mkdir other && cd other && ${program} init && ${program} task add Part --verify true && ${program} gate run 1 > ../said`,
  );
  expect(await run()).toMatchObject({ exitCode: 0 });
  expect(said()).toContain("gate 1 passed");
});
