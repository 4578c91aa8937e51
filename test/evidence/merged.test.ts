import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acceptTask } from "../../src/operations/acceptance.ts";
import { queueAgain } from "../../src/operations/merges.ts";
import { useBundle } from "../children.ts";
import { stepsOf } from "../loop/given-loop.ts";
import { type GivenMerges, givenMerges, works } from "../loop/merge/given-merges.ts";
import { signalbox } from "../support/cli.ts";

/*
 * What is merged is what was verified, and takes nothing back (docs/decisions/0074).
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

/** A task whose work waits for a human, on its branch. */
async function givenLeft(
  integrate: "auto" | "ask",
  before: (loop: GivenMerges) => void = () => {},
): Promise<GivenMerges> {
  const loop = await givenMerges(agent, {
    worktrees: { integrate, base: "main", keep: "never" },
    tasks: [{ title: "One", accept: "human" }],
    acts: { 1: [works("echo one > one.txt")] },
  });
  before(loop);
  await loop.run();
  return loop;
}

const ends = async (loop: GivenMerges) => stepsOf((await loop.run()).steps, "merge_ended");
const last = (loop: GivenMerges) => loop.git("rev-parse", "--short=12", "signalbox/task-1");

function commitLater(loop: GivenMerges): void {
  writeFileSync(loop.path(".ralph/worktrees/task-1/later.txt"), "later\n");
  loop.gitIn(1, "add", "later.txt");
  loop.gitIn(1, "commit", "--quiet", "--message=Later");
}

test("what came onto the branch after its session's end is not merged until a human queues it", async () => {
  const loop = await givenLeft("auto");
  const verified = last(loop);
  commitLater(loop);
  await loop.project.decide(acceptTask({ task: 1 }));
  const [ended] = await ends(loop);
  expect(ended).toMatchObject({ state: "waiting" });
  expect(ended?.reason).toBe(
    `signalbox/task-1 is at ${last(loop)}, but its last session ended with ${verified}: what came after was not looked at. See what came after with ` +
      `\`git log -p ${last(loop)} --not ${verified} main\`; to merge the branch as it is, run \`signalbox merge queue 1\`.`,
  );
  expect(loop.git("log", "--format=%s", last(loop), "--not", verified, "main")).toBe("Later");
  expect(loop.fileAt("main", "one.txt")).toBeUndefined();
  expect(await ends(loop)).toEqual([]);
  await loop.project.decide(queueAgain({ task: 1 }));
  expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "later.txt")).toBe("later");
});

test("files changed in the worktree after the session's end are not merged either, until a human queues them", async () => {
  const loop = await givenLeft("auto");
  writeFileSync(loop.path(".ralph/worktrees/task-1/one.txt"), "two\n");
  await loop.project.decide(acceptTask({ task: 1 }));
  expect(await ends(loop)).toMatchObject([
    { state: "waiting", reason: expect.stringContaining(`is at ${last(loop)}, but its last session`) },
  ]);
  await loop.project.decide(queueAgain({ task: 1 }));
  expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "one.txt")).toBe("two");
});

test("the same files in another commit are verified; a branch that a human queues is taken as it was then", async () => {
  const loop = await givenLeft("auto");
  loop.gitIn(1, "commit", "--quiet", "--amend", "--message=Another subject");
  await loop.project.decide(acceptTask({ task: 1 }));
  expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  expect(loop.git("log", "-1", "--format=%s", "main")).toBe("Another subject");

  // What the look leaves out, git's tree has.
  const tracked = await givenLeft("auto", (loop) => {
    writeFileSync(loop.path(".ralph/note.txt"), "note");
    loop.git("add", "--force", ".ralph/note.txt");
    loop.git("commit", "--quiet", "--message=Note");
  });
  tracked.gitIn(1, "commit", "--quiet", "--amend", "--message=Another subject");
  await tracked.project.decide(acceptTask({ task: 1 }));
  expect(await ends(tracked)).toMatchObject([{ state: "landed" }]);

  const other = await givenLeft("auto");
  await other.project.decide(acceptTask({ task: 1 }));
  commitLater(other);
  await signalbox(["merge", "queue", "1", "--db", other.db]);
  expect(await ends(other)).toMatchObject([{ state: "landed" }]);
  expect(other.fileAt("main", "later.txt")).toBe("later");
});

