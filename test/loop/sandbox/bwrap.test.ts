// @module-tag bwrap
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { bwrapLine } from "../../../adapters/sandboxes/bwrap.ts";
import { sessionMounts } from "../../../adapters/sandboxes/session-mounts.ts";
import { platform } from "../../../src/lib/platform/here.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { GitError, git } from "../../../src/workspace/git.ts";
import { useBundle } from "../../children.ts";
import { selfSigned } from "../../support/certificate.ts";
import { signalbox } from "../../support/cli.ts";
import { freshFolder, freshProject, givenConfig } from "../../support/project.ts";
import { type GivenLoop, givenLoop, statuses, stepsOf } from "../given-loop.ts";

/* Catches: a way out of the sandbox, to files, to the network, or into git; tools that cannot be reached from inside; agents that outlive their driver. */

const { path: agent } = useBundle("test/loop/sandbox/children/look-around.ts");

interface Given {
  readonly loop: GivenLoop;
  readonly sockets: string;
  readonly worktree: string;
}

/** A loop with one task in a worktree, whose agent looks around. */
async function givenSandbox(
  ports: { readonly host: number; readonly model: number },
  worktrees = true,
): Promise<Given> {
  const sockets = freshFolder();
  // As a user's, with something in it.
  const home = freshFolder();
  writeFileSync(join(home, "key"), "secret");
  for (const [name, value] of Object.entries({ HOME: home, GIVEN: "given", CANARY: "canary" }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const loop = await givenLoop(agent, { tasks: [{ title: "Look around" }], git: true });
  const words = [process.execPath, agent, loop.folder, home, ports.host, ports.model, "{mcp_config}"];
  givenConfig(loop.folder, {
    agent: "look-around",
    agents: { "look-around": { kind: "command", command: words.join(" ") } },
    worktrees,
    relay: { folder: sockets },
    limits: { grace_s: 60 },
    answers: { now: true },
    sandbox: { hosts: [`localhost:${ports.model}`], environment: ["GIVEN"], mounts: [agent] },
  });
  return { loop, sockets, worktree: loop.path(".ralph/worktrees/task-1") };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Says "Model." by TLS to whoever has said something. */
function givenModel(): Server {
  const { cert, key } = selfSigned(["DNS:localhost"]);
  return createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => socket.end(`Model heard ${data}.`));
  });
}

test("an agent does its task with its tools over HTTP, and reaches its worktree and its model alone", async () => {
  let connections = 0;
  const host = await portOf(
    createServer((socket) => {
      connections += 1;
      socket.destroy();
    }),
  );
  const model = await portOf(givenModel());
  const { loop, sockets, worktree } = await givenSandbox({ host, model });
  const { steps, exitCode, stderr } = await loop.run("--sandbox", "bwrap", "--once");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ closing: "done", status: "done" }]);
  expect(await statuses(loop.project)).toEqual({ 1: "done" });
  expect(JSON.parse(readFileSync(join(worktree, "found.json"), "utf8"))).toEqual({
    ralph: ["worktrees"],
    home: false,
    ownHome: [],
    environment: ["given", null],
    direct: "ECONNREFUSED",
    elsewhere: `example.org:443 is not allowed in this sandbox. Allowed: localhost:${model}.`,
    model: "Model heard hello.",
    plain: "HTTP/1.1 405 Method Not Allowed",
    writes: Array(10).fill("EROFS"),
    commits: "From inside",
  });
  expect(connections).toBe(0);
  // It would have answered itself.
  const types = (await loop.project.log.read(0, 1_000)).map(({ type }) => type);
  expect(types).toContain("signal.ask");
  expect(types).not.toContain("question.answered");
  const [session] = await loop.project.queries.sessions({ task: 1 });
  expect(readFileSync(loop.path(`.ralph/run/${session?.id}/server.log`), "utf8")).toBe(
    "The proxy refused example.org:443.\n",
  );
  expect(readdirSync(join(sockets, `signalbox-${process.getuid?.()}`))).toEqual([]);
});

