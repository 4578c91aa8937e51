import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { stepsOf } from "../loop/given-loop.ts";
import { eventsOf, givenMerges, works } from "../loop/merge/given-merges.ts";
import { signalbox } from "../support/cli.ts";

/* Catches: a session whose end does not say what its agent did, and one whose driver has died. found.test.ts has the rest. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("what a session did is a fact before its end; the loop, the task and the log say it in the same words", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "One" }],
    acts: {
      1: [works("printf 'a\\nb\\n' > a.txt; git add .; git commit -qm A; echo x >> list.txt; git stash -q")],
    },
  });
  const { steps } = await loop.run("--once");
  const events = await loop.project.log.read(0, 1_000);
  const ends = events.filter(({ type }) => /^session\.(work|ended)$/.test(type));
  expect(ends.map(({ type }) => type)).toEqual(["session.work", "session.ended"]);
  expect(Number(ends[1]?.position) - Number(ends[0]?.position)).toBe(1);
  const [work] = await eventsOf(loop.project, "session.work");
  const stash = loop.git("rev-parse", "stash").slice(0, 12);
  expect(work).toMatchObject({
    ...{ task: 1, commits: 1, more: 0, added: 2, removed: 0 },
    files: [{ path: "a.txt", kind: "added", added: 2, removed: 0 }],
    findings: [{ kind: "left_behind", paths: ["list.txt"], refs: [stash] }],
  });
  expect(work?.base).toBe(work?.start);
  const finding = `left behind: list.txt is in a stash: run \`git stash apply ${stash}\` and commit.`;
  const words = `1 file, +2 −0, 1 commit; ${finding}`;
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ findings: [finding] }]);
  expect((await signalbox(["task", "show", "1"], { cwd: loop.folder })).stdout).toContain(words);
  expect((await signalbox(["log"], { cwd: loop.folder })).stdout).toContain(words.slice(0, 50));
});

test("the next session of a task is compared with the base of its first one", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never", base: "main" },
    tasks: [{ title: "One" }],
    acts: {
      1: [
        [{ init: "connected" }, { call: "partial", with: { summary: "a", remaining: "b" } }, { result: {} }],
        works("git reset -q --soft main; echo b > b.txt; git add .; git commit -qm All"),
      ],
    },
  });
  await loop.run("--once");
  loop.git("commit", "--quiet", "--allow-empty", "-m", "Empty");
  const add = (name: string) => {
    loop.git(
      "update-index",
      "--add",
      "--cacheinfo",
      `100644,${loop.git("rev-parse", "HEAD:list.txt")},${name}`,
    );
    loop.git("checkout", "--", name);
    loop.git("commit", "--quiet", "-m", name);
  };
  add("other.txt");
  await loop.run("--once");
  const found = await eventsOf(loop.project, "session.work");
  expect(found).toMatchObject([
    { findings: [{ kind: "no_change" }] },
    { findings: [{ kind: "undoes", paths: ["other.txt"], refs: ["main"] }] },
  ]);
  expect(found[1]?.fork).toBe(found[0]?.fork);
});

test("a session whose driver was killed: the next loop commits what its agent left, and says what it did", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never" },
    tasks: [{ title: "One" }],
    acts: {
      1: [
        [
          { init: "connected" },
          { shell: "echo a > a.txt" },
          { call: "done", with: { summary: "A" } },
          { wait_ms: 60_000 },
        ],
      ],
    },
  });
  const child = loop.start("--once");
  await expect
    .poll(async () => (await eventsOf(loop.project, "signal.done")).length, { timeout: 30_000 })
    .toBe(1);
  child.process.kill("SIGKILL");
  await loop.run("--once");
  expect(await eventsOf(loop.project, "session.work")).toMatchObject([
    { task: 1, files: [{ path: "a.txt", kind: "added" }], findings: [] },
  ]);
});

test("with `evidence: false`, and without git, nobody looks", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "never" },
    tasks: [{ title: "One" }],
    config: { evidence: false },
  });
  await loop.run("--once");
  expect(await eventsOf(loop.project, "session.ended")).toHaveLength(1);
  expect(await eventsOf(loop.project, "session.work")).toEqual([]);
});
