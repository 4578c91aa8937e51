import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { containerArguments } from "../../../adapters/sandboxes/container.ts";
import { findEngine } from "../../../adapters/sandboxes/engine.ts";
import { noteContainer, removeContainer } from "../../../adapters/sandboxes/remains.ts";
import { needsOf } from "../../../adapters/sandboxes/sandboxed-session.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { faultsIn } from "../../../src/config/faults.ts";
import { sandboxOf } from "../../../src/config/schema.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { unfinishedPath } from "../../../src/lib/processes/unfinished-file.ts";
import { clients } from "../../../src/loop/agent/clients.ts";
import { sandboxCheck } from "../../../src/loop/doctor/sandbox.ts";
import { recover } from "../../../src/loop/drivers/recovery.ts";
import { openRelays } from "../../../src/loop/relays.ts";
import { runFolderOf } from "../../../src/loop/run-folder.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { signalbox } from "../../support/cli.ts";
import { freshFolder, freshProject, givenConfig } from "../../support/project.ts";
import { givenProgram } from "../doctor-given.ts";

/* Catches: a container with more rights than docs/sandbox.md says; a sandbox that cannot work and is found out only by its agents; containers that outlive their driver. */

const WISH = {
  name: "signalbox-s-1",
  image: "agents/claude:3",
  mounts: [
    { path: "/home/ada/shop/.ralph", how: "hide" },
    { path: "/home/ada/shop/.ralph/worktrees/task-7", how: "write" },
    { path: "/home/ada/shop/.git", how: "read" },
    { path: '/srv/a,"b', how: "read" },
  ],
  folder: "/home/ada/shop/.ralph/worktrees/task-7",
  variables: ["ANTHROPIC_API_KEY", "RALPH_SESSION_ID"],
  user: { uid: 1000, gid: 100 },
} as const;
const COMMAND = ["node", "/tmp/signalbox-1000/s/inside.mjs", "/tmp/signalbox-1000/s", "claude", "-p"];

test("the command line of docker", () => {
  const line = containerArguments({ ...WISH, engine: "docker", memory: "8g", pids: 500 }, COMMAND);
  expect(line).toEqual([
    "run",
    "--rm",
    "--interactive",
    "--init",
    "--name=signalbox-s-1",
    "--pull=never",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--security-opt=label=disable",
    "--user=1000:100",
    "--memory=8g",
    "--pids-limit=500",
    "--env=ANTHROPIC_API_KEY",
    "--env=RALPH_SESSION_ID",
    "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777",
    '--mount=type=bind,"source=/srv/a,""b","destination=/srv/a,""b",readonly',
    "--mount=type=tmpfs,destination=/home/ada/shop/.ralph",
    "--mount=type=bind,source=/home/ada/shop/.git,destination=/home/ada/shop/.git,readonly",
    "--mount=type=bind,source=/home/ada/shop/.ralph/worktrees/task-7,destination=/home/ada/shop/.ralph/worktrees/task-7",
    "--workdir=/home/ada/shop/.ralph/worktrees/task-7",
    "--entrypoint=node",
    "agents/claude:3",
    "/tmp/signalbox-1000/s/inside.mjs",
    "/tmp/signalbox-1000/s",
    "claude",
    "-p",
  ]);
});

test("that of podman differs in the user: without root it would be another one", () => {
  const [docker, podman, asRoot] = [
    containerArguments({ ...WISH, engine: "docker", memory: undefined, pids: undefined }, COMMAND),
    containerArguments({ ...WISH, engine: "podman", memory: undefined, pids: undefined }, COMMAND),
    containerArguments(
      { ...WISH, engine: "podman", memory: undefined, pids: undefined, user: { uid: 0, gid: 0 } },
      COMMAND,
    ),
  ];
  expect(podman.filter((word) => !docker.includes(word))).toEqual(["--userns=keep-id"]);
  expect(docker.filter((word) => !podman.includes(word))).toEqual([]);
  expect(asRoot.filter((word) => !docker.includes(word))).toEqual(["--user=0:0"]);
});

test.each([
  [{ engine: "docker" }, "sandbox.image", "is missing, and docker needs it"],
  [{ engine: "bwrap", memory: "8g" }, "sandbox.memory", "has no effect with bwrap"],
  [{ engine: "bwrap", pids: 100 }, "sandbox.pids", "has no effect with bwrap"],
  [{ engine: "chroot" }, "sandbox.engine", "docker"],
  [{ hosts: ["https://api.example.org"] }, "sandbox.hosts.0", "must be a host in small letters"],
  [{ mounts: ["node_modules"] }, "sandbox.mounts.0", "must be an absolute path"],
])("a configuration with the sandbox %j is refused", (sandbox, path, message) => {
  expect(faultsIn({ sandbox })).toEqual([{ path, message: expect.stringContaining(message) }]);
});

const settingsOf = (sandbox: object) => {
  const settings = sandboxOf(parseConfig({ sandbox: { engine: "bwrap", ...sandbox } }, ""));
  if (!settings) throw new Error("There is no sandbox.");
  return settings;
};

test("an agent may reach its model and what the configuration names, and is given their keys by name", () => {
  const settings = settingsOf({ hosts: ["registry.example.org:8443", "a.example.org"], environment: ["CI"] });
  const env = { ANTHROPIC_BASE_URL: "https://LLM.example.org/v1" };
  expect(needsOf({ kind: "claude", command: "claude", args: [] }, settings, env)).toEqual({
    hosts: ["api.anthropic.com:443", "llm.example.org:443", "registry.example.org:8443", "a.example.org:443"],
    variables: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "CI",
    ],
  });
  expect(needsOf({ kind: "command", command: "x" }, settingsOf({}), env)).toEqual({
    hosts: [],
    variables: [],
  });
});

