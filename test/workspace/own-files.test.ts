import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBrought, filesTracked, isOwn } from "../../src/workspace/own-files.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "./given.ts";

/* Catches: a file that git would write into `.ralph/`, where signalbox trusts what lies there. */

/** A repository with `main`, and a branch to which `work` commits. */
function given(work: (repository: ReturnType<typeof givenRepository>) => void, project = ".") {
  const repository = givenRepository(join(freshFolder(), "work"));
  const { folder, write, git, commit } = repository;
  write("list.txt", "one\n");
  write(join(project, ".ralph/.gitignore"), "*\n");
  write(join(project, ".ralph/config.json"), "{}");
  git("add", "--force", ".");
  commit();
  git("branch", "-M", "main");
  git("checkout", "--quiet", "-b", "work");
  work(repository);
  const root = join(folder, project);
  return { ...repository, root, brought: () => filesBrought(root, { base: "main", tip: "work" }) };
}

type Repository = ReturnType<typeof givenRepository>;

const add = (path: string) => (repository: Repository) => {
  repository.write(path, "forged");
  repository.git("add", "--force", path);
  repository.git("commit", "--quiet", "-m", "Add");
};

/** An entry of the index that the file system here need not know. */
const entry = (mode: string, path: string) => (repository: Repository) => {
  const object =
    mode === "160000"
      ? repository.git("rev-parse", "HEAD").trim()
      : repository.git("hash-object", "-w", "list.txt").trim();
  repository.git("update-index", "--add", "--cacheinfo", `${mode},${object},${path}`);
  repository.git("commit", "--quiet", "-m", "Add");
};

test.each([
  ["a rollback journal", ".ralph/db/events.db-journal"],
  ["a log", ".ralph/db/events.db"],
  ["a read model", ".ralph/db/ralph.db"],
  ["a person's token", `.ralph/people/${"0".repeat(64)}.json`],
  ["a key", ".ralph/notices/key"],
  ["a name that nobody knows yet", ".ralph/new/thing"],
  ["another case", ".RALPH/db/events.db"],
  ["another case of a file that may come", ".ralph/CONFIG.json"],
  ["a character that HFS+ ignores", ".ra\u200clph/db/events.db"],
  ["a trailing dot and blank, which NTFS ignores", ".ralph. /db/events.db"],
  ["the short name of NTFS", "RALPH~1/db/events.db"],
])("a branch with %s is found", async (_what, path) => {
  expect(await given(entry("100644", path)).brought()).toMatchObject({ paths: [path] });
});

test.each([
  ["a link in place of the folder", "120000", ".ralph"],
  ["a submodule in place of the folder", "160000", ".ralph"],
  ["a submodule in the folder", "160000", ".ralph/db"],
  ["a link among its files", "120000", ".ralph/db"],
] as const)("a branch with %s is found", async (_what, mode, path) => {
  const given_ = given((repository) => {
    if (path === ".ralph") repository.git("rm", "-r", "--quiet", "--cached", ".ralph");
    entry(mode, path)(repository);
  });
  expect((await given_.brought())?.paths).toContain(path);
});

test("a link in place of the configuration is found", async () => {
  const { brought } = given((repository) => {
    repository.git("rm", "--quiet", ".ralph/config.json");
    mkdirSync(join(repository.folder, ".ralph"), { recursive: true });
    symlinkSync("/etc/passwd", join(repository.folder, ".ralph/config.json"));
    repository.git("add", "--force", ".ralph/config.json");
    repository.git("commit", "--quiet", "-m", "Link");
  });
  expect(await brought()).toMatchObject({ paths: [".ralph/config.json"] });
});

test("what a branch had in between counts, since a merge brings its history", async () => {
  const { brought } = given((repository) => {
    add(".ralph/db/events.db-wal")(repository);
    repository.git("rm", "--quiet", ".ralph/db/events.db-wal");
    repository.git("commit", "--quiet", "-m", "Remove");
  });
  expect(await brought()).toMatchObject({ paths: [".ralph/db/events.db-wal"] });
});

test("what only a merge commit of the branch has counts", async () => {
  const { brought } = given((repository) => {
    const { git, write, commit } = repository;
    git("checkout", "--quiet", "-b", "side", "main");
    write("side.txt", "side");
    commit();
    git("checkout", "--quiet", "work");
    git("merge", "--quiet", "--no-ff", "--no-commit", "side");
    write(".ralph/key", "forged");
    git("add", "--force", ".ralph/key");
    git("commit", "--quiet", "-m", "Merge");
  });
  expect(await brought()).toMatchObject({ paths: [".ralph/key"] });
});

test("a repository below the project is another folder, and its project's own folder is known by its place", async () => {
  const deeper = given(add("fixtures/x/.ralph/db/events.db"));
  expect(await deeper.brought()).toBeUndefined();
  const below = given(add("app/.ralph/db/events.db"), "app");
  expect(await below.brought()).toMatchObject({ paths: ["app/.ralph/db/events.db"] });
  const beside = given(add(".ralph/db/events.db"), "app");
  expect(await beside.brought()).toBeUndefined();
  const inPlace = given((repository) => {
    repository.git("rm", "-r", "--quiet", "--cached", "app");
    entry("120000", "app")(repository);
  }, "app");
  expect((await inPlace.brought())?.paths).toContain("app");
});

test("configuration and ignored names may come, and the base's own files are no fault of a branch", async () => {
  const { brought, git, write, commit, root } = given((repository) => {
    repository.write(".ralph/config.json", '{"agent": "claude"}');
    repository.write(".ralph/.gitignore", "*\n!config.json\n");
    repository.commit();
  });
  expect(await brought()).toBeUndefined();
  git("checkout", "--quiet", "main");
  write(".ralph/progress.txt", "tracked by mistake");
  git("add", "--force", ".ralph/progress.txt");
  commit();
  expect(await filesTracked(root)).toEqual([".ralph/progress.txt"]);
  expect(await brought()).toBeUndefined();
  git("checkout", "--quiet", "work");
  git("merge", "--quiet", "main");
  expect(await brought()).toBeUndefined();
});

test("without git nothing is tracked", async () => {
  expect(await filesTracked(freshFolder())).toEqual([]);
  expect(isOwn("", "")).toBe(false);
});
