import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { commitLeft } from "../../src/workspace/commit-left.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "./given.ts";

/** A repository on the branch of a task, with one commit, and what `commitLeft` is given. */
function givenBranch() {
  const repository = givenRepository();
  repository.write("src.txt", "one\n");
  repository.commit();
  repository.git("checkout", "--quiet", "-b", "signalbox/task-1");
  const read = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository.folder, encoding: "utf8" }).trimEnd();
  const commitIt = (author?: string) =>
    commitLeft(repository.folder, { branch: "signalbox/task-1", message: "Task 1: It\n\nDid it.", author });
  return { ...repository, read, commitIt };
}

test("remaining files are committed whatever the repository's settings: signing, hooks, no user.name", async () => {
  const { folder, write, git, program, read, commitIt, ran } = givenBranch();
  vi.stubEnv("HOME", freshFolder());
  vi.stubEnv("XDG_CONFIG_HOME", freshFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  git("config", "commit.gpgsign", "true");
  git("config", "gpg.program", program("sign", "exit 1"));
  for (const hook of ["pre-commit", "commit-msg", "post-commit", "prepare-commit-msg"])
    copyFileSync(program(hook, "exit 1"), join(folder, ".git", "hooks", hook));
  for (const name of ["user.name", "user.email"]) git("config", name, "");
  write("src.txt", "two\n");
  write("new/file.txt", "new\n");
  expect(await commitIt()).toMatchObject({ files: 2, leftOut: [], unresolved: [] });
  expect(read("log", "-1", "--format=%s|%b|%an <%ae>|%cn")).toBe(
    "Task 1: It|Did it.\n|signalbox <signalbox@localhost>|signalbox",
  );
  expect(read("status", "--porcelain")).toBe("");
  expect(existsSync(ran)).toBe(false);
});

test("files that an agent has moved or removed with git are committed so", async () => {
  const { write, git, commit, read, commitIt } = givenBranch();
  write("old.txt", "old\n");
  commit();
  git("mv", "src.txt", "moved.txt");
  git("rm", "--quiet", "old.txt");
  expect(await commitIt()).toMatchObject({ files: 3 });
  expect(read("ls-files")).toBe("moved.txt");
});

test("the author can be configured, and without changes nothing is committed", async () => {
  const { write, git, read, commitIt } = givenBranch();
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  write("src.txt", "two\n");
  await commitIt("The Loop <loop@example.org>");
  expect(read("log", "-1", "--format=%an <%ae>|%cn")).toBe("The Loop <loop@example.org>|Ada");
  expect(await commitIt()).toEqual({ commit: undefined, files: 0, leftOut: [], unresolved: [] });
});

test("files that look like secrets are left out, also where an agent has staged them, and said", async () => {
  const { write, git, read, commitIt } = givenBranch();
  const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n";
  const secrets = [".env", ".env.local", "deploy/id_rsa", "server.pem", "credentials.json", "notes.txt"];
  for (const path of secrets) write(path, path === "notes.txt" ? key : "TOKEN=x\n");
  write(".env.example", "TOKEN=\n");
  write("src.txt", "two\n");
  git("add", "--force", ".env", "notes.txt");
  const { leftOut, files } = await commitIt();
  expect(leftOut.map(({ path }) => path).sort()).toEqual([...secrets].sort());
  expect(leftOut.find(({ path }) => path === "notes.txt")?.reason).toBe("it contains a private key");
  expect(files).toBe(2);
  expect(read("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual([".env.example", "src.txt"]);
});

test("filters are not run: files that one would change are left out, and LFS content in place of a pointer is no change", async () => {
  const { write, git, program, read, commitIt, ran } = givenBranch();
  const content = "large\n";
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${hash("sha256", content)}\nsize ${content.length}\n`;
  write(".gitattributes", "*.bin filter=lfs\n*.enc filter=crypt\n");
  write("a.bin", pointer);
  write("b.bin", pointer);
  git("add", ".");
  git("commit", "--quiet", "-m", "Pointers");
  for (const filter of ["lfs", "crypt"]) {
    git("config", `filter.${filter}.clean`, program(filter, "cat"));
    git("config", `filter.${filter}.smudge`, program(filter, "cat"));
    git("config", `filter.${filter}.required`, "true");
  }
  write("a.bin", content);
  write("b.bin", "other\n");
  write("secret.enc", "plain\n");
  write("src.txt", "two\n");
  const { leftOut, files } = await commitIt();
  expect(leftOut.map(({ path }) => path).sort()).toEqual(["b.bin", "secret.enc"]);
  expect(files).toBe(1);
  expect(read("show", "--stat", "--format=", "HEAD")).toContain("src.txt");
  expect(existsSync(ran)).toBe(false);
});

test("the task's branch follows work on the agent's own branch, and a diverging branch is named", async () => {
  const { write, git, read, commitIt } = givenBranch();
  git("checkout", "--quiet", "-b", "mine");
  write("src.txt", "two\n");
  git("commit", "--quiet", "--all", "-m", "Mine");
  expect(await commitIt()).toMatchObject({ commit: undefined });
  expect(read("rev-parse", "signalbox/task-1")).toBe(read("rev-parse", "mine"));
  git("checkout", "--quiet", "--orphan", "other");
  write("src.txt", "three\n");
  await expect(commitIt()).rejects.toThrow("which is not based on signalbox/task-1");
});

test("during a rebase nothing is committed", async () => {
  const { write, git, commitIt, commit } = givenBranch();
  write("src.txt", "two\n");
  commit();
  git("checkout", "--quiet", "-b", "side", "HEAD~1");
  write("src.txt", "three\n");
  commit();
  expect(() => git("rebase", "signalbox/task-1")).toThrow();
  await expect(commitIt()).rejects.toThrow("A rebase is in progress");
});

test("many new files, such as unignored packages, do not take one git process each", async () => {
  const { write, program, commitIt, ran, folder } = givenBranch();
  for (let file = 0; file < 200; file++) write(`node_modules/${file}.js`, `${file}\n`);
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  program("git", `exec '${real}' "$@"`);
  vi.stubEnv("PATH", `${join(folder, "..")}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await commitIt()).toMatchObject({ files: 200 });
  expect(readFileSync(ran, "utf8").split("\n").length).toBeLessThan(40);
});

test("work left on another branch is committed to the task's own, and the other branch is unchanged", async () => {
  const { write, git, read, commitIt } = givenBranch();
  const main = git("rev-parse", "HEAD").trim();
  git("branch", "base");
  git("checkout", "--quiet", "base");
  write("src.txt", "two\n");
  expect(await commitIt()).toMatchObject({ files: 1 });
  expect(read("rev-parse", "base")).toBe(main);
  expect(read("show", "signalbox/task-1:src.txt")).toBe("two");
  expect(read("symbolic-ref", "--short", "HEAD")).toBe("signalbox/task-1");
});
