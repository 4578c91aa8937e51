import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { statuses, stepsOf } from "../loop/given-loop.ts";
import { eventsOf, givenMerges, works } from "../loop/merge/given-merges.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";

/*
 * Catches: a done that stands against what was found in its workspace, through a loop with real git. found.test.ts has what is
 * found, test/projections/board/evidence.test.ts each rule.
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");
const merged = { integrate: "auto" } as const;

test("work in a stash is refused, and the next session hears of it and mends it", async () => {
  const loop = await givenMerges(agent, {
    worktrees: merged,
    tasks: [{ title: "Four" }],
    acts: { 1: [works("echo four >> list.txt; git stash -q"), works("git stash pop -q")] },
  });
  const { steps } = await loop.run("--once");
  const stash = loop.git("rev-parse", "stash").slice(0, 12);
  const finding = `left behind: list.txt is in a stash: run \`git stash apply ${stash}\` and commit.`;
  expect(stepsOf(steps, "session_ended")).toMatchObject([
    { outcome: "partial", unverified: [finding], findings: [finding], status: "pending" },
  ]);
  const prompt = await signalbox(["prompt", "1"], { cwd: loop.folder });
  expect(prompt.stdout).toContain("closed with done, but the done did not count");
  expect(prompt.stdout).toContain(`> ${finding}`);
  const why = await signalbox(["why", "1"], { cwd: loop.folder });
  expect(why.stdout).toContain("what was found in the workspace is refused by its policy");
  expect(loop.fileAt("main", "list.txt")).not.toContain("four");

  await loop.run();
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
  expect(loop.fileAt("main", "list.txt")).toContain("four");
});

test("files outside the output artifacts of a task are named, and by policy asked about", async () => {
  const loop = await givenMerges(agent, {
    worktrees: merged,
    tasks: [
      { title: "Noted", output_artifacts: ["src/**"] },
      { title: "Asked", output_artifacts: ["docs"] },
    ],
    acts: {
      1: [works("mkdir src; echo a > src/a.txt; echo b > b.txt")],
      2: [works("mkdir docs; echo c > docs/c.txt; git mv list.txt docs/list.txt")],
    },
  });
  await loop.run("--once");
  const shown = (task: string) => signalbox(["task", "show", task], { cwd: loop.folder });
  expect((await shown("1")).stdout).toContain(
    "2 files, +2 −0, 1 commit, outside its output artifacts: b.txt",
  );
  expect(await statuses(loop.project)).toMatchObject({ 1: "done" });

  const whatIf = ["what-if", "--artifacts.outside", "ask"];
  expect((await signalbox(whatIf, { cwd: loop.folder })).stdout).toMatch(/done.*needs_input/);
  await signalbox(["policy", "set", "artifacts.outside", "ask"], { cwd: loop.folder });
  await loop.run();
  // It was done before.
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "needs_input" });
  const says = "outside its output artifacts: list.txt";
  expect(await signalboxJson(["inbox"], { cwd: loop.folder })).toMatchObject({
    inbox: [{ kind: "acceptance", task: 2, detail: expect.stringContaining(says) }],
  });
  const why = await signalbox(["why", "2"], { cwd: loop.folder });
  expect(why.stdout).toContain(`It changed files ${says}.`);
  expect(why.stdout).toContain("Policy artifacts.outside is ask");
});

test.each([
  { name: "sent back, not mended: asked again", does: "echo d >> docs/c.txt", status: "needs_input" },
  { name: "sent back, and mended: done", does: "git rm -q b.txt; echo d >> docs/c.txt", status: "done" },
])(
  "files outside the output artifacts are those of the task's unmerged work: $name",
  async ({ does, status }) => {
    const partial = { call: "partial", with: { summary: "a", remaining: "b" } };
    const loop = await givenMerges(agent, {
      worktrees: { integrate: "never", base: "main" },
      tasks: [
        { title: "Needed", output_artifacts: ["needed.txt"] },
        { title: "Asked", output_artifacts: ["docs"], depends_on: [1] },
      ],
      acts: {
        2: [
          [
            { init: "connected" },
            { shell: "mkdir docs; echo c > docs/c.txt; echo b > b.txt" },
            partial,
            { result: {} },
          ],
          works("echo c >> docs/c.txt"),
          works(does),
        ],
        1: [works("echo n > needed.txt")],
      },
    });
    await signalbox(["policy", "set", "artifacts.outside", "ask"], { cwd: loop.folder });
    await loop.run();
    expect(await signalboxJson(["inbox"], { cwd: loop.folder })).toMatchObject({
      inbox: [{ task: 2, detail: expect.stringMatching(/outside its output artifacts: b\.txt$/m) }],
    });
    await signalbox(["inbox", "send-back", "2", "Take b.txt out"], { cwd: loop.folder });
    await loop.run();
    expect(await statuses(loop.project)).toEqual({ 1: "done", 2: status });
  },
);

test("a done without any change is for a human to accept, who has seen so", async () => {
  const loop = await givenMerges(agent, {
    worktrees: merged,
    tasks: [{ title: "Nothing" }, { title: "Checked", gates: [{ command: "true", max: 1, timeout_s: 10 }] }],
    acts: { 1: [works("true")], 2: [works("true")] },
  });
  await loop.run();
  // What a gate bears out is only noted.
  expect(await statuses(loop.project)).toEqual({ 1: "needs_input", 2: "done" });
  const says = "no change: No file differs from the session's start, and no commit changes one.";
  expect(await signalboxJson(["inbox"], { cwd: loop.folder })).toMatchObject({
    inbox: [{ kind: "acceptance", task: 1, detail: expect.stringContaining(says), blocks_work: true }],
  });
  expect((await signalbox(["inbox"], { cwd: loop.folder })).stdout).toContain(says);
  expect((await signalbox(["why", "1"], { cwd: loop.folder })).stdout).toContain(
    "a human is asked about what its driver found in the workspace",
  );
  expect((await signalbox(["task", "show", "1"], { cwd: loop.folder })).stdout).toMatch(/accepted +not yet/);

  await signalbox(["inbox", "accept", "1"], { cwd: loop.folder });
  expect(await statuses(loop.project)).toMatchObject({ 1: "done" });
  expect(await eventsOf(loop.project, "task.accepted")).toEqual([{ task: 1, findings: ["no_change"] }]);
  expect((await signalbox(["task", "show", "1"], { cwd: loop.folder })).stdout).toMatch(
    /accepted +by \S+ on .*, with no change/,
  );
});

test("a branch that takes back what came to the base is refused twice, then asked about; main keeps it", async () => {
  const partial = { call: "partial", with: { summary: "a", remaining: "b" } };
  const loop = await givenMerges(agent, {
    worktrees: { ...merged, base: "main" },
    tasks: [{ title: "One" }],
    acts: {
      1: [
        [{ init: "connected" }, { shell: "echo b > b.txt" }, partial, { result: {} }],
        works("git add .; git reset -q --soft main; git commit -qm All"),
        works("echo c >> b.txt"),
        works("echo d >> b.txt"),
      ],
    },
  });
  await loop.run("--once");
  writeFileSync(loop.path("other.txt"), "of another task\n");
  loop.git("add", "other.txt");
  loop.git("commit", "--quiet", "--message=Other");
  const ends = async () => stepsOf((await loop.run("--once")).steps, "session_ended");
  const refused = [{ unverified: [expect.stringMatching(/^undoes: .*other\.txt/)], status: "pending" }];
  expect(await ends()).toMatchObject(refused);
  expect(await ends()).toMatchObject(refused);
  expect(await ends()).toMatchObject([{ unverified: [], outcome: "success", status: "needs_input" }]);
  expect(await signalboxJson(["inbox"], { cwd: loop.folder })).toMatchObject({
    inbox: [{ kind: "acceptance", task: 1, detail: expect.stringContaining("other.txt") }],
  });
  // The command shows all of the branch's work, also when its worktree is gone.
  const [, range = ""] =
    /^ +git diff (\w+\.\.\.\w+)$/m.exec((await signalbox(["inbox"], { cwd: loop.folder })).stdout) ?? [];
  const worktrees = loop.git("worktree", "list", "--porcelain").split("\n\n").slice(1);
  for (const worktree of worktrees)
    loop.git("worktree", "remove", "--force", worktree.split("\n")[0]?.replace("worktree ", "") ?? "");
  const diff = loop.git("diff", range);
  for (const line of ["-of another task", "+b", "+c", "+d"]) expect(diff.split("\n")).toContain(line);
  expect(loop.fileAt("main", "other.txt")).toBe("of another task");
});

test("a worktree that the agent removed is refused, and nothing is merged", async () => {
  const loop = await givenMerges(agent, {
    worktrees: merged,
    tasks: [{ title: "Gone" }],
    acts: { 1: [works('folder=$PWD; cd /; git -C "$folder" worktree remove --force "$folder"')] },
  });
  const { steps } = await loop.run("--once");
  expect(stepsOf(steps, "session_ended")).toMatchObject([
    { outcome: "partial", unverified: [expect.stringContaining("gone: The worktree of")], status: "pending" },
  ]);
  expect(stepsOf(steps, "merge_queued")).toEqual([]);
});

test("a done that changed what judges it is for a human, and one around which something else changed is noted on it", async () => {
  const packageJson = '{"scripts":{"test":"node --test test/"}}';
  const loop = await givenMerges(agent, {
    worktrees: { ...merged, base: "main" },
    tasks: [{ title: "Eased", gates: [{ command: "npm test", max: 1, timeout_s: 60 }] }, { title: "Around" }],
    acts: {
      1: [works(`sed -i 's/node --test[^"]*/exit 0/' package.json; echo 1 > one.txt`)],
      2: [works("echo 2 > two.txt; git -C ../../.. checkout -qb oops")],
    },
  });
  writeFileSync(loop.path("package.json"), packageJson);
  loop.git("add", "package.json");
  loop.git("commit", "--quiet", "--message=Script");
  const { steps } = await loop.run();
  const [eased, around] = stepsOf(steps, "session_ended");
  const says = expect.stringMatching(
    /^checks changed: .*package\.json: test, which a gate runs, was changed/,
  );
  expect(eased).toMatchObject({ status: "needs_input", findings: [says] });
  expect(await signalboxJson(["inbox"], { cwd: loop.folder })).toMatchObject({
    inbox: [{ kind: "acceptance", task: 1, detail: says }],
  });
  expect(loop.fileAt("main", "one.txt")).toBeUndefined();
  expect(around).toMatchObject({
    status: "done",
    findings: [expect.stringMatching(/^outside: While this session ran, the checkout left main for oops/)],
  });
  expect(loop.fileAt("main", "two.txt")).toBe("2");
  expect((await signalbox(["doctor"], { cwd: loop.folder })).stdout).toMatch(
    /outside .*the checkout left main for oops/,
  );

  await signalbox(["inbox", "accept", "1"], { cwd: loop.folder });
  await loop.run();
  expect(loop.fileAt("main", "one.txt")).toBe("1");
  expect(await eventsOf(loop.project, "task.accepted")).toEqual([{ task: 1, findings: ["checks_changed"] }]);
});
