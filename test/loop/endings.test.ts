// @module-tag linux
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { continueTask } from "../../src/operations/stalls.ts";
import { useBundle } from "../children.ts";
import { freshFolder } from "../support/project.ts";
import { type GivenLoop, givenLoop, stepsOf } from "./given-loop.ts";
import { type Act, works } from "./script.ts";

/*
 * How a session ends, by how its agent really ended: with real processes, and the real server behind the agent's calls.
 */
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const DONE: Act = { call: "done", with: { summary: "Done as asked." } };
const STUCK: Act = { call: "stuck", with: { reason: "No host to try it on." } };
const REACHES: Act = { init: "connected" };

/** Runs one session of one task. */
async function afterOneSession(acts: readonly Act[], config: object = {}) {
  const loop = await givenLoop(agent, { tasks: [{ title: "Export" }], others: [acts], config });
  return { loop, ...(await sessionOf(loop, "--once")) };
}

async function sessionOf(loop: GivenLoop, ...args: string[]) {
  const ran = await loop.run(...args);
  const [ended] = stepsOf(ran.steps, "session_ended");
  const task = await loop.project.queries.taskRow(1);
  return { ...ran, ended, task };
}

test.each<[string, Act[], object]>([
  [
    "reports done and ends",
    [REACHES, DONE, { result: {} }],
    { exit: "exited", outcome: "success", status: "done" },
  ],
  [
    "never signals",
    [REACHES, { result: {} }],
    { exit: "exited", outcome: "failure", closing: "stuck", status: "pending" },
  ],
  [
    "is killed before it signals",
    [REACHES, { kill: "SIGKILL" }],
    { exit: "crashed", outcome: "failure", status: "pending" },
  ],
  [
    "is killed after done",
    [REACHES, DONE, { kill: "SIGKILL" }],
    { exit: "crashed", outcome: "success", status: "done" },
  ],
  [
    "ends with code 3 after a signal",
    [REACHES, { call: "flag", with: { what: "Odd.", severity: "info", category: "bug" } }, { exit: 3 }],
    { exit: "crashed", status: "pending" },
  ],
  [
    "reaches a limit of turns",
    [REACHES, { result: { subtype: "error_max_turns", is_error: true } }, { exit: 1 }],
    { exit: "timed_out", outcome: "timeout" },
  ],
  [
    "uses up the budget of the loop after partial",
    [
      REACHES,
      { call: "partial", with: { summary: "Half.", remaining: "The rest." } },
      { result: { subtype: "error_max_budget_usd", is_error: true } },
      { exit: 1 },
    ],
    { exit: "cancelled", outcome: "partial" },
  ],
  [
    "uses up the budget of the loop",
    [REACHES, { result: { subtype: "error_max_budget_usd", is_error: true } }, { exit: 1 }],
    { exit: "cancelled", outcome: "cancelled", closing: null, status: "pending" },
  ],
  [
    "says that it is stuck and fails afterwards",
    [REACHES, STUCK, { result: { is_error: true } }, { exit: 1 }],
    { exit: "exited", outcome: "failure", closing: "stuck" },
  ],
])("an agent that %s", async (_what, acts, expected) => {
  const { ended, loop } = await afterOneSession(acts);
  expect(ended).toMatchObject(expected);
  expect(await loop.project.queries.sessions({ open: true })).toEqual([]);
});

test.each<[string, Act[], RegExp]>([
  ["whose server did not start", [{ init: "failed" }, { result: {} }], /server ralph is failed/],
  ["that has no server of ours", [{ init: "missing" }, { result: {} }], /server ralph is missing/],
  [
    "that may not use our tools",
    [
      REACHES,
      { print: { type: "system", subtype: "permission_denied", tool_name: "mcp__ralph__done" } },
      { result: {} },
    ],
    /not allowed to use mcp__ralph__done/,
  ],
  [
    "that may not use what it needs",
    [REACHES, { print: { type: "system", subtype: "permission_denied", tool_name: "Bash" } }, { result: {} }],
    /not allowed to use Bash/,
  ],
  [
    "whose model gives no answer for an unknown reason",
    [REACHES, { result: { is_error: true, result: "API Error: 400 No such thing." } }, { exit: 1 }],
    /400 No such thing/,
  ],
  [
    "that ends before it begins",
    [{ say: "Segmentation fault" }, { exit: 1 }],
    /the agent ended with code 1 before it began: Segmentation fault/,
  ],
])(
  "an agent %s is no stuck task: cancelled, the reason kept, and three in a row stop the loop",
  async (_what, acts, reason) => {
    const loop = await givenLoop(agent, { tasks: [{ title: "Export" }], others: [acts] });
    const { steps, exitCode, task } = await sessionOf(loop);
    const ended = stepsOf(steps, "session_ended");
    expect(ended.map(({ exit, closing, outcome }) => ({ exit, closing, outcome }))).toEqual(
      Array(3).fill({ exit: "cancelled", closing: null, outcome: "cancelled" }),
    );
    for (const { reason: told } of ended) expect(told).toMatch(reason);
    expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "agent_unusable", sessions: 3 }]);
    expect(exitCode).toBe(1);
    expect(task).toMatchObject({ status: "pending", stuck_count: 0, inferred_stucks: 0, ready: false });
    expect(await loop.project.queries.inbox()).toMatchObject([{ kind: "hold", task: 1 }]);
    const rows = await loop.project.queries.sql("SELECT end_reason FROM sessions");
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).toMatch(reason);
  },
);

