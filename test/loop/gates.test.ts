import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { useBundle } from "../children.ts";
import { givenLoop, stepsOf } from "./given-loop.ts";
import type { Act } from "./script.ts";

/*
 * Catches: an agent that is cut off while its gates are run, one that is never ended after them, a gate that the settlement has not
 * heard of. The agent runs gates by the command here, which is as when its server does: somebody else's process, in its session.
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

test("an agent whose gates take longer than it may take to end is not cut off, nor is one that is silent meanwhile", async () => {
  const closing = { after_closing_s: 3, grace_s: 1 };
  const silent = { silence_s: 3, grace_s: 1 };
  const [closed, quiet] = await Promise.all([
    afterOneSession("sleep 6", [REACHES, DONE, RUNS_GATES, { result: {} }], { limits: closing }),
    afterOneSession("sleep 6", [REACHES, RUNS_GATES, DONE, { result: {} }], { limits: silent }),
  ]);
  for (const { ended, gate } of [closed, quiet]) {
    expect(ended).toMatchObject({ exit: "exited", reason: null, outcome: "success", status: "done" });
    expect(gate).toMatchObject({ state: "passed" });
  }
});

test("an agent that hangs after its gates is ended, and its done stands", async () => {
  const { ended, gate } = await afterOneSession("sleep 4", [REACHES, DONE, RUNS_GATES, HANGS], {
    limits: { after_closing_s: 2, grace_s: 1 },
  });
  expect(ended).toMatchObject({ exit: "exited", closing: "done", outcome: "success", status: "done" });
  expect(ended?.reason).toMatch(/did not end within 2 s/);
  expect(gate).toMatchObject({ state: "passed" });
});

test("nobody waits for a gate whose runner was killed", async () => {
  const dies: Act = { shell: `${GATE_RUN} & ${BEGUN}; kill -9 $!` };
  const { ended, gate } = await afterOneSession("touch begun; sleep 600", [REACHES, dies, HANGS], {
    limits: { silence_s: 2, grace_s: 1 },
  });
  expect(ended).toMatchObject({ exit: "timed_out" });
  expect(ended?.reason).toMatch(/silent for 2 s/);
  expect(gate).toMatchObject({ state: "failed", last_interrupted: 1 });
});

test("the session's limit counts while a gate is run, which is then interrupted and recorded before the session ends", async () => {
  const command = "trap '' TERM; touch begun; sleep 600";
  const { loop, ended } = await afterOneSession(command, [REACHES, RUNS_GATES, HANGS], {
    limits: { session_s: 4, grace_s: 1 },
  });
  expect(ended?.reason).toMatch(/longer than 4 s/);
  expect(await endsOf(loop)).toEqual(["gate.attempted interrupted", "session.ended"]);
});

test("a gate that is run when its agent ends is recorded before the session's settlement", async () => {
  const leaves: Act = { shell: `${GATE_RUN} & ${BEGUN}` };
  const command = "trap '' TERM; touch begun; sleep 600";
  const { loop, gate } = await afterOneSession(command, [REACHES, leaves, PARTIAL, { result: {} }], {});
  expect(gate).toMatchObject({ state: "failed", attempts: 1, last_interrupted: 1 });
  expect(await endsOf(loop)).toEqual(["gate.attempted interrupted", "session.ended"]);
});

async function endsOf({ project }: Awaited<ReturnType<typeof givenLoop>>): Promise<string[]> {
  return (await project.log.read(0, 200)).flatMap((event) => {
    if (event.type === "session.ended") return [event.type];
    if (event.type !== "gate.attempted" && event.type !== "gate.baselined") return [];
    return [`${event.type}${event.payload.interrupted ? " interrupted" : ""}`];
  });
}
