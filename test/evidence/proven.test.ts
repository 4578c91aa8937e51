import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lineOf } from "../../src/cli/printing/say-step.ts";
import type { Step } from "../../src/loop/steps.ts";
import { useBundle } from "../children.ts";
import { statuses, stepsOf } from "../loop/given-loop.ts";
import { eventsOf, type GivenMerges, givenMerges, works } from "../loop/merge/given-merges.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

/*
 * Catches: a gate that passes without the work and is taken for a proof, one that is blamed though nobody knows, and a copy that stays
 * or touches an agent's worktree.
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");
const gates = (...commands: string[]) => commands.map((command) => ({ command, max: 2, timeout_s: 60 }));

/** What the gates of a task prove, in words. */
async function evidence({ project }: GivenMerges, task: number) {
  return (await project.queries.task(task))?.proof?.gates.map((gate) => gate.evidence);
}

test("a gate runs on the base before the first session, once for each base and command: what passes there proves nothing", async () => {
  const loop = await givenMerges(agent, {
    config: { gates: { baseline: true } },
    worktrees: { setup: "echo made > ready" },
    tasks: [
      { title: "Red before", gates: gates("grep -q made ready && test -f one.txt") },
      { title: "Green before", gates: gates("test -f list.txt") },
      { title: "One of each", gates: gates("test -f list.txt", "test -f three.txt") },
    ],
    acts: {
      1: [works("echo 1 > one.txt")],
      2: [works("echo 2 > two.txt")],
      3: [works("echo 3 > three.txt")],
    },
  });
  writeFileSync(loop.path(".git/info/exclude"), "ready\n");
  const { steps } = await loop.run();
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "needs_input", 3: "done" });
  expect(stepsOf(steps, "baseline_started").map(({ task, gate }) => [task, gate])).toEqual([
    ...[
      [1, 1],
      [2, 1],
      [3, 2],
    ],
  ]);
  const [, first, again] = await eventsOf(loop.project, "gate.baselined");
  expect(first).toMatchObject({ task: 2, gate: 1, base: loop.git("rev-parse", "main") });
  expect(again).toMatchObject({
    task: 3,
    gate: 1,
    base: first?.base,
    exit_code: 0,
    repeats: expect.any(Number),
  });
  expect(await evidence(loop, 1)).toEqual(["red before, green after, proven: yes"]);
  expect(await evidence(loop, 2)).toEqual(["passes already: green before, green after, proven: no"]);
  expect(await evidence(loop, 3)).toEqual([
    "passes already: green before, green after, proven: no",
    "red before, green after, proven: yes",
  ]);
  expect(existsSync(loop.path(".ralph/worktrees/base"))).toBe(false);
  expect(loop.git("worktree", "list")).not.toContain("worktrees/base");

  // A human is asked about the second, by the rule of evidence.
  const at = { cwd: loop.folder };
  expect(JSON.stringify(await signalboxJson(["why", "2"], at))).toContain("Gate 1 passes without the work.");
  expect((await signalbox(["inbox"], at)).stdout).toContain("gate 1 passes without the work");
  await signalbox(["inbox", "accept", "2"], at);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done", 3: "done" });
});

