import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { stepsOf } from "../loop/given-loop.ts";
import { givenMerges, works } from "../loop/merge/given-merges.ts";
import type { Act } from "../loop/script.ts";
import { freshFolder } from "../support/project.ts";

/*
 * Catches: an agent's mistake with git that stops the loop, keeps the work of others from main, loses a commit, or is found to be
 * something else than it is. found.test.ts and test/liars/ have more kinds; here all run at once in one repository.
 */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

interface Row {
  readonly name: string;
  readonly does: string;
  /** What its done is refused or asked about for; absent: it stands. */
  readonly found?: RegExp;
  /** Files that main has afterwards, and their contents. */
  readonly main?: Readonly<Record<string, string>>;
  /** A command that succeeds afterwards in the checkout: where the work is. */
  readonly kept?: string;
}

const rows: readonly Row[] = [
  {
    name: "amends a commit of somebody else",
    does: "echo own > amended.txt; git add .; git commit -q --amend --no-verify -m Mine",
    main: { "amended.txt": "own" },
    kept: 'git log --format=%s main | grep -qx "A list"',
  },
  {
    name: "cleans what it has not committed",
    does: "echo own > cleaned.txt; git clean -fdxq",
    found: /^no change/,
  },
  {
    name: "changes the mode of every file",
    does: "git ls-files | xargs chmod +x; echo own > modes.txt",
    main: { "modes.txt": "own" },
    kept: "git ls-tree main list.txt | grep -q ^100755",
  },
  {
    name: "changes the line endings of every file",
    does: "for f in $(git ls-files '*.txt'); do sed -i 's/$/\\r/' $f; done; echo own > endings.txt",
    main: { "endings.txt": "own" },
    kept: "git show main:list.txt | grep -q one.",
  },
  {
    name: "adds a huge binary",
    does: "truncate -s 120M huge.bin",
    kept: 'test "$(git cat-file -s main:huge.bin)" = 125829120',
  },
  {
    name: "prunes worktrees",
    does: "echo own > pruned.txt; git worktree prune --expire=now",
    main: { "pruned.txt": "own" },
  },
  {
    name: "collects garbage, at once",
    does: "echo own > collected.txt; git add .; git commit -q --no-verify -m Own; git gc -q 2>/dev/null || true",
    main: { "collected.txt": "own" },
  },
  {
    name: "renames its branch",
    does: "echo own > renamed.txt; git add .; git commit -q --no-verify -m Own; git branch -qm my-feature",
    found: /^left behind: There is no branch signalbox/,
    kept: "git show my-feature:renamed.txt",
  },
  {
    name: "sets hooks for all that let nobody commit",
    does: 'mkdir -p "$(git rev-parse --git-common-dir)/own"; cd "$(git rev-parse --git-common-dir)/own"; printf "#!/bin/sh\\nexit 1\\n" | tee pre-commit commit-msg pre-merge-commit reference-transaction >/dev/null; chmod +x *; cd - ; echo own > hooks.txt; git config core.hooksPath "$(git rev-parse --git-common-dir)/own"',
    main: { "hooks.txt": "own" },
  },
  {
    name: "leaves a lock of the index",
    does: 'echo own > locked.txt; touch "$(git rev-parse --git-dir)/index.lock"',
    found: /^left behind: locked\.txt could not be committed for you/,
    kept: "grep own .ralph/worktrees/task-10/locked.txt",
  },
  {
    name: "checks main out in its worktree",
    does: "git checkout -q main || git checkout -q --ignore-worktrees main; echo own > checkout.txt",
    main: { "checkout.txt": "own" },
  },
  {
    name: "leaves what a filter of LFS would store",
    does: "git config filter.lfs.clean 'git-lfs clean -- %f'; git config filter.lfs.smudge 'git-lfs smudge -- %f'; git config filter.lfs.required true; mkdir assets; echo '*.bin filter=lfs diff=lfs merge=lfs -text' > assets/.gitattributes; echo own > assets/a.bin",
    found: /^left behind: assets\/a\.bin could not be committed for you/,
    kept: "grep own .ralph/worktrees/task-12/assets/a.bin",
  },
  {
    name: "moves a submodule to a commit of its own",
    does: "cd lib; git config user.name A; git config user.email a@b; echo own > own.txt; git add .; git commit -q --no-verify -m Own",
    kept: "git -C .git/modules/lib cat-file -e $(git rev-parse main:lib):own.txt",
  },
];

const GIVE_UP: readonly Act[] = [
  ...[{ init: "connected" } as const, { call: "ask", with: { question: "What now?", blocking: true } }],
  ...[{ call: "stuck", with: { reason: "I do not know." } }, { result: {} }],
];

test("mistakes with git, four at a time in one repository: each is found or harmless, and no commit is lost", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", base: "main" },
    config: { jobs: 4 },
    tasks: rows.map(({ name }) => ({ title: name })),
    acts: Object.fromEntries(rows.map(({ does }, at) => [at + 1, [works(does), GIVE_UP]])),
  });
  const shell = (command: string, cwd = loop.folder) =>
    spawnSync("sh", ["-c", command], { cwd, encoding: "utf8" });
  const library = freshFolder();
  shell(
    "git init -q -b main; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m Begin",
    library,
  );
  loop.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
  loop.git("commit", "--quiet", "-m", "A library");
  const { steps } = await loop.run();

  expect(steps.at(-1)).toMatchObject({ step: "loop_stopped", ending: "nothing_ready" });
  const ends = stepsOf(steps, "session_ended");
  for (const [at, { name, found, main = {}, kept = "true" }] of rows.entries()) {
    const end = ends.find(({ task }) => task === at + 1);
    // What happens outside is seen by all that run then.
    const findings = end?.findings.filter((finding) => !finding.startsWith("outside: "));
    expect(findings, name).toEqual(found ? [expect.stringMatching(found)] : []);
    expect(end?.status === "done", name).toBe(found === undefined);
    for (const [path, text] of Object.entries(main)) expect(loop.fileAt("main", path), name).toBe(text);
    expect(shell(kept), name).toMatchObject({ status: 0 });
  }
  const landed = stepsOf(steps, "merge_ended").flatMap(({ task, state }) =>
    state === "landed" ? [task] : [],
  );
  const stand = rows.flatMap(({ found }, at) => (found ? [] : [at + 1]));
  expect(landed.sort((a, b) => a - b)).toEqual(stand);
});
