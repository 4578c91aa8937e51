import { existsSync, readFileSync, realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { useBundle } from "../children.ts";
import { comes } from "../gates/runner/given.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { givenLoop, stepsOf } from "./given-loop.ts";
import type { Act } from "./script.ts";

/*
 * Catches: an agent that is cut off while its gates are run, one that is never ended after them, a gate that the settlement has not
 * heard of. The agent is running gates by the command here, which is as when its server does: somebody else's process, in its session.
 */
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const REACHES: Act = { init: "connected" };
const DONE: Act = { call: "done", with: { summary: "Done as asked." } };
const PARTIAL: Act = { call: "partial", with: { summary: "Half.", remaining: "The rest." } };
const HANGS: Act = { wait_ms: 600_000 };
const GATE_RUN = `"${process.execPath}" "${packagePath("bin/signalbox.js")}" gate run 1 --session "$RALPH_SESSION_ID" --db "$RALPH_DB_PATH"`;
const RUNS_GATES: Act = { shell: GATE_RUN };
const BEGUN = "while [ ! -e begun ]; do sleep 0.05; done";

/** Runs one session of a task with a gate. */
async function afterOneSession(command: string, acts: readonly Act[], config: object) {
  const gates = [{ command, max: 3, timeout_s: 60 }];
  const loop = await givenLoop(agent, { tasks: [{ title: "Export", gates }], others: [acts], config });
  const { steps } = await loop.run("--once");
  const [ended] = stepsOf(steps, "session_ended");
  const [gate] = (await loop.project.queries.task(1))?.gates ?? [];
  return { loop, steps, ended, gate };
}

test("an agent is not ended while its gates run, however long they take or silent it is", async () => {
  const closing = { after_closing_s: 12, grace_s: 1 };
  const silent = { silence_s: 12, grace_s: 1 };
  const [closed, quiet] = await Promise.all([
    afterOneSession("sleep 15", [REACHES, DONE, RUNS_GATES, { result: {} }], { limits: closing }),
    afterOneSession("sleep 15", [REACHES, RUNS_GATES, DONE, { result: {} }], { limits: silent }),
  ]);
  for (const { ended, gate } of [closed, quiet]) {
    expect(ended).toMatchObject({ exit: "exited", reason: null, outcome: "success", status: "done" });
    expect(gate).toMatchObject({ state: "passed" });
  }
});

test("a done with a failed gate says so at the session's end, and each gate run is reported", async () => {
  const { steps, ended } = await afterOneSession(
    "echo 2 failing; exit 3",
    // The server of the stand-in runs the gates when it says done.
    [REACHES, DONE, { result: {} }],
    {},
  );
  expect(stepsOf(steps, "gate_started")).toMatchObject([
    { task: 1, gate: 1, command: "echo 2 failing; exit 3" },
  ]);
  expect(stepsOf(steps, "gate_ended")).toMatchObject([
    { task: 1, gate: 1, passed: false, how: "failed with exit code 3" },
  ]);
  expect(ended).toMatchObject({
    ...{ exit: "exited", closing: "done", outcome: "partial", status: "pending" },
    unverified: ["gate 1 failed: echo 2 failing; exit 3 failed with exit code 3: 2 failing"],
  });
});

test("an agent that hangs after its gates is ended, and its done stands", async () => {
  const { ended, gate } = await afterOneSession("sleep 12", [REACHES, DONE, RUNS_GATES, HANGS], {
    limits: { after_closing_s: 10, grace_s: 1 },
  });
  expect(ended).toMatchObject({ exit: "exited", closing: "done", outcome: "success", status: "done" });
  expect(ended?.reason).toMatch(/did not exit within 10 s/);
  expect(gate).toMatchObject({ state: "passed" });
});

test("the loop does not wait for a gate whose runner was killed", async () => {
  const dies: Act = { shell: `${GATE_RUN} & ${BEGUN}; kill -9 $!` };
  const { ended, gate } = await afterOneSession("touch begun; sleep 600", [REACHES, dies, HANGS], {
    limits: { silence_s: 12, grace_s: 1 },
  });
  expect(ended).toMatchObject({ exit: "timed_out" });
  expect(ended?.reason).toMatch(/silent for 12 s/);
  expect(gate).toMatchObject({ state: "failed", last_interrupted: 1 });
});

test("the session's limit counts while a gate is run, which is then interrupted and recorded before the session ends", async () => {
  const command = "trap '' TERM; touch begun; sleep 600";
  const { loop, ended } = await afterOneSession(command, [REACHES, RUNS_GATES, HANGS], {
    limits: { session_s: 15, grace_s: 1 },
  });
  expect(ended?.reason).toMatch(/longer than 15 s/);
  expect(await endsOf(loop)).toEqual(["gate.attempted interrupted", "session.ended"]);
});

test("a gate that is run when its agent ends is recorded before the session's settlement", async () => {
  const leaves: Act = { shell: `${GATE_RUN} & ${BEGUN}` };
  const command = "trap '' TERM; touch begun; sleep 600";
  const { loop, gate } = await afterOneSession(command, [REACHES, leaves, PARTIAL, { result: {} }], {});
  expect(gate).toMatchObject({ state: "failed", attempts: 1, last_interrupted: 1 });
  expect(await endsOf(loop)).toEqual(["gate.attempted interrupted", "session.ended"]);
});

const BASELINE = { gates: { baseline: true } };
const PROMPT = ".ralph/run/$RALPH_SESSION_ID/prompt.md";

/** A loop whose agent keeps its prompt, and its task with these gates. */
async function givenBaseline(commands: readonly string[], config: object = {}, acts?: readonly Act[]) {
  const gates = commands.map((command) => ({ command, max: 3, timeout_s: 60 }));
  const keeps: Act = { shell: `cp "$(dirname "$RALPH_DB_PATH")/../../${PROMPT}" prompt` };
  const others = [acts ?? [REACHES, keeps, PARTIAL, { result: {} }]];
  const loop = await givenLoop(agent, {
    ...{ tasks: [{ title: "Export", gates }], others, git: true },
    config: { ...BASELINE, ...config },
  });
  return { loop, prompt: (folder = ".") => readFileSync(loop.path(`${folder}/prompt`), "utf8") };
}

test("with a baseline the gates run before the agent, its prompt says what failed, and gate states do not change", async () => {
  const { loop, prompt } = await givenBaseline(["true", "echo no; exit 3", "sh -c 'kill -9 $$'"]);
  const { steps } = await loop.run("--once");
  expect(stepsOf(steps, "baseline_started").map(({ gate }) => gate)).toEqual([1, 2, 3]);
  expect(stepsOf(steps, "baseline_ended")).toMatchObject([{ task: 1, failed: [2, 3], problem: null }]);
  expect(prompt()).toContain(
    [
      "- gate 1",
      "| true",
      "- gate 2; before your work it failed with exit code 3",
      "| echo no; exit 3",
      "- gate 3; before your work it failed with exit code 137",
    ].join("\n"),
  );
  const gates = (await loop.project.queries.task(1))?.gates;
  expect(gates).toMatchObject(Array(3).fill({ state: "pending", attempts: 0 }));
  const kinds = (await loop.project.log.read(0, 200)).map(({ type }) => type);
  expect(kinds.lastIndexOf("gate.baselined")).toBeLessThan(kinds.indexOf("prompt.built"));
});

test("without a baseline no gate runs before the work", async () => {
  const { loop, prompt } = await givenBaseline(["touch ran"], { gates: {} });
  await loop.run("--once");
  expect(existsSync(loop.path("ran"))).toBe(false);
  expect(prompt()).toContain("- gate 1\n| touch ran");
});

test("with worktrees the baseline runs in a copy of the base, and leaves the task's worktree alone", async () => {
  const { loop } = await givenBaseline(["pwd > where; cp where ../../where"], { worktrees: true });
  const { steps } = await loop.run("--once");
  const [started] = stepsOf(steps, "session_started");
  const worktree = realpathSync(loop.path(".ralph/worktrees/task-1"));
  expect(readFileSync(loop.path(".ralph/where"), "utf8")).toBe(
    `${realpathSync(loop.path(".ralph/worktrees"))}/base\n`,
  );
  expect(existsSync(`${worktree}/where`)).toBe(false);
  const config = JSON.parse(readFileSync(loop.path(`.ralph/run/${started?.session}/mcp.json`), "utf8"));
  expect(realpathSync(config.mcpServers.ralph.env.RALPH_WORKSPACE)).toBe(worktree);
  expect(existsSync(`${worktree}/.ralph`)).toBe(false);
});

test("files written by a baseline are not attributed to the agent", async () => {
  const { loop } = await givenBaseline(["echo built > built"], {}, [REACHES, PARTIAL, { result: {} }]);
  await loop.run("--once");
  const reported = (await loop.project.log.read(0, 200)).flatMap((event) =>
    event.type === "workspace.reported" ? [event.payload.files] : [],
  );
  expect(reported).toEqual([[]]);
});

test("gates that cannot be run at all do not keep the session from its work", async () => {
  const { loop } = await givenBaseline(["true"], { gates: { baseline: true, folder: "no-such" } });
  const { steps } = await loop.run("--once");
  expect(stepsOf(steps, "baseline_ended")).toMatchObject([
    { failed: [], problem: expect.stringContaining("Name an existing folder") },
  ]);
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ exit: "exited", closing: "partial" }]);
});

