import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { setPolicy } from "../../src/operations/policies.ts";
import { useBundle } from "../children.ts";
import { statuses, stepsOf } from "../loop/given-loop.ts";
import { givenMerges } from "../loop/merge/given-merges.ts";
import type { Act } from "../loop/script.ts";

/*
 * Catches: a done whose agent hears only in its next session what is wrong with its work, or hears nothing that mends it. Each row is
 * a session that says done, hears, mends what it heard, and says done again.
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const DONE: Act = { call: "done", with: { summary: "Did it." } };

interface Row {
  readonly name: string;
  readonly makes?: string[];
  readonly does: string;
  /** What the first answer says. */
  readonly hears: RegExp;
  readonly mends: string;
  /** What main has of it afterwards. */
  readonly file: string;
}

const rows: readonly Row[] = [
  {
    name: "a stash",
    does: "echo 1 > one.txt; git stash -q --include-untracked",
    hears: /left behind: one\.txt is in a stash: run `git stash apply [0-9a-f]{12}` and commit\./,
    mends: "git stash pop -q",
    file: "one.txt",
  },
  {
    name: "commits on no branch",
    does: "git switch -q --detach; echo 2 > two.txt; git add .; git commit -qm Two; git switch -q -",
    hears:
      /1 commit is in [0-9a-f]{12}, on no branch: signalbox\/task-2 lacks two\.txt\. Run `git switch \S+ && git merge [0-9a-f]{12}`/,
    mends: "git merge -q $(git reflog | sed -n '/Two/{s/ .*//p;q}')",
    file: "two.txt",
  },
  {
    name: "another branch",
    does: "git switch -qc aside; echo 3 > three.txt; git add .; git commit -qm Three; git switch -q -",
    hears: /1 commit is on the branch aside: signalbox\/task-3 lacks three\.txt/,
    mends: "git merge -q aside",
    file: "three.txt",
  },
  {
    name: "a merge with conflicts",
    does: "git switch -qc other HEAD~1; echo other > list.txt; git commit -qam Other; git switch -q -; echo own > list.txt; git commit -qam Own; echo 4 > four.txt; git add .; git commit -qm Four; git merge -q other; true",
    hears:
      /A merge has conflicts in list\.txt: resolve what is open, `git add` it, and `git commit --no-edit`\./,
    mends: "git checkout -q --ours list.txt; git add list.txt; git commit -q --no-edit",
    file: "four.txt",
  },
  {
    name: "another repository in its place",
    does: "mv .git ../kept; git init -q; echo 5 > five.txt; git add .; git -c user.name=a -c user.email=a@b commit -qm Five",
    hears:
      /gone: The worktree of signalbox\/task-5 is another repository than at the session's start\. left behind: /,
    mends: "rm -rf .git; mv ../kept .git",
    file: "five.txt",
  },
  {
    name: "output that a new rule ignores",
    does: "echo 6 > six.txt; echo six.txt >> .gitignore",
    hears: /six\.txt is ignored by a rule that this session added to \.gitignore, so your branch lacks it/,
    mends: "git checkout -q .gitignore",
    file: "six.txt",
  },
  {
    name: "work of others taken back",
    does: "(cd ../../..; echo o > other.txt; git add other.txt; git commit -qm Else); echo 7 > seven.txt; git add .; git reset -q --soft main; git commit -qm All",
    hears:
      /undoes: Your branch takes back what others brought into main: other\.txt\. Run `git checkout main -- other\.txt`, and commit/,
    mends: "git checkout -q main -- other.txt; git commit -qm Back",
    file: "seven.txt",
  },
  {
    name: "work of others taken back by a reset that is not committed",
    does: "(cd ../../..; echo m > more.txt; git add more.txt; git commit -qm More); echo 8 > eight.txt; git reset -q --soft main",
    hears: /undoes: Your branch takes back what others brought into main: more\.txt\. /,
    mends: "git checkout -q main -- more.txt",
    file: "eight.txt",
  },
  {
    name: "nothing at all",
    does: "true",
    hears:
      /When the session ends, a human is asked to accept the work, for this reason: no change: No file differs/,
    mends: "echo 9 > nine.txt",
    file: "nine.txt",
  },
  {
    name: "a file that the task does not name",
    makes: ["ten.txt"],
    does: "echo 10 > ten.txt; echo s > stray.txt",
    hears:
      /a human is asked .*, for this reason: it changed files outside its output artifacts: stray\.txt\./,
    mends: "rm stray.txt",
    file: "ten.txt",
  },
];

test("what a done would be refused for is told at done, names what mends it, and is mended in the same session", async () => {
  const sessions = rows.map(({ does, mends }): Act[] => [
    ...[{ init: "connected" } as const, { shell: does }, DONE, { shell: mends }, DONE, { result: {} }],
  ]);
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", base: "main" },
    // What an agent wrote is on main before the next one begins.
    tasks: rows.map(({ name, makes = [] }, at) => ({
      ...{ title: name, output_artifacts: makes },
      ...(at > 0 && { depends_on: [at] }),
    })),
    acts: Object.fromEntries(sessions.map((acts, at) => [at + 1, [acts]])),
  });
  await loop.project.decide(setPolicy({ policy: "artifacts.outside", value: "ask" }));
  const { steps } = await loop.run();
  const heard = stepsOf(steps, "session_ended").map(({ session, task }) => {
    const output = readFileSync(loop.path(`.ralph/run/${session}/output.jsonl`), "utf8").split("\n");
    const answers = output.flatMap((line) => (line.includes('"type":"user"') ? [JSON.parse(line)] : []));
    return { task, answers: answers.map(({ message }) => JSON.parse(message.content[0].text).next) };
  });
  for (const [at, { name, hears, file }] of rows.entries()) {
    const { answers = [] } = heard.find(({ task }) => task === at + 1) ?? {};
    expect(answers[0], name).toMatch(hears);
    if (!/human/.test(hears.source)) {
      expect(answers[0], name).toMatch(/^Recorded, but it does not count; the session is still open\. /);
      expect(answers[0], name).toContain("Then call done again.");
    }
    expect(answers[1], name).toMatch(/the task is done/);
    expect(loop.fileAt("main", file), name).toBe(String(at + 1));
  }
  expect(heard).toHaveLength(rows.length);
  expect(loop.fileAt("main", "other.txt")).toBe("o");
  expect(loop.fileAt("main", "more.txt")).toBe("m");
  expect(new Set(Object.values(await statuses(loop.project)))).toEqual(new Set(["done"]));
});

test("a done that would be refused runs no gate; one that says done again after its gates passed is verified", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "One", gates: [{ command: "test -f one.txt", max: 1, timeout_s: 60 }] }],
    acts: {
      1: [
        [
          ...[{ init: "connected" } as const, { shell: "echo 1 > one.txt; git stash -qu" }, DONE],
          ...[{ shell: "git stash pop -q" }, DONE, { result: {} }],
        ],
      ],
    },
  });
  const { steps } = await loop.run();
  // The gate would have used its one attempt.
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ outcome: "success", status: "done" }]);
  expect(await loop.project.queries.sql("SELECT state FROM gate_runs")).toEqual([{ state: "passed" }]);
});
