import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { givenLoop, statuses, stepsOf } from "./given.ts";
import { works } from "./script.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("ten tasks with dependencies are done in the order of the rules, and the loop says that nothing is left", async () => {
  const tasks = Array.from({ length: 10 }, (_, index) => ({
    title: `Task ${index + 1}`,
    // A diamond, a chain, and two that stand alone.
    depends_on: [[], [1], [1], [2, 3], [4], [5], [], [6, 7], [8], []][index] ?? [],
    ...(index === 9 && { priority: "critical" as const }),
  }));
  const loop = await givenLoop(agent, { tasks, others: [works()] });
  const { steps, exitCode, stderr } = await loop.run();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stepsOf(steps, "session_started").map(({ task }) => task)).toEqual([10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(Object.values(await statuses(loop.project))).toEqual(Array(10).fill("done"));
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([
    { ending: "nothing_ready", sessions: 10, reason: "nothing is ready: every task is done or skipped" },
  ]);
});