/** A loop with a task in a worktree, whose agent is a shell's script in a sandbox. */
async function givenScript(script: string, config: object = {}) {
  const file = join(freshFolder(), "agent.sh");
  writeFileSync(file, script);
  const loop = await givenLoop(agent, { tasks: [{ title: "Do harm" }], git: true });
  const victims = ["first", "second"].map((name) => join(freshFolder(), name));
  for (const victim of victims) writeFileSync(victim, "mine");
  givenConfig(loop.folder, {
    agent: "script",
    agents: { script: { kind: "command", command: ["/bin/sh", file, ...victims].join(" ") } },
    worktrees: true,
    relay: { folder: freshFolder() },
    sandbox: { mounts: [file] },
    ...config,
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", loop.folder, ...args], { encoding: "utf8" }).trim();
  return { loop, git, read: () => victims.map((victim) => readFileSync(victim, "utf8")) };
}

test("links that an agent leaves in git's state lead the loop's git to no other file", async () => {
  const { loop, git, read } = await givenScript(`cd "$(git rev-parse --absolute-git-dir)"
ln -sf "$1" COMMIT_EDITMSG
ln -sf "$2" logs/HEAD
ln -sf "$2" ../../logs/refs/heads/signalbox/task-1
echo more >>"$OLDPWD/.gitignore"`);
  const { steps, exitCode } = await loop.run("--sandbox", "bwrap", "--once");
  expect(exitCode).toBe(0);
  expect(stepsOf(steps, "session_ended")).toHaveLength(1);
  expect(git("log", "-1", "--format=%s", "signalbox/task-1")).toMatch(/^Task 1: /);
  expect(read()).toEqual(["mine", "mine"]);
});

test.each(["index COMMIT_EDITMSG", "HEAD ../../refs/heads/signalbox/task-1"])(
  "FIFOs that an agent leaves in git's state hold nobody: %s",
  async (names) => {
    const { loop } = await givenScript(`cd "$(git rev-parse --absolute-git-dir)"
rm -f ${names}
mkfifo ${names}
echo more >>"$OLDPWD/.gitignore"`);
    const { steps } = await loop.run("--sandbox", "bwrap", "--once");
    expect(stepsOf(steps, "session_ended")).toHaveLength(1);
  },
);

const FORGED = `mkdir -p objects refs
echo "ref: refs/heads/main" >HEAD
git init . 2>>said
mkdir .git/x 2>>said
mv .git elsewhere 2>>said
cd .. && mv sub elsewhere 2>>sub/said`;

test("where there is no repository an agent can make none, and none that the loop's git takes", async () => {
  const { loop } = await givenScript(FORGED, { worktrees: false });
  rmSync(loop.path(".git"), { recursive: true });
  const { steps } = await loop.run("--sandbox", "bwrap", "--once");
  expect(stepsOf(steps, "session_ended")).toHaveLength(1);
  expect(readdirSync(loop.path(".git"))).toEqual([]);
  expect(readdirSync(loop.folder)).toEqual(expect.arrayContaining(["HEAD", "objects", "refs", "said"]));
  await expect(git(loop.folder, ["rev-parse", "--git-dir"])).rejects.toThrow(GitError);
});

test("an agent in a subfolder of its worktree can put no repository between both", async () => {
  const { loop, git: ask } = await givenScript("");
  const top = join(freshFolder(), "top");
  ask("worktree", "add", "--quiet", top);
  const workplace = join(top, "sub");
  const folder = freshFolder();
  for (const path of [workplace, join(folder, "home")]) mkdirSync(path);
  const options = { hasWorktree: true, workplace, folder, readModelPath: loop.db, named: [] };
  const mounts = await sessionMounts(top, options);
  const { file, args } = bwrapLine("bwrap", { mounts, folder: workplace }, ["/bin/sh", "-c", FORGED]);
  expect(() => execFileSync(file, args)).toThrow();
  expect(readdirSync(join(workplace, ".git"))).toEqual([]);
  expect(readFileSync(join(workplace, "said"), "utf8")).toMatch(/mv: cannot move 'sub'/);
  await expect(git(workplace, ["rev-parse", "--show-toplevel"])).rejects.toThrow(
    "cannot use bare repository",
  );
});

/** Starts a loop whose agent waits. */
async function givenWaiting() {
  const given = await givenSandbox({ host: 1, model: 2 });
  const { loop, worktree } = given;
  const git = (...args: string[]) => execFileSync("git", ["-C", loop.folder, ...args], { stdio: "ignore" });
  git("worktree", "add", "-b", "signalbox/task-1", worktree);
  writeFileSync(join(worktree, "wait"), "");
  const driver = loop.start("--sandbox", "bwrap");
  let session = "";
  for await (const line of driver.lines) {
    const step = JSON.parse(line);
    session = step.session ?? session;
    if (step.step === "agent_started") break;
  }
  return { ...given, driver, session };
}

const processesOf = (session: string) =>
  platform()
    .processes.table()
    .filter(({ pid }) => platform().processes.variables("RALPH_SESSION_ID")(pid) === session);

test("a driver that is killed leaves no agent behind, and the next one gives its task to another", async () => {
  const { loop, worktree, driver, session, sockets } = await givenWaiting();
  expect(processesOf(session).length).toBeGreaterThan(2);
  await driver.kill();
  await expect.poll(() => processesOf(session)).toEqual([]);
  rmSync(join(worktree, "wait"));
  const { steps } = await loop.run("--sandbox", "bwrap", "--once");
  expect(stepsOf(steps, "recovered")).toMatchObject([{ task: 1, session, agent_ran: false }]);
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ task: 1, closing: "done", status: "done" }]);
  expect(readdirSync(join(sockets, `signalbox-${process.getuid?.()}`))).toEqual([]);
});

test("an agent whose loop is stopped is told to end, and has time for it", async () => {
  const { worktree, driver, session } = await givenWaiting();
  driver.process.kill("SIGTERM");
  await driver.finish();
  expect(existsSync(join(worktree, "ended"))).toBe(true);
  expect(processesOf(session)).toEqual([]);
});

test("without a worktree the agent has the project's folder without .ralph, and cannot commit", async () => {
  const { loop } = await givenSandbox({ host: 1, model: 1 }, false);
  const { steps } = await loop.run("--sandbox", "bwrap", "--once");
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ closing: "done", status: "done" }]);
  expect(JSON.parse(readFileSync(loop.path("found.json"), "utf8"))).toMatchObject({
    ralph: [],
    home: false,
    writes: [...Array(4).fill("EROFS"), expect.stringMatching(/EISDIR|EROFS/), ...Array(5).fill("EROFS")],
    commits: "Begin",
  });
});

test("the agent `pretend` tries a sandbox, as docs/sandbox.md has it", async () => {
  const { project, folder } = await freshProject();
  mkdirSync(join(folder, "src"));
  await project.decide(createTask({ title: "Export" }));
  givenConfig(folder, { agent: "pretend", relay: { folder: freshFolder() } });
  const ran = await signalbox(["run", "--sandbox", "bwrap", "--once"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await statuses(project)).toEqual({ 1: "done" });
});
