import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { Step } from "../../../src/loop/steps.ts";
import { useBundle } from "../../children.ts";
import { stepsOf } from "../given-loop.ts";
import { eventsOf, givenMerges, works } from "./given-merges.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("a driver killed during a gate on the merged result leaves the base unchanged, and another driver merges it", async () => {
  // On the branch it passes at once; on the merged result it waits for a file the first time.
  const gate = `case "$PWD" in *worktrees/merge) echo $$ >> ../gates; while test -f ../hold; do sleep 0.05; done;; esac`;
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "Add four", gates: [{ command: gate, max: 5, timeout_s: 60 }] }],
    acts: { 1: [works("echo four >> list.txt; touch ../hold")] },
  });
  const before = loop.git("rev-parse", "main");
  const { process: driver, lines } = loop.start();
  for await (const line of lines) {
    const step: Step = JSON.parse(line);
    // The command itself has begun when it has written its number.
    if (step.step === "merge_gate") break;
  }
  await expect.poll(() => existsSync(loop.path(".ralph/worktrees/gates")), { timeout: 20_000 }).toBe(true);
  const gone = new Promise((resolve) => driver.once("close", resolve));
  driver.kill("SIGKILL");
  await gone;
  expect(loop.git("rev-parse", "main")).toBe(before);
  rmSync(loop.path(".ralph/worktrees/hold"));
  appendFileSync(loop.path(".ralph/worktrees/gates"), "second\n");
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  expect(stepsOf(steps, "merge_ended")).toMatchObject([{ task: 1, state: "landed" }]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree\nfour");
  expect(await eventsOf(loop.project, "merge.begun")).toHaveLength(2);
  expect(await eventsOf(loop.project, "merge.landed")).toHaveLength(1);
  expect(readFileSync(loop.path(".ralph/worktrees/gates"), "utf8")).toMatch(/^\d+\nsecond\n\d+\n$/);
});