test("a session that works between two that could not lets the loop go on", async () => {
  const unusable: Act[] = [{ init: "failed" }, { result: {} }];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "One" }, { title: "Two" }, { title: "Three" }],
    acts: { 1: [unusable, unusable, works()], 2: [unusable, unusable, works()], 3: [works()] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "nothing_ready", sessions: 7 }]);
});

test("a missing agent program stops the loop at once, and does not count as stuck", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "Export" }] });
  const { ended, task, exitCode, steps } = await sessionOf(
    loop,
    "--agent",
    "no-such-program {prompt_file} {mcp_config}",
  );
  expect(ended?.reason).toMatch(/could not be started.*not found/);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([
    {
      ...{ ending: "agent_unusable", sessions: 1 },
      reason: expect.stringMatching(/Install it, or correct the command of agent "command"/),
    },
  ]);
  expect(task).toMatchObject({ status: "pending", stuck_count: 0 });
  expect(exitCode).toBe(1);
});

// Limits that a busy machine does not reach while it starts the agent and its server; how they are counted: watchdog.test.ts.
test.each<[string, Act[], object, RegExp]>([
  ["silence", [{ wait_ms: 600_000 }], { silence_s: 12 }, /silent for 12 s/],
  [
    "the session's limit",
    Array.from({ length: 1_000 }, (): Act[] => [{ print: "…" }, { wait_ms: 500 }]).flat(),
    { silence_s: 12, session_s: 15 },
    /longer than 15 s/,
  ],
])("%s ends the agent: timed out, the task stuck", async (_what, acts, limits, reason) => {
  const { ended } = await afterOneSession([REACHES, ...acts], { limits: { grace_s: 1, ...limits } });
  expect(ended).toMatchObject({ exit: "timed_out", outcome: "timeout", status: "pending" });
  expect(ended?.reason).toMatch(reason);
});

test("an agent that has closed and hangs is ended without harm to its outcome, though it does not hear TERM", async () => {
  const { ended, task } = await afterOneSession([REACHES, { deaf: true }, DONE, { wait_ms: 60_000 }], {
    limits: { after_closing_s: 1, grace_s: 1 },
  });
  expect(ended).toMatchObject({ exit: "exited", closing: "done", outcome: "success", status: "done" });
  expect(task?.status).toBe("done");
});

test("an agent's leftover processes are ended with it, and do not delay the loop", async () => {
  const file = join(freshFolder(), "left");
  const { ended } = await afterOneSession([REACHES, { leave_child: file }, DONE, { result: {} }]);
  expect(ended).toMatchObject({ exit: "exited", status: "done" });
  const pid = Number(readFileSync(file, "utf8"));
  expect(pid).toBeGreaterThan(1);
  await until(() => isGone(pid));
});

/** Gone, or dead and waiting to be collected. */
function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}

test("an agent that reports partial for ever, and changes nothing, is asked about after three sessions", async () => {
  const half: Act[] = [
    REACHES,
    { call: "partial", with: { summary: "Read it.", remaining: "All of it." } },
    { result: {} },
  ];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }, { title: "Import" }],
    acts: { 1: [half, half, half, half], 2: [[{ shell: "echo x > x.txt" }, ...works()]] },
    git: true,
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "session_ended").map(({ task, status }) => `${task} ${status}`)).toEqual([
    "1 pending",
    "2 done",
    "1 pending",
    "1 needs_input",
  ]);
  expect(steps.at(-1)).toMatchObject({ ending: "nothing_ready" });
  const [item] = await loop.project.queries.inbox();
  expect(item).toMatchObject({ kind: "stall", task: 1, of_kind: "no_progress" });
  expect(item?.detail?.match(/changed: nothing\. ⊙ \*\*Partial:\*\* Read it\./g)).toHaveLength(3);

  await loop.project.decide(continueTask({ task: 1, hint: "The header row comes first." }));
  await loop.run("--once");
  const [, , , , last] = loop.started();
  expect(readFileSync(loop.path(`.ralph/run/${last?.session}/prompt.md`), "utf8")).toContain(
    "The header row comes first.",
  );
});
