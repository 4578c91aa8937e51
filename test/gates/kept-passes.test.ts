import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { runGates } from "../../src/gates/run-gates.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";

/*
 * A pass counts for the files that it was run on (issue 6, item 5). Catches: a pass that is kept though the work has changed, and one
 * that is run again for nothing.
 */
const config = parseConfig({}, "test");

async function given({ git = true, commands = ["echo run >> .ralph/runs.log"] } = {}) {
  const { project, folder } = await freshProject();
  if (git) execFileSync("git", ["init", "--quiet"], { cwd: folder });
  writeFileSync(join(folder, ".gitignore"), "*.log\n");
  writeFileSync(join(folder, "src.txt"), "one\n");
  const gates = commands.map((command) => ({ command, max: 3, timeout_s: 20 }));
  await project.decide(createTask({ title: "Export", gates }));
  const run = (keepPasses: boolean) => runGates(project, { task: 1, folder, config, keepPasses });
  return {
    project,
    folder,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    run,
    /** Runs all that has not passed on the present files, and says which gates that were. */
    async runAgain() {
      const runs = await run(true);
      expect(runs.map(({ passed }) => passed)).not.toContain(false);
      return runs.flatMap(({ gate, result }) => (result ? [gate] : []));
    },
    attempts: async () =>
      (await project.log.read(0, 100)).flatMap((event) =>
        event.type === "gate.attempted" ? [event.payload] : [],
      ),
  };
}

test("a gate that passed on the same files is not run again, and nothing is recorded", async () => {
  const { folder, run, runAgain, project } = await given();
  await run(false);
  const head = await project.log.head();
  expect(await runAgain()).toEqual([]);
  expect(await project.log.head()).toBe(head);
  expect(readFileSync(join(folder, ".ralph", "runs.log"), "utf8")).toBe("run\n");
});

test("unless passes are to be kept, it is run again", async () => {
  const { run, attempts } = await given();
  await run(false);
  await run(false);
  expect(await attempts()).toHaveLength(2);
});

test.each([
  ["an edit", (folder: string) => writeFileSync(join(folder, "src.txt"), "two\n")],
  ["a new file", (folder: string) => writeFileSync(join(folder, "new.txt"), "")],
  ["a deleted file", (folder: string) => rmSync(join(folder, "src.txt"))],
  ["a file that is not ignored any more", (folder: string) => rmSync(join(folder, ".gitignore"))],
])("after %s it is run again, and then kept again", async (_what, change) => {
  const { folder, run, runAgain } = await given();
  await run(false);
  change(folder);
  expect(await runAgain()).toEqual([1]);
  expect(await runAgain()).toEqual([]);
});

test("a reverted edit keeps the pass valid", async () => {
  const { run, write, runAgain } = await given();
  await run(false);
  write("src.txt", "two\n");
  write("src.txt", "one\n");
  expect(await runAgain()).toEqual([]);
});

test("ignored files and those in .ralph/ do not count", async () => {
  const { folder, run, write, runAgain } = await given();
  await run(false);
  write("other.log", "much");
  mkdirSync(join(folder, ".ralph", "notes"), { recursive: true });
  write(".ralph/notes/x", "");
  expect(await runAgain()).toEqual([]);
});

test("a commit of the same files changes nothing", async () => {
  const { folder, run, runAgain } = await given();
  await run(false);
  const as = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", [...as, "add", "--all"], { cwd: folder });
  execFileSync("git", [...as, "commit", "--quiet", "-m", "All"], { cwd: folder });
  expect(await runAgain()).toEqual([]);
});

test("without git, changes are unknown: the gate runs again, and no fingerprint is recorded", async () => {
  const { run, runAgain, attempts } = await given({ git: false });
  await run(false);
  expect(await runAgain()).toEqual([1]);
  for (const attempt of await attempts()) {
    expect(attempt).not.toHaveProperty("workspace_before");
    expect(attempt).not.toHaveProperty("workspace_after");
  }
});

test("a gate that has failed is run again on the same files", async () => {
  const { run, attempts } = await given({ commands: ["false"] });
  await run(true);
  await run(true);
  expect(await attempts()).toHaveLength(2);
});

test("the pass of an earlier session is not kept", async () => {
  const { project, run, runAgain } = await given();
  await run(false);
  await project.decide(startSession({ task: 1, session: "s-1" }));
  expect(await runAgain()).toEqual([1]);
});

test("the fingerprints before and after are recorded: equal ones where a gate changes no files", async () => {
  const { run, attempts } = await given();
  await run(false);
  const [attempt] = await attempts();
  expect(attempt?.workspace_before).toMatch(/^[0-9a-f]{40}$/);
  expect(attempt?.workspace_after).toBe(attempt?.workspace_before);
});

test("a gate that changes files passes for the files before: it runs again, and so do earlier gates", async () => {
  const { run, runAgain, attempts } = await given({
    commands: ["grep -q . src.txt", "echo formatted > src.txt", "grep -q formatted src.txt"],
  });
  await run(false);
  const [, formatter] = await attempts();
  expect(formatter?.workspace_after).not.toBe(formatter?.workspace_before);
  expect(await runAgain()).toEqual([1, 2]);
  expect(await runAgain()).toEqual([]);
});

test("a pass does not count for files that were changed while the gate was run", async () => {
  const { folder, run, runAgain } = await given({
    commands: ["touch begun.log; while [ ! -e go.log ]; do sleep 0.02; done"],
  });
  const running = run(false);
  while (!existsSync(join(folder, "begun.log"))) await new Promise((resolve) => setTimeout(resolve, 10));
  writeFileSync(join(folder, "src.txt"), "two\n");
  writeFileSync(join(folder, "go.log"), "");
  await running;
  expect(await runAgain()).toEqual([1]);
  expect(await runAgain()).toEqual([]);
});
