import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { commitLeft } from "../../src/workspace/commit-left.ts";
import { beginningOf } from "../../src/workspace/evidence/beginning.ts";
import type { Finding } from "../../src/workspace/evidence/finding.ts";
import { workSince } from "../../src/workspace/evidence/work.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "../workspace/given.ts";

/*
 * What is found of an agent's work, whatever it says, with real git in a worktree of its own. Each row catches an agent that left
 * or lost something, or one that did nothing wrong and is blamed. ended.test.ts shows the same through a loop.
 */

interface Row {
  readonly name: string;
  /** What the agent does before it says that it is done. */
  readonly shell: string;
  /** `kind: paths (refs)` of every finding. */
  readonly finds: readonly unknown[];
  /** `kind path` of every file, as the event names them. */
  readonly files?: readonly string[];
}

const AS = "-c user.name=a -c user.email=a@b";

const rows: readonly Row[] = [
  { name: "writes a file", shell: "echo a > a.txt", finds: [], files: ["added a.txt"] },
  {
    name: "commits, amends and rebases its own commits",
    shell: `echo a > a.txt; git add .; git commit -qm A; echo b >> a.txt; git commit -qa --amend -m B; git rebase -q --root 2>/dev/null || git rebase --abort; true`,
    finds: [],
  },
  {
    name: "renames, deletes and changes",
    shell: "git mv list.txt names.txt; echo n > n.txt",
    finds: [],
    files: ["added n.txt", "renamed names.txt"],
  },
  { name: "does nothing", shell: "true", finds: ["no_change:  ()"], files: [] },
  {
    name: "stashes its work",
    shell: "echo a > a.txt; echo more >> list.txt; git stash -q --include-untracked",
    finds: ["left_behind: list.txt,a.txt (COMMIT)"],
    files: [],
  },
  {
    name: "stashes, applies and leaves the stash",
    shell: "echo more >> list.txt; git stash -q; git stash apply -q",
    finds: [],
    files: ["changed list.txt"],
  },
  {
    name: "applies its stash and goes on from there",
    shell: "echo more >> list.txt; git stash -q; git stash apply -q; echo still >> list.txt",
    finds: [],
  },
  {
    name: "takes over a branch by a squash and goes on from there",
    shell:
      "git switch -qc oops; echo a > a.txt; git add .; git commit -qm A; echo b >> a.txt; git commit -qam B; git switch -q -; git merge -q --squash oops; git commit -qm AB; echo c >> a.txt",
    finds: [],
  },
  {
    name: "amends on no branch what becomes its branch",
    shell:
      "git switch -q --detach; echo a > a.txt; git add .; git commit -qm A; git switch -qC signalbox/task-1; echo b >> a.txt; git commit -qa --amend -m B",
    finds: [],
  },
  {
    name: "renames its branch",
    shell: "echo a > a.txt; git add .; git commit -qm A; git branch -qm other",
    finds: ["left_behind:  (HEAD)"],
    files: ["added a.txt"],
  },
  {
    name: "stashes files with names that are long, odd or none",
    shell: `for name in one two three; do touch "$name$(printf '%0170d' 1)"; done; touch ' ' "it's $(touch pwn)"; printf x > "$(printf 'a\nb')"; git stash -q -u`,
    finds: [expect.stringContaining("left_behind: ")],
  },
  {
    name: "breaks its repository's configuration",
    shell: 'echo "[" >> "$(git rev-parse --git-common-dir)/config"',
    finds: ["unknown"],
  },
  {
    name: "commits on a branch of its own, and returns",
    shell: "git switch -qc oops; echo a > a.txt; git add .; git commit -qm A; git switch -q -",
    finds: ["left_behind: a.txt (oops)"],
    files: [],
  },
  {
    name: "commits on a branch of its own, and takes that over by a squash",
    shell:
      "git switch -qc oops; echo a > a.txt; git add .; git commit -qm A; echo b > b.txt; git add .; git commit -qm B; git switch -q -; git merge -q --squash oops; git commit -qm AB",
    finds: [],
    files: ["added a.txt", "added b.txt"],
  },
  {
    name: "commits on no branch, and returns",
    shell: "git switch -q --detach; echo a > a.txt; git add .; git commit -qm A; git switch -q -",
    finds: ["left_behind: a.txt (COMMIT)"],
  },
  {
    name: "makes another repository in its place",
    shell: `rm .git; git init -q; echo a > a.txt; git add .; git ${AS} commit -qm A`,
    finds: ["gone: .git ()", "left_behind: .git ()"],
  },
  { name: "removes its worktree", shell: 'cd ..; rm -rf "$OLDPWD"', finds: ["gone:  ()"] },
  {
    name: "makes a repository in the worktree",
    shell: `git init -q lib; echo a > lib/a.txt; git -C lib add .; git -C lib ${AS} commit -qm A; echo b > b.txt`,
    finds: ["left_behind: lib ()"],
  },
  {
    name: "ignores its own output",
    shell: "echo a > result.txt; touch ':(x)a.log'; echo result.txt >> .gitignore",
    finds: ["left_behind: result.txt ()"],
  },
  {
    name: "ignores its own output in the clone's own rules",
    shell:
      'echo a > result.txt; echo b > b.txt; echo /result.txt >> "$(git rev-parse --git-path info/exclude)"',
    finds: ["left_behind: result.txt ()"],
  },
  {
    name: "ignores what is built, and settings",
    shell:
      "mkdir -p node_modules/x dist __pycache__; touch node_modules/x/i.js dist/a.js __pycache__/a.pyc .env a.log; printf 'node_modules/\\ndist/\\n__pycache__\\n.env\\n*.log\\n' >> .gitignore",
    finds: [],
  },
  {
    name: "leaves a merge with conflicts",
    shell:
      "git switch -qc other; echo x > list.txt; git commit -qam X; git switch -q -; echo y > list.txt; git commit -qam Y; git merge -q other; true",
    finds: ["left_behind: list.txt (HEAD)"],
  },
];