test("a setup that fails in the copy says nothing about the gate, and the session goes on", async () => {
  const loop = await givenMerges(agent, {
    config: { gates: { baseline: true } },
    worktrees: { setup: 'test "$(basename "$PWD")" != base' },
    tasks: [{ title: "Unknown", gates: gates("test -f list.txt") }],
    acts: { 1: [works("echo 1 > one.txt")] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "baseline_ended")).toMatchObject([
    { failed: [], problem: expect.stringContaining("the setup of worktrees") },
  ]);
  expect(await evidence(loop, 1)).toEqual([""]);
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
  expect(existsSync(loop.path(".ralph/worktrees/base"))).toBe(false);
});

test("a session whose gates wait for the copy that another one has says so, once", async () => {
  const loop = await givenMerges(agent, {
    config: { gates: { baseline: true }, jobs: 2 },
    worktrees: {},
    // Each holds the copy until both are known to want it.
    tasks: [1, 2].map((n) => ({
      title: `Task ${n}`,
      gates: gates(`until test -f ../../release; do sleep 0.1; done; test -f ${n}.txt`),
    })),
    acts: { 1: [works("echo 1 > 1.txt")], 2: [works("echo 2 > 2.txt")] },
  });
  const steps: Step[] = [];
  for await (const line of loop.start().lines) {
    const step: Step = JSON.parse(line);
    steps.push(step);
    if (step.step === "copy_awaited") writeFileSync(loop.path(".ralph/release"), "");
  }
  const [first] = stepsOf(steps, "baseline_started");
  const waits = stepsOf(steps, "copy_awaited");
  expect(waits).toEqual([
    {
      step: "copy_awaited",
      task: first?.task === 1 ? 2 : 1,
      holder: `gates of task ${first?.task} in a copy`,
    },
  ]);
  expect(waits.map(lineOf)).toEqual([`#${waits[0]?.task} waiting for ${waits[0]?.holder}`]);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
});

test("a later session runs no gate on the base again, and its prompt says what failed there", async () => {
  const half = [
    ...[{ init: "connected" } as const, { shell: "echo 1 > one.txt" }],
    ...[{ call: "partial", with: { summary: "Half.", remaining: "The rest." } } as const, { result: {} }],
  ];
  const loop = await givenMerges(agent, {
    config: { gates: { baseline: true } },
    worktrees: {},
    tasks: [{ title: "In two", gates: gates("test -f one.txt") }],
    acts: { 1: [half, works("echo 2 > two.txt")] },
  });
  await loop.run();
  expect(await eventsOf(loop.project, "gate.baselined")).toHaveLength(1);
  const { session } = loop.started()[1] ?? { session: "" };
  const prompt = readFileSync(loop.path(`.ralph/run/${session}/prompt.md`), "utf8");
  expect(prompt).toContain("- gate 1; before your work it failed with exit code 1");
  expect(await evidence(loop, 1)).toEqual(["red before, green after, proven: yes"]);
});

test("with gates.prove each gate runs on a copy without the work: what stays green did not test it, and a red one names its files", async () => {
  const changes =
    "mkdir -p src test; for f in a b c d; do echo $f > src/$f.ts; done; echo t > test/a.test.ts";
  const checks = "test -f test/a.test.ts && test -f src/c.ts";
  const loop = await givenMerges(agent, {
    config: { gates: { baseline: true, prove: true } },
    worktrees: {},
    tasks: [
      { title: "Tested", gates: gates(checks) },
      // Red before, for want of the test alone.
      { title: "Not tested", gates: gates("test -f test/a.test.ts") },
    ],
    acts: { 1: [works(changes)], 2: [works(changes)] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "proof_ended").map(({ task, says }) => [task, says])).toEqual([
    [1, "red without src/c.ts, src/d.ts"],
    [2, "green without the work"],
  ]);
  expect(await evidence(loop, 1)).toEqual([
    "red before, green after, red without src/c.ts, src/d.ts, proven: yes",
  ]);
  expect(await evidence(loop, 2)).toEqual(["red before, green after, green without the work, proven: no"]);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "needs_input" });
  // Its gate has as many attempts as before, and nothing of the copy is left.
  expect((await loop.project.queries.task(1))?.gates).toMatchObject([{ state: "passed", attempts: 0 }]);
  expect(existsSync(loop.path(".ralph/worktrees/proof"))).toBe(false);
  expect(loop.fileAt("signalbox/task-1", "src/c.ts")).toBe("c");
});

test("the commit of a submodule stays where changes are taken out, so that alone proves nothing", async () => {
  const loop = await givenMerges(agent, {
    config: { gates: { prove: true } },
    worktrees: {},
    tasks: [{ title: "Bump", gates: gates("test -f sub/x.txt") }],
    acts: {
      1: [
        works(
          "cd sub && echo x > x.txt && git add . && git -c user.name=a -c user.email=a@example.org commit -qm X && cd .. && git commit -qam Bump",
        ),
      ],
    },
  });
  const origin = join(freshFolder(), "origin");
  loop.git("clone", "--quiet", ".", origin);
  loop.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin, "sub");
  loop.git("commit", "--quiet", "--message=Submodule");
  const { steps } = await loop.run();
  expect(stepsOf(steps, "proof_ended")).toEqual([]);
  expect(loop.git("diff", "--name-only", "main", "signalbox/task-1")).toBe("sub");
  expect(await evidence(loop, 1)).toEqual([""]);
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
});

test("a gate that fails in the copy with the work, too, is neither proven nor blamed", async () => {
  const loop = await givenMerges(agent, {
    config: { gates: { prove: true } },
    worktrees: {},
    tasks: [{ title: "Here alone", gates: gates('test "$(basename "$PWD")" != proof && test -f one.txt') }],
    acts: { 1: [works("echo 1 > one.txt")] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "proof_ended")).toMatchObject([
    { gate: 1, says: expect.stringContaining("fails in a copy") },
  ]);
  expect(await evidence(loop, 1)).toEqual([""]);
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
});
