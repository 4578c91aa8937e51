import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { beat, signOff } from "../../../src/loop/drivers/registry.ts";
import { openMergeQueue } from "../../../src/loop/merge/queue.ts";
import type { Step } from "../../../src/loop/steps.ts";
import { recordGateAttempt } from "../../../src/operations/gates.ts";
import { setTaskStatus } from "../../../src/operations/task-status.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { worktreeOf } from "../../../src/workspace/worktree.ts";
import { freshProject } from "../../support/project.ts";
import { makeRepository } from "../given-loop.ts";
import { eventsOf } from "./given-merges.ts";

/** A project in a repository, with a done task whose worktree has a file that is not committed, and a gate. */
async function givenDoneTask() {
  const { project, folder, db } = await freshProject();
  makeRepository(folder);
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.org"],
  ] as const)
    execFileSync("git", ["config", name, value], { cwd: folder });
  const gates = [{ command: "test -f note.txt", max: 5, timeout_s: 60 }];
  await project.decide(createTask({ title: "A note", gates }));
  await project.decide(recordGateAttempt({ task: 1, gate: 1, exit_code: 0 }));
  await project.decide(setTaskStatus({ task: 1, status: "done" }));
  const worktree = await worktreeOf(folder, 1);
  writeFileSync(join(worktree.folder, "note.txt"), "note\n");
  // A commit, so that the queue sees work; the rest is committed before the merge.
  execFileSync("git", ["commit", "--quiet", "--allow-empty", "-m", "Begin"], { cwd: worktree.folder });
  const steps: Step[] = [];
  const config = parseConfig({ worktrees: { integrate: "auto" } }, "test");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trimEnd();
  return {
    ...{ project, folder, steps, git },
    /** Merges what is queued as a driver of this name, which then is gone. */
    async driver(name: string, as: Project = project) {
      beat(db, name, process.pid);
      try {
        const signal = new AbortController().signal;
        const tell = (step: Step) => void steps.push(step);
        const queue = openMergeQueue({ project: as, readModelPath: db, config, signal, tell }, name);
        for (let next = await queue?.next(); next; next = await queue?.next()) await next();
      } finally {
        signOff(db, name);
      }
    },
  };
}

class Killed extends Error {}

/** The project as a driver has it that dies before or after what it records as number `at`. */
function dying(project: Project, at: number, when: "before" | "after"): Project {
  let count = 0;
  const die = async <T>(record: () => Promise<T>): Promise<T> => {
    count += 1;
    if (count > at || (count === at && when === "before")) throw new Killed();
    const recorded = await record();
    if (count === at) throw new Killed();
    return recorded;
  };
  const log = Object.create(project.log, {
    append: {
      value: (...args: Parameters<Project["log"]["append"]>) => die(() => project.log.append(...args)),
    },
  });
  return Object.create(project, {
    decide: { value: (...args: Parameters<Project["decide"]>) => die(() => project.decide(...args)) },
    log: { value: log },
  });
}

/** The events of one merge from its queue to its landing; a driver may die before and after each. */
const RECORDED = [
  "merge.queued",
  "merge.begun",
  "workspace.committed",
  "merge.gate_attempted",
  "merge.ready",
  "merge.landed",
] as const;

test("an undisturbed merge records exactly the events at which a driver is killed below", async () => {
  const { project, driver } = await givenDoneTask();
  const before = await project.log.head();
  await driver("d-1");
  const events = await project.log.read(before, 100);
  expect(events.map(({ type }) => type)).toEqual([...RECORDED]);
});

test.each(
  RECORDED.flatMap((type, place) => [
    [type, "before", place + 1] as const,
    [type, "after", place + 1] as const,
  ]),
)(
  "a driver that is killed at %s, %s it is recorded, leaves a merge that the next one brings to its end, once",
  async (_type, when, at) => {
    const { project, folder, git, driver } = await givenDoneTask();
    const before = git("rev-parse", "main");
    await expect(driver("d-1", dying(project, at, when))).rejects.toThrow(Killed);
    await driver("d-2");
    expect(git("show", "main:note.txt")).toBe("note");
    expect(git("rev-list", "--count", `${before}..main`, "--", "note.txt")).toBe("1");
    expect(git("status", "--porcelain")).toBe("");
    expect(existsSync(join(folder, "note.txt"))).toBe(true);
    const landed = await eventsOf(project, "merge.landed");
    expect(landed).toMatchObject([{ task: 1, base: "main", to: git("rev-parse", "main") }]);
    expect(await project.queries.merges()).toMatchObject([{ state: "landed" }]);
    // Once more there is nothing to do.
    const head = await project.log.head();
    await driver("d-3");
    expect(await project.log.head()).toBe(head);
  },
);

test("two simultaneous drivers merge a task once, one at a time", async () => {
  const { project, driver, git } = await givenDoneTask();
  await Promise.all([driver("d-1"), driver("d-2"), driver("d-3")]);
  expect(await eventsOf(project, "merge.begun")).toHaveLength(1);
  expect(await eventsOf(project, "merge.landed")).toHaveLength(1);
  expect(git("show", "main:note.txt")).toBe("note");
});