/** A repository with `list.txt` on main, and a worktree of task 1 in which a session begins. */
async function given() {
  const repository = givenRepository();
  const { folder: root, git, write, commit } = repository;
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  write("list.txt", "one\ntwo\nthree\n");
  write(".gitignore", ".ralph/\n");
  commit();
  const { folder } = await worktreeOf(root, 1, { base: "main" });
  const workspace = openWorkspace(folder, freshFolder(), []);
  const start = await workspace.look();
  if (!start) throw new Error("The worktree cannot be looked at.");
  const began = await beginningOf(workspace, start, {
    own: { task: 1, root, base: "main", fork: undefined },
    checks: undefined,
  });
  return {
    ...repository,
    /** Lets the agent work, and its driver commit what it left. */
    async end(shell: string) {
      execFileSync("sh", ["-c", shell], { cwd: folder, stdio: "pipe" });
      await commitLeft(folder, { branch: "signalbox/task-1", message: "Task 1" }).catch(() => {});
      const work = await workSince(began, workspace, {}).catch(() => undefined);
      if (!work) return { files: [] as string[], finds: ["unknown"], commits: 0, findings: [] };
      return {
        ...work,
        files: work.files.map(({ kind, path }) => `${kind} ${path}`),
        finds: work.findings.map(shown),
      };
    },
  };
}

const shown = ({ kind, paths, refs }: Finding) =>
  `${kind}: ${paths} (${refs.map((ref) => ref.replace(/^[0-9a-f]{12}$/, "COMMIT"))})`;

test.for(rows)("an agent that $name", async ({ shell, finds, files }) => {
  const { end } = await given();
  const work = await end(shell);
  expect(work.finds).toEqual(finds);
  if (files) expect(work.files).toEqual(files);
});

test.for([
  ["a soft reset", "git reset -q --soft main; echo b > b.txt; git add .; git commit -qm All", true],
  [
    "its files of before on top of the new base",
    "git reset -q --mixed main; echo b > b.txt; git add -A; git commit -qm All",
    true,
  ],
  [
    "a cherry-pick onto the new base",
    "echo b > b.txt; git add .; git commit -qm B; C=$(git rev-parse HEAD); git reset -q --hard main; git cherry-pick $C",
    false,
  ],
  ["a rebase", "echo b > b.txt; git add .; git commit -qm B; git rebase -q main", false],
  ["a merge of the base, which it goes on from", "git merge -q main; echo more >> one.txt", false],
  [
    "a merge of the base, and the other's file removed",
    "git merge -q main; git rm -q one.txt; git commit -qm R",
    true,
  ],
  [
    "a merge of the base, whose file a sparse checkout leaves out",
    "git merge -q main; git update-index --skip-worktree one.txt; rm one.txt; echo b > b.txt",
    false,
  ],
  ["nothing of the base", "echo b > b.txt; git add .; git commit -qm B", false],
] as const)("a branch that came to be by %s", async ([, shell, takesBack]) => {
  const { end, write, commit } = await given();
  write("one.txt", "one\n");
  commit();
  const work = await end(shell);
  expect(work.finds).toEqual(takesBack ? ["undoes: one.txt (main)"] : []);
  // What others brought is not its work, unless it goes on from there.
  expect(work.files.includes("added one.txt")).toBe(shell.includes("more >> one.txt"));
});

test("no program of the repository is run, and a file's name is a word in the command that mends", async () => {
  const { end, write, commit, program, ran, git } = await given();
  write("it's $(touch pwn)", "one\n");
  commit();
  git("config", "log.showSignature", "true");
  git("config", "gpg.program", program("gpg"));
  git("config", "filter.x.clean", program("clean", "cat"));
  git("config", "diff.external", program("diff"));
  const { findings } = await end(
    "echo '* filter=x' > .gitattributes; git reset -q --soft main; git commit -qm All; echo x > list.txt; touch \"$(git rev-parse --git-dir)/MERGE_HEAD\"; rm -f ../../../../ran",
  );
  expect(existsSync(ran)).toBe(false);
  expect(findings.find(({ kind }) => kind === "undoes")?.says).toContain(
    String.raw`git checkout main -- 'it'\''s $(touch pwn)'`,
  );
});

test("how many commits and lines it made", async () => {
  const { end } = await given();
  const work = await end("printf 'a\\nb\\n' > a.txt; git add .; git commit -qm A; sed -i 1d list.txt");
  expect(work).toMatchObject({ commits: 2, files: ["added a.txt", "changed list.txt"] });
});
