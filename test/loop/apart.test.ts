import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import type { Step } from "../../src/loop/steps.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { useBundle } from "../children.ts";
import { type GivenLoop, givenLoop, statuses, stepsOf } from "./given-loop.ts";
import type { Act } from "./script.ts";

/* Catches: two agents that make the same files at the same time, a task that never gets its turn, one that waits without need. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const REACHES: Act = { init: "connected" };
const DONE: Act = { call: "done", with: { summary: "Done as asked." } };

test("of two jobs none works on files that the other makes; both tasks get done, and a third runs meanwhile", async () => {
  const loop = await givenLoop(agent, {
    tasks: [
      { title: "One", output_artifacts: ["src/**"] },
      { title: "Two", output_artifacts: ["src/a.ts"] },
      { title: "Three", output_artifacts: ["docs/a.md"] },
    ],
    others: [[REACHES, { wait_ms: 300 }, DONE, { result: {} }]],
    acts: {
      // Until the third has begun, but not for ever.
      1: [
        [
          REACHES,
          { shell: "for i in $(seq 200); do test -e three && break; sleep 0.1; done" },
          DONE,
          { result: {} },
        ],
      ],
      3: [[REACHES, { shell: "touch three" }, { wait_ms: 300 }, DONE, { result: {} }]],
    },
  });
  const { exitCode } = await loop.run("--jobs", "2");
  expect(exitCode).toBe(0);
  expect(Object.values(await statuses(loop.project))).toEqual(["done", "done", "done"]);
  const together = await atOnce(loop.project);
  expect(together).toContain("1 3");
  expect(together).not.toContain("1 2");
});

test("nor do two loops at once, with two jobs each", async () => {
  const artifacts = [["src/a.ts"], ["src"], ["docs"], ["docs/*.md"], ["**/a.ts"], ["docs/b.md"], [], []];
  const loop = await givenLoop(agent, {
    tasks: artifacts.map((output_artifacts, index) => ({ title: `Task ${index + 1}`, output_artifacts })),
    others: [[REACHES, { wait_ms: 200 }, DONE, { result: {} }]],
  });
  const wait = ["--jobs", "2", "--wait"];
  const both = [loop.start(...wait), loop.start(...wait)];
  await expect.poll(() => areDone(loop), { timeout: 120_000, interval: 200 }).toBe(true);
  for (const child of both) {
    child.process.kill("SIGINT");
    await child.finish();
  }
  const together = await atOnce(loop.project);
  expect(together.filter((pair) => ["1 2", "3 4", "1 5", "2 5", "3 6", "4 6"].includes(pair))).toEqual([]);
  expect(loop.twice()).toEqual([]);
});

test("a loop that waits begins such a task once the other session has ended", async () => {
  const loop = await givenLoop(agent, {
    tasks: [
      { title: "One", output_artifacts: ["src/a.ts"] },
      { title: "Two", output_artifacts: ["src"] },
    ],
    others: [[REACHES, DONE, { result: {} }]],
  });
  await loop.project.decide(startSession({ task: 1, session: "by-hand" }));
  const driver = loop.start("--wait", "--once");
  const steps: Step[] = [];
  for await (const line of driver.lines) {
    const step: Step = JSON.parse(line);
    steps.push(step);
    if (step.step === "waiting")
      await loop.project.decide(endSession({ session: "by-hand", exit: "cancelled" }));
    if (step.step === "loop_stopped") break;
  }
  expect(stepsOf(steps, "waiting")[0]?.reason).toContain(
    "#2 is waiting for #1, which makes the same files (src/a.ts)",
  );
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "once", sessions: 1 }]);
});

async function areDone({ project }: GivenLoop): Promise<boolean> {
  return Object.values(await statuses(project)).every((status) => status === "done");
}

/** The pairs of tasks whose sessions were open at the same time. */
async function atOnce({ queries }: Project): Promise<string[]> {
  const sessions = (await queries.sessions()).map(({ task_id, started_position, ended_position }) => {
    return { task: task_id ?? 0, from: started_position, until: ended_position ?? Number.POSITIVE_INFINITY };
  });
  return sessions
    .flatMap((one) =>
      sessions
        .filter((other) => one.task < other.task && one.from < other.until && other.from < one.until)
        .map((other) => `${one.task} ${other.task}`),
    )
    .sort();
}
