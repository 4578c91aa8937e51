import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Diff, withDiff } from "../../src/workspace/diff.ts";
import { GitError } from "../../src/workspace/git.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "./given.ts";

function given() {
  const repository = givenRepository();
  repository.write("src/a.ts", "one\ntwo\nthree\n");
  repository.write("gone.txt", "bye\n");
  repository.commit();
  const head = () => repository.git("rev-parse", "HEAD").trim();
  const from = head();
  const scratch = freshFolder();
  const compare = <T>(read: (diff: Diff) => Promise<T>, to?: string) =>
    withDiff(repository.folder, { scratch, from, to, signal: AbortSignal.timeout(20_000) }, read);
  return { ...repository, head, compare, scratch };
}

test("committed, uncommitted and new files are compared with a commit, each with its lines", async () => {
  const { folder, write, git, commit, compare } = given();
  write("src/a.ts", "one\n2\nthree\n");
  commit();
  rmSync(join(folder, "gone.txt"));
  write("new.txt", "1\n2\n3\n");
  write(".gitignore", "*.log\n");
  write("noise.log", "noise\n");
  write(".ralph/progress.txt", "ours\n");
  write("image.bin", "a\0b");
  expect(await compare((diff) => diff.files())).toEqual([
    { path: ".gitignore", kind: "added", lines: { added: 1, removed: 0 } },
    { path: "gone.txt", kind: "deleted", lines: { added: 0, removed: 1 } },
    { path: "image.bin", kind: "added", lines: null },
    { path: "new.txt", kind: "added", lines: { added: 3, removed: 0 } },
    { path: "src/a.ts", kind: "changed", lines: { added: 1, removed: 1 } },
  ]);
  expect(await compare((diff) => diff.hunks("src/a.ts"))).toBe("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
  expect(await compare((diff) => diff.hunks("image.bin"))).toBe("");
  expect(git("status", "--porcelain")).toContain("?? new.txt");
});

test("what a git that was ended while it prepared a comparison left behind does not disturb the next ones", async () => {
  const { scratch, compare } = given();
  const begun = join(scratch, "own.sha1.git.begun");
  mkdirSync(begun);
  writeFileSync(join(begun, "config.lock"), "");
  expect(await compare((diff) => diff.files())).toEqual([]);
  writeFileSync(join(scratch, "own.sha1.git", "config.lock"), "");
  expect(await compare((diff) => diff.files())).toEqual([]);
});

test("a second comparison reads only what changed since, and files of more than 20 MB are only named", async () => {
  const { folder, write, scratch, compare } = given();
  write("src/a.ts", "one\n2\nthree\n");
  write("new/b.txt", "b\n");
  truncateSync(join(folder, "gone.txt"), 21_000_000);
  write("new/large.bin", "");
  truncateSync(join(folder, "new/large.bin"), 21_000_000);
  const objects = () =>
    readdirSync(join(scratch, "objects"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).ino]);
  const files = () => compare((diff) => diff.files());
  expect(await files()).toEqual([
    { path: "gone.txt", kind: "changed", lines: null },
    { path: "new/b.txt", kind: "added", lines: { added: 1, removed: 0 } },
    { path: "new/large.bin", kind: "added", lines: null },
    { path: "src/a.ts", kind: "changed", lines: { added: 1, removed: 1 } },
  ]);
  const first = objects();
  await files();
  expect(objects()).toEqual(first);
  // Two files and three folders.
  expect(first).toHaveLength(5);
});

test("the work between two commits is compared without what came later", async () => {
  const { write, commit, head, compare } = given();
  write("src/a.ts", "one\n");
  commit();
  const to = head();
  write("src/a.ts", "later\n");
  const files = await compare((diff) => diff.files(), to);
  expect(files).toEqual([{ path: "src/a.ts", kind: "changed", lines: { added: 0, removed: 2 } }]);
  await expect(compare((diff) => diff.files(), "0".repeat(40))).rejects.toThrow(GitError);
});

test("names with blanks, newlines, control characters and signs of git's own are names", async () => {
  const { write, compare } = given();
  const names = [
    " a b",
    "-p",
    "*",
    ":(top)x",
    "line\nbreak",
    "tab\there",
    "\u001b[31mred",
    "ünï\u202ecode",
    'quo"te',
  ];
  for (const name of names) write(`odd/${name}`, `${name}\n`);
  const files = await compare((diff) => diff.files());
  expect(files.map(({ path }) => path).sort()).toEqual(names.map((name) => `odd/${name}`).sort());
  const hunks = await compare((diff) => Promise.all(names.map((name) => diff.hunks(`odd/${name}`))));
  for (const hunk of hunks) expect(hunk).toMatch(/^@@ -0,0 \+1(?:,2)? @@\n\+/);
  expect(hunks[names.indexOf("*")]).toBe("@@ -0,0 +1 @@\n+*\n");
});

test("no attribute, setting or hook of the repository is run, and none hides a change", async () => {
  const { folder, write, git, program, ran, compare } = given();
  const run = program("program", "cat");
  for (const name of [
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "diff.external",
    "core.fsmonitor",
    "core.pager",
  ])
    git("config", name, run);
  git("config", "diff.evil.xfuncname", "(");
  git("config", "diff.evil.binary", "true");
  write(".gitattributes", "*.ts diff=evil filter=evil\n*.txt -diff\n");
  writeFileSync(join(folder, ".git", "info", "attributes"), "* -diff\n");
  write("src/a.ts", "one\ntwo!\nthree\n");
  write("hidden.txt", "shown\n");
  expect(await compare((diff) => diff.hunks("src/a.ts"))).toContain("-two\n+two!\n");
  expect(await compare((diff) => diff.hunks("hidden.txt"))).toContain("+shown\n");
  expect(existsSync(ran)).toBe(false);
});

test("a text is found in added and removed lines, in capitals or not, its signs meaning themselves", async () => {
  const { write, compare } = given();
  write("src/a.ts", "one\nthree\na.b*c[^d]\\e(\n");
  write("b.txt", "one\n");
  const found = async (text: string) => [...(await compare((diff) => diff.withText(text)))];
  expect(await found("two")).toEqual(["src/a.ts"]);
  expect(await found("TWO")).toEqual(["src/a.ts"]);
  expect(await found("a.b*c[^d]\\e(")).toEqual(["src/a.ts"]);
  expect(await found("a.b*d")).toEqual([]);
  expect(await found("a?b")).toEqual([]);
  expect(await found("one")).toEqual(["b.txt"]);
});