test("docs/sandbox.md names the hosts and the variables of each client", () => {
  const page = readFileSync(packagePath("docs/sandbox.md"), "utf8");
  for (const [kind, { sandbox }] of Object.entries(clients)) {
    const row = page.split("\n").find((line) => line.startsWith(`| ${kind} |`)) ?? "";
    const { hosts, variables, baseUrl } = sandbox;
    for (const name of [...hosts, ...variables, ...(baseUrl === undefined ? [] : [baseUrl])])
      expect(row).toContain(`\`${name}\``);
  }
});

/** A client of docker that notes how it was called, before all other programs of this name. */
function givenDocker(script: string): { readonly calls: () => string[] } {
  const bin = freshFolder();
  const calls = join(bin, "calls");
  givenProgram(bin, "docker", `echo "$@" >>'${calls}'\n${script}`);
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : []) };
}

const NO_ENGINE =
  'echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1';
const NO_IMAGE = 'if [ "$1" = image ]; then echo "Error: No such image: $4" >&2; exit 1; fi';

test.each([
  [
    "no engine answers its client",
    NO_ENGINE,
    "the docker client is there, but no engine answers it: Cannot connect to the Docker daemon",
    "Start the engine, as with `systemctl start docker`, or set `sandbox.engine` to another one.",
  ],
  [
    "the image is not there",
    NO_IMAGE,
    "docker has no image agents/claude:3: Error: No such image: agents/claude:3",
    "Build it, or get it with `docker pull agents/claude:3`.",
  ],
])("where %s, doctor says so and no session starts", async (_what, script, found, mend) => {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const sandbox = { engine: "docker", image: "agents/claude:3" };
  givenConfig(folder, { agent: "pretend", sandbox });
  const { calls } = givenDocker(script);
  const place = { cwd: folder, readModelPath: db, noProject: "", env: process.env };
  expect(await sandboxCheck.look(place)).toEqual([
    { name: "sandbox", state: "failed", found: expect.stringContaining(found), mend },
  ]);
  const ran = await signalbox(["run"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`${found}`) });
  expect(ran.stderr).toContain(mend);
  expect(await project.queries.sessions({})).toEqual([]);
  expect(calls().filter((call) => call.startsWith("run "))).toEqual([]);
});

test("a path of `sandbox.mounts` that is not there is found before any session", async () => {
  const settings = settingsOf({ mounts: ["/usr", "/nowhere/tools:rw"] });
  expect(await findEngine(settings, "/srv")).toEqual({
    found: "there is no /nowhere/tools, which `sandbox.mounts` names",
    mend: "Make it, or take it out of `sandbox.mounts`.",
  });
});

test("a `relay.folder` too long for the sockets of sandboxes alone is refused before any session", () => {
  const parent = freshFolder();
  const shortest = unfinishedPath(join(parent, "x", `signalbox-${process.getuid?.()}`, "s"));
  const folder = join(parent, "x".repeat(1 + 107 - shortest.length));
  mkdirSync(folder);
  const open = (config: object) => openRelays({ relay: { folder }, ...config });
  expect(open({})).toBeDefined();
  expect(() => open({ sandbox: settingsOf({}) })).toThrow("a socket's path can have");
});

test("without an image the command line is refused, with what it must have", async () => {
  const { folder } = await freshProject();
  const ran = await signalbox(["run", "--sandbox", "podman"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("sandbox.image: is missing") });
  expect(ran.stderr).toContain("name an image that has node and the agent's program");
});

test("recovery removes the container that a dead driver has left", async () => {
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(startSession({ task: 1, session: "s-1", driver: "d-dead" }));
  const { calls } = givenDocker('[ "$1" != rm ] || { echo "Error: No such container" >&2; exit 1; }');
  mkdirSync(runFolderOf(db, "s-1").path, { recursive: true });
  writeFileSync(runFolderOf(db, "s-1").pidFile, "2000000000");
  noteContainer(db, "s-1", "docker");
  expect(await recover(project, db)).toMatchObject([{ session: "s-1", agentRan: false }]);
  expect(calls()).toEqual(["rm --force signalbox-s-1"]);
});

test.each([
  [
    "as an older version wrote it",
    (_: string) => '{"engine":"/usr/bin/docker","name":"signalbox-s-1"}',
    ["rm --force signalbox-s-1"],
  ],
  ["that names a program", (program: string) => JSON.stringify({ engine: program, name: "x" }), []],
  [
    "that names a program docker elsewhere",
    (program: string) => JSON.stringify({ engine: `${program}/docker`, name: "--all" }),
    ["rm --force signalbox-s-1"],
  ],
  ["that names no program", () => "\0", []],
])("a note of a container %s starts nothing else, and removes no other", async (_what, textOf, expected) => {
  const { db, folder } = await freshProject();
  const { calls } = givenDocker("true");
  const [program, trace] = [join(folder, "program"), join(folder, "trace")];
  writeFileSync(program, `#!/bin/sh\necho "$*" > ${trace}\n`, { mode: 0o755 });
  mkdirSync(runFolderOf(db, "s-1").path, { recursive: true });
  writeFileSync(runFolderOf(db, "s-1").containerFile, textOf(program));
  await removeContainer(db, "s-1");
  expect(existsSync(trace)).toBe(false);
  expect(calls()).toEqual(expected);
});