test("a baseline that takes longer than a session may is aborted, and the agent works", async () => {
  const { loop } = await givenBaseline(["sleep 600"], { limits: { session_s: 15 } });
  const { steps } = await loop.run("--once");
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ closing: "partial" }]);
  expect(await endsOf(loop)).toEqual(["gate.baselined interrupted", "session.ended"]);
});

test("SIGTERM ends a baseline with its session: recorded as interrupted, cancelled, no agent started", async () => {
  const { loop } = await givenBaseline(["touch begun; sleep 600"]);
  const child = loop.start("--once");
  await comes(() => existsSync(loop.path("begun")));
  child.process.kill("SIGTERM");
  await child.finish();
  expect(await endsOf(loop)).toEqual(["gate.baselined interrupted", "session.ended"]);
  expect(await loop.project.queries.sessions()).toMatchObject([{ exit: "cancelled" }]);
  expect(loop.started()).toEqual([]);
});

test("a session that somebody ends during its baseline is let go, and no agent is started", async () => {
  const { loop } = await givenBaseline(["touch begun; sleep 600"]);
  const running = loop.run("--once");
  await comes(() => existsSync(loop.path("begun")));
  const [open] = await loop.project.queries.sessions({ open: true });
  await loop.project.decide(endSession({ session: open?.id ?? "", exit: "cancelled" }));
  const { steps } = await running;
  expect(stepsOf(steps, "session_taken")).toHaveLength(1);
  expect(loop.started()).toEqual([]);
});

