import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proposeWorktrees } from "../../src/loop/merge/propose-worktrees.ts";
import { givenProgram } from "../loop/doctor-given.ts";
import { signalbox, signalboxApart } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";
import { signalboxOnTerminal } from "../support/terminal.ts";

/* Catches: a first minute that asks for more than it must, forgets an answer, writes over a human's file, or ends without a next command. */

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

/** A folder, and a PATH with a codex and no other agent. */
function givenMachine() {
  const bin = freshFolder();
  givenProgram(bin, "codex", "exit 1");
  return { cwd: freshFolder(), env: { PATH: `${bin}:/usr/bin:/bin` } };
}

test("on a terminal, init proposes the agent on PATH, adds a first task with its gate, and ends with `signalbox run`", {
  tags: "script",
}, async () => {
  const { cwd, env } = givenMachine();
  const init = signalboxOnTerminal(["init"], { cwd, env });
  expect(await init.shows("[codex]:")).toContain("Agents on PATH: codex");
  init.type("\r");
  await init.shows("[edit]:");
  // Typed ahead: permissions, the client's file, the task, its gate.
  init.type("\ry\rExport as CSV\rnpm test\r");
  expect(await init.shows("next: signalbox run")).toContain("Added task 1: Export as CSV");
  expect(await init.ended()).toBe(0);
  expect(read(cwd, ".ralph", "config.json")).toEqual({
    agent: "codex",
    agents: { codex: { kind: "codex", permissions: "edit" } },
  });
  expect(readFileSync(join(cwd, ".codex", "config.toml"), "utf8")).toContain("[mcp_servers.ralph]");
  const { stdout } = await signalbox(["task", "show", "1", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ status: "pending", gates: [{ command: "npm test" }] });
  // Confirmed by whoever answered: nothing is asked again.
  expect((await signalbox(["config", "show"], { cwd })).stderr).toBe("");
});

test("init leaves a client's file that is there as it is, and names the command that prints its content", {
  tags: "script",
}, async () => {
  const { cwd, env } = givenMachine();
  writeFileSync(join(cwd, ".mcp.json"), "{}\n");
  const init = signalboxOnTerminal(["init"], { cwd, env });
  await init.shows("[codex]:");
  init.type("claude\r\r\r\r");
  await init.shows("mcp --print-config claude");
  await init.shows("next: signalbox task add");
  expect(readFileSync(join(cwd, ".mcp.json"), "utf8")).toBe("{}\n");
});

test("init that is stopped at a question says so, keeps what was answered, and leaves a project that works", {
  tags: "script",
}, async () => {
  const { cwd, env } = givenMachine();
  const init = signalboxOnTerminal(["init"], { cwd, env });
  await init.shows("[codex]:");
  init.type("pretend\r");
  await init.shows("First task");
  init.type("\u0003");
  await init.shows("Stopped: there was no answer.");
  expect(await init.ended()).toBe(1);
  expect(read(cwd, ".ralph", "config.json")).toEqual({ agent: "pretend" });
  expect((await signalbox(["task", "add", "Later"], { cwd })).exitCode).toBe(0);
});

test("init --yes asks nothing: the first agent on PATH with the permissions edit", async () => {
  const { cwd, env } = givenMachine();
  const { stdout, exitCode } = await signalbox(["init", "shop", "--yes"], { cwd, env });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("next: cd shop && signalbox task add");
  expect(read(cwd, "shop", ".ralph", "config.json")).toEqual({
    agent: "codex",
    agents: { codex: { kind: "codex", permissions: "edit" } },
  });
  expect(existsSync(join(cwd, "shop", ".mcp.json"))).toBe(false);
});

test("init --yes without an agent on PATH says which ones there are, and one that needs no model", async () => {
  // How it was called is known from its process.
  const { stdout } = await signalboxApart(["init", "--yes"], {
    cwd: freshFolder(),
    env: { PATH: "/usr/bin:/bin", npm_command: "exec" },
  });
  expect(stdout).toContain("There is no coding agent on PATH (claude, codex, opencode, gemini)");
  expect(stdout).toContain("pretend");
  expect(stdout).toContain("next: npx signalbox task add");
});

test("in a repository with a lock file, init proposes worktrees with its setup and the ignored files, and writes them after a yes", {
  tags: "script",
}, async () => {
  const { cwd, env } = givenMachine();
  execFileSync("git", ["init", "--quiet"], { cwd });
  writeFileSync(join(cwd, "package-lock.json"), "{}\n");
  writeFileSync(join(cwd, ".gitignore"), ".env\nnode_modules\n");
  writeFileSync(join(cwd, ".env"), "KEY=1\n");
  const init = signalboxOnTerminal(["init"], { cwd, env });
  await init.shows("[codex]:");
  init.type("\r\rn\r");
  expect(await init.shows("of its own")).toContain("set up by `npm ci`, with /.env copied?");
  init.type("y\r\r");
  await init.shows("next: signalbox task add");
  expect(read(cwd, ".ralph", "config.json")).toMatchObject({
    worktrees: { setup: "npm ci", copy: ["/.env"] },
  });
  expect((await signalbox(["config", "show"], { cwd })).stderr).toBe("");
});

test("what a repository says of its worktrees comes before its lock files, and what the configuration would refuse is not proposed", async () => {
  const cwd = freshFolder();
  execFileSync("git", ["init", "--quiet"], { cwd });
  expect(await proposeWorktrees(cwd)).toBeUndefined();
  writeFileSync(join(cwd, "uv.lock"), "");
  writeFileSync(join(cwd, "package-lock.json"), "{}");
  expect(await proposeWorktrees(cwd)).toEqual({ setup: "npm ci && uv sync --frozen" });
  for (const cache of [".yarn/cache", ".pnpm-store", ".npm", "vendor/bundle"])
    mkdirSync(join(cwd, cache), { recursive: true });
  // As a link the store would not be ignored, and the bundle is not at all.
  writeFileSync(join(cwd, ".gitignore"), ".yarn/\n.pnpm-store/\n.npm\n");
  const share = [".yarn/cache", ".npm"];
  expect(await proposeWorktrees(cwd)).toEqual({ setup: "npm ci && uv sync --frozen", share });
  mkdirSync(join(cwd, ".cursor"));
  writeFileSync(
    join(cwd, ".cursor/worktrees.json"),
    JSON.stringify({ "setup-worktree": ["npm ci || true", "cp $ROOT_WORKTREE_PATH/.env ."] }),
  );
  writeFileSync(join(cwd, ".worktreeinclude"), "# secrets\n.env\n\n!.env.sample\n");
  expect(await proposeWorktrees(cwd)).toEqual({
    setup: "set -e\nnpm ci || true\ncp $ROOT_WORKTREE_PATH/.env .",
    copy: [".env", "!.env.sample"],
    share,
  });
  writeFileSync(join(cwd, ".worktreeinclude"), ".env\n".repeat(101));
  expect(await proposeWorktrees(cwd)).toBeUndefined();
});