test("with integrate ask the verified commit is proposed, and what came after it is said before it is merged", async () => {
  const loop = await givenLeft("ask");
  const verified = loop.git("rev-parse", "signalbox/task-1");
  commitLater(loop);
  await loop.project.decide(acceptTask({ task: 1 }));
  await loop.run();
  expect(await loop.project.queries.merges()).toMatchObject([{ state: "proposed", commit_id: verified }]);
  await loop.project.decide(queueAgain({ task: 1 }));
  expect(await ends(loop)).toMatchObject([{ state: "waiting" }]);
  await signalbox(["merge", "withdraw", "1", "--db", loop.db]);
  expect(await ends(loop)).toEqual([]);
  expect(await loop.project.queries.merges()).toMatchObject([{ state: "withdrawn" }]);
  await signalbox(["merge", "queue", "1", "--db", loop.db]);
  expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
});

/** Two tasks; the second has the first one's commits in its branch, but not their files. */
async function givenOurs(): Promise<GivenMerges> {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask", base: "main" },
    tasks: [{ title: "One" }, { title: "Two" }],
    acts: {
      1: [works("echo one > one.txt")],
      2: [works("git merge --quiet -s ours -m Ours signalbox/task-1; echo two > two.txt")],
    },
  });
  await loop.run();
  return loop;
}

test.each(["as the same commit", "rebased"])(
  "a branch with another one's commits, but not their files, takes nothing back when that has landed %s",
  async (how) => {
    const loop = await givenOurs();
    if (how === "rebased") loop.git("commit", "--quiet", "--allow-empty", "--message=Empty");
    const queue = async (task: number) => {
      await signalbox(["merge", "queue", `${task}`, "--db", loop.db]);
      return await ends(loop);
    };
    expect(await queue(1)).toMatchObject([{ state: "landed" }]);
    const [ended] = await queue(2);
    expect(ended).toMatchObject({ state: "waiting" });
    expect(ended?.reason).toMatch(
      /takes back what others brought into main since its work began: one\.txt\. Run `git checkout main -- one\.txt` in /,
    );
    expect(loop.fileAt("main", "one.txt")).toBe("one");
    expect(await queue(2)).toMatchObject([{ state: "landed" }]);
    expect(loop.fileAt("main", "one.txt")).toBeUndefined();
  },
);

test("a task that goes on from its dependency's work takes nothing back, though that lands only meanwhile", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "ask", base: "main" },
    tasks: [{ title: "One" }, { title: "Two", depends_on: [1] }],
    acts: { 1: [works("echo one > one.txt")], 2: [works("git mv one.txt two.txt")] },
  });
  await loop.run();
  for (const task of [1, 2]) {
    await signalbox(["merge", "queue", `${task}`, "--db", loop.db]);
    expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  }
  expect([loop.fileAt("main", "one.txt"), loop.fileAt("main", "two.txt")]).toEqual([undefined, "one"]);
});

test("what a human has accepted at the session's end is merged without a second question", async () => {
  const partial = { call: "partial", with: { summary: "a", remaining: "b" } };
  const takes = works("git reset -q --soft main; git commit -qm All");
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", base: "main" },
    tasks: [{ title: "One" }],
    acts: { 1: [[{ init: "connected" }, { shell: "echo b > b.txt" }, partial, { result: {} }], takes] },
  });
  await signalbox(["policy", "set", "evidence.undoes", "ask", "--db", loop.db]);
  await loop.run("--once");
  loop.git("rm", "--quiet", "list.txt");
  // More than a finding names.
  for (let at = 0; at < 101; at++) writeFileSync(loop.path(`file-${at}`), "");
  loop.git("add", ".");
  loop.git("commit", "--quiet", "--message=Without a list");
  await loop.run("--once");
  expect(loop.fileAt("main", "list.txt")).toBeUndefined();
  await loop.project.decide(acceptTask({ task: 1 }));
  expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "list.txt")).toBe("one\ntwo\nthree");
  expect(loop.git("ls-tree", "--name-only", "main")).not.toContain("file-");
});

test("with `evidence.undoes` at note a merge takes back what it takes back", async () => {
  const loop = await givenOurs();
  await signalbox(["policy", "set", "evidence.undoes", "note", "--db", loop.db]);
  for (const task of [1, 2]) {
    await signalbox(["merge", "queue", `${task}`, "--db", loop.db]);
    expect(await ends(loop)).toMatchObject([{ state: "landed" }]);
  }
});