test("the baseline of a driver that was killed is recorded as interrupted, and its session ended", async () => {
  const { loop } = await givenBaseline(["touch begun; sleep 600"], {}, [REACHES, PARTIAL, { result: {} }]);
  const child = loop.start("--once");
  await comes(() => existsSync(loop.path("begun")));
  await child.kill();
  await signalboxJson(["driver", "recover"], { cwd: loop.folder });
  expect(await endsOf(loop)).toEqual(["gate.baselined interrupted", "session.ended"]);
});

test("gate run --baseline does the same for a driver of one's own, and needs its session", async () => {
  const { loop } = await givenBaseline(["exit 3"]);
  await loop.project.decide(startSession({ task: 1, session: "s-1" }));
  const at = { cwd: loop.folder };
  const ran = await signalbox(["gate", "run", "1", "--baseline", "--session", "s-1"], at);
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("gate 1 did not pass") });
  expect((await loop.project.queries.task(1))?.gates).toMatchObject([{ state: "pending", attempts: 0 }]);
  const { stdout } = await signalbox(["prompt", "1", "--session", "s-1"], at);
  expect(stdout).toContain("- gate 1; before your work it failed with exit code 3");
  const refused = await signalbox(["gate", "run", "1", "--baseline"], at);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("name it with --session") });
});

async function endsOf({ project }: Awaited<ReturnType<typeof givenLoop>>): Promise<string[]> {
  return (await project.log.read(0, 200)).flatMap((event) => {
    if (event.type === "session.ended") return [event.type];
    if (event.type !== "gate.attempted" && event.type !== "gate.baselined") return [];
    return [`${event.type}${event.payload.interrupted ? " interrupted" : ""}`];
  });
}
