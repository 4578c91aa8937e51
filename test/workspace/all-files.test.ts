import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { givenRepository } from "./given.ts";

/*
 * A fingerprint sees every file that git does not ignore. Catches: work that changed behind a flag of the index or in a repository
 * of its own, and a fingerprint that changes though nothing did.
 */
test.each(["--assume-unchanged", "--skip-worktree"])("a change to a file with %s is seen", async (flag) => {
  const { write, git, commit, workspace } = givenRepository();
  write("src.txt", "one");
  write("other.txt", "one");
  commit();
  const before = await workspace().look();
  git("update-index", flag, "src.txt");
  expect(await workspace().look()).toEqual(before);
  write("src.txt", "two");
  const after = await workspace().look();
  expect(after?.fingerprint).not.toBe(before?.fingerprint);
  expect(git("status", "--porcelain")).toBe("");
});

test.each([["--no-sparse-index"], ["--sparse-index"]])(
  "a sparse checkout with %s has the same fingerprint each time, and a change in it another one",
  async (index) => {
    const { write, git, commit, workspace } = givenRepository();
    write("in/a.txt", "one");
    write("out/deep/b.txt", "one");
    commit();
    git("sparse-checkout", "set", "--cone", index, "in");
    const looker = workspace();
    const before = await looker.look();
    expect(before).toBeDefined();
    expect(await looker.look()).toEqual(before);
    expect(await workspace().look()).toEqual(before);
    write("in/a.txt", "two");
    const after = await looker.look();
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
    expect(await workspace().look()).toEqual(after);
    if (before && after)
      expect(await looker.changes(before.tree, after.tree)).toMatchObject([{ path: "in/a.txt" }]);
  },
);

/** Repositories in a repository: one that git does not know, a submodule, and one in each other. */
function givenNested() {
  const outer = givenRepository();
  const library = givenRepository();
  library.write("lib.txt", "one");
  library.commit();
  outer.write("src.txt", "one");
  outer.git("submodule", "--quiet", "add", library.folder, "lib");
  outer.commit();
  const part = givenRepository(join(outer.folder, "part"));
  part.write("a.txt", "one");
  part.commit();
  const deep = givenRepository(join(outer.folder, "part", "deep"));
  deep.write("b.txt", "one");
  return { ...outer, deep, part };
}

test.each([
  ["lib/lib.txt", "a submodule"],
  ["lib/new.txt", "a submodule, a new one"],
  ["part/a.txt", "a repository that is no submodule"],
  ["part/deep/b.txt", "a repository in that, without a commit"],
])("a change to %s, of %s, is seen and named", async (name) => {
  const { write, workspace } = givenNested();
  const looker = workspace();
  const before = await looker.look();
  if (!before) throw new Error("The workspace cannot be looked at.");
  expect(await looker.look()).toEqual(before);
  expect(await workspace().look()).toEqual(before);
  write(name, "two");
  const after = await looker.look();
  if (!after) throw new Error("The workspace cannot be looked at.");
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(await looker.changes(before.tree, after.tree)).toMatchObject([{ path: name }]);
  expect(await workspace().look()).toEqual(after);
});

test("a commit in a nested repository changes nothing, nor do its ignored files", async () => {
  const { part, deep, write, workspace } = givenNested();
  write("part/.gitignore", "*.log\n");
  const looker = workspace();
  const before = await looker.look();
  deep.commit();
  part.commit();
  write("part/x.log", "much");
  expect(await looker.look()).toEqual(before);
  expect(await workspace().look()).toEqual(before);
});

test("a submodule that is not checked out is as good as an empty folder", async () => {
  const { git, workspace } = givenNested();
  git("submodule", "--quiet", "deinit", "--force", "lib");
  const before = await workspace().look();
  expect(before).toBeDefined();
  expect(await workspace().look()).toEqual(before);
});

test("if a nested repository cannot be read, the fingerprint is unknown", async () => {
  const { folder, workspace } = givenNested();
  rmSync(join(folder, "lib", ".git"));
  writeFileSync(join(folder, "lib", ".git"), "gitdir: /nowhere\n");
  expect(await workspace().look()).toBeUndefined();
});

test("a changed file that git tracks, ignores and filters is seen", async () => {
  const { folder, git, write, workspace, commit } = givenRepository();
  write("a.txt", "one\n");
  write(".gitattributes", "* filter=keep");
  commit();
  write(".gitignore", "a.txt");
  commit();
  const one = workspace();
  const before = await one.look();
  git("config", "filter.keep.clean", "echo one");
  write("a.txt", "two\n");
  execFileSync("touch", ["-d", "1 hour ago", join(folder, "a.txt")]);
  git("add", "--force", "a.txt");
  expect((await workspace().look())?.tree).toBe((await one.look())?.tree);
  expect((await one.look())?.tree).not.toBe(before?.tree);
});

test.each(["* filter=keep", "*.txt filter=keep", "a.txt filter=keep -text"])(
  "a file that a filter let the index take for unchanged is read (%s)",
  async (attributes) => {
    const { folder, git, write, workspace, commit } = givenRepository();
    write("a.txt", "one\n");
    commit();
    const before = workspace();
    await before.look();
    git("config", "filter.keep.clean", "echo one");
    write(".gitattributes", attributes);
    write("a.txt", "two\n");
    // Older than the index, so that git trusts what the index says of it.
    execFileSync("touch", ["-d", "1 hour ago", join(folder, "a.txt")]);
    git("add", "--all");
    expect((await workspace().look())?.tree).toBe((await before.look())?.tree);
  },
);
