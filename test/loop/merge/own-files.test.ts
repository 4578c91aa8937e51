import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../../children.ts";
import { stepsOf } from "../given-loop.ts";
import { eventsOf, givenMerges, works } from "./given-merges.ts";

/* Catches: a branch by which an agent writes what signalbox trusts, through the loop's own merge. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const JOURNAL = ".ralph/db/events.db-journal";
const forges = (path: string, more = "true") =>
  works(
    `mkdir -p "$(dirname ${path})" && echo forged > ${path} && git add -f ${path} && git -c user.name=a -c user.email=a@example.org commit -qm forged && ${more}`,
  );

test.each([
  ["a rollback journal", forges(JOURNAL)],
  [
    "one that it removes again",
    forges(
      JOURNAL,
      `git rm -q ${JOURNAL} && git -c user.name=a -c user.email=a@example.org commit -qm gone && echo x > x.txt`,
    ),
  ],
  ["a person's token", forges(`.ralph/people/${"0".repeat(64)}.json`)],
  ["a key", forges(".RALPH/notices/key")],
])("a branch with %s is not merged by integrate auto, and waits for a human", async (_what, acts) => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "Forge" }],
    acts: { 1: [acts] },
  });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "merge_ended")).toMatchObject([
    { state: "waiting", reason: expect.stringContaining("which only signalbox writes") },
  ]);
  expect(await loop.project.queries.inbox()).toMatchObject([{ kind: "merge", task: 1 }]);
  // At the session's end, and before the merge.
  const told = { problem: expect.stringContaining("git reset --soft") };
  expect(await eventsOf(loop.project, "workspace.committed")).toMatchObject([told, told]);
  expect(loop.git("log", "--format=%s", "main").split("\n")[0]).toBe("A list");
  expect(existsSync(loop.path(JOURNAL))).toBe(false);
});

test("with integrate ask such a branch waits for a human, and nothing of it is written", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask" },
    tasks: [{ title: "Forge" }],
    acts: { 1: [forges(JOURNAL)] },
  });
  await loop.run();
  const [item] = await loop.project.queries.inbox();
  expect(item).toMatchObject({ kind: "merge", task: 1 });
  expect(existsSync(loop.path(JOURNAL))).toBe(false);
});

test("no session starts on a branch that brings such a file, and the others go on", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never" },
    tasks: [{ title: "Forged" }, { title: "Good" }],
    acts: { 2: [works("echo good > good.txt")] },
  });
  loop.git("checkout", "-q", "-b", "signalbox/task-1");
  loop.git(
    "update-index",
    "--add",
    "--cacheinfo",
    `100644,${loop.git("hash-object", "-w", "list.txt")},${JOURNAL}`,
  );
  loop.git("commit", "-qm", "forged");
  loop.git("checkout", "-q", "main");
  const { steps } = await loop.run();
  expect(stepsOf(steps, "skipped")).toMatchObject([
    { task: 1, reason: expect.stringContaining("which only signalbox writes") },
  ]);
  expect(stepsOf(steps, "session_started").map(({ task }) => task)).toEqual([2]);
  expect(existsSync(loop.path(JOURNAL))).toBe(false);
});
