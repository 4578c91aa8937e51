import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject, givenConfig, writeConfig } from "../support/project.ts";
import { signalboxOnTerminal } from "../support/terminal.ts";

/* Catches: a program that a branch has named and that is started, a human who cannot see what they confirm. */

/** A project with a task, and a configuration whose agent leaves a file behind when it is started. */
async function given(more: object = {}, gates: readonly string[] = []) {
  const { project, folder, db } = await freshProject();
  await project.decide(
    createTask({ title: "Export", gates: gates.map((command) => ({ command, max: 3, timeout_s: 10 })) }),
  );
  const started = join(folder, "started");
  const program = join(folder, "agent.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${started}\n`);
  chmodSync(program, 0o755);
  const config = { agent: "x", agents: { x: { kind: "command", command: program } }, ...more };
  writeConfig(folder, JSON.stringify(config));
  const events = async () => (await project.log.read(0, 1_000)).map(({ type }) => type);
  return { project, folder, db, program, config, events, wasStarted: () => existsSync(started) };
}

const UNCONFIRMED =
  /^signalbox: .*config\.json has changes that no human has confirmed.*`signalbox config trust` in /;

test("run starts agents only after the configuration is confirmed", async () => {
  const { folder, events, wasStarted } = await given();
  const before = await events();
  const refused = await signalbox(["run", "--once"], { cwd: folder });
  expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(UNCONFIRMED) });
  expect(refused.stderr).toContain("[unconfirmed]");
  expect(await events()).toEqual(before);
  expect(wasStarted()).toBe(false);
  expect(await signalbox(["config", "trust", "--yes"], { cwd: folder })).toMatchObject({ exitCode: 0 });
  await signalbox(["run", "--once"], { cwd: folder });
  expect(wasStarted()).toBe(true);
});

test("gate run and signal done run no gate of an unconfirmed configuration: no attempt counts, and the agent is told", async () => {
  const { project, folder, events } = await given({}, ["touch ran"]);
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const ran = await signalbox(["gate", "run", "1"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(UNCONFIRMED) });
  const done = ["signal", "done", "--session", "s-1", "--summary", "All."];
  const answer = await signalboxJson(done, { cwd: folder });
  expect(answer).toMatchObject({
    verified: false,
    gates: [{ gate: 1, state: "pending", attempts: 0, run: false }],
    next: expect.stringMatching(
      /^Recorded, but not verified; .* that no human has confirmed.*leave the rest to the human/,
    ),
  });
  expect(existsSync(join(folder, "ran"))).toBe(false);
  expect((await events()).filter((type) => type.startsWith("gate."))).toEqual([]);
  await signalbox(["config", "trust", "--yes"], { cwd: folder });
  expect(await signalboxJson(done, { cwd: folder })).toMatchObject({ verified: true });
});

test("a done of a task without gates does not mention the configuration", async () => {
  const { project, folder } = await given();
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const done = ["signal", "done", "--session", "s-1", "--summary", "All."];
  expect((await signalbox(done, { cwd: folder })).stdout).not.toContain("config");
});

test("traces are sent nowhere by it", async () => {
  let requests = 0;
  const collector = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void collector.close());
  const address = collector.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { project, folder } = await given({ metrics: { otlp: { endpoint: `http://127.0.0.1:${port}` } } });
  const send = ["metrics", "export-traces"];
  await project.decide(startSession({ task: 1, session: "s-1" }));
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  const refused = await signalbox(send, { cwd: folder });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(UNCONFIRMED) });
  expect(requests).toBe(0);
  await signalbox(["config", "trust", "--yes"], { cwd: folder });
  expect(await signalbox(send, { cwd: folder })).toMatchObject({ exitCode: 0 });
  expect(requests).toBeGreaterThan(0);
});

test("the doctor does not start the agent of it to hear its version, and says why", async () => {
  const { folder, wasStarted } = await given();
  const { stdout } = await signalbox(["doctor"], { cwd: folder });
  expect(stdout).toMatch(/config +.*config\.json is not confirmed/);
  expect(stdout).toMatch(/agent +the configuration is not confirmed/);
  expect(wasStarted()).toBe(false);
  await signalbox(["config", "trust", "--yes"], { cwd: folder });
  await signalbox(["doctor"], { cwd: folder });
  expect(wasStarted()).toBe(true);
});

test("config trust shows every changed value in full, first against the defaults, then against the confirmed file", async () => {
  const { folder, program, config } = await given({ jobs: 3 });
  const first = await signalbox(["config", "trust", "--yes"], { cwd: folder });
  expect(first.stdout).toContain("has not been confirmed. Compared with the defaults:");
  expect(first.stdout).toContain('  agent: "claude" → "x"\n');
  expect(first.stdout).toContain(`  agents.x.command: none → "${program}"\n`);
  expect(first.stdout).toContain("  jobs: 1 → 3\n");
  const command = `harmless ${"x".repeat(5_000)} \u001b[2Jend`;
  writeConfig(folder, JSON.stringify({ ...config, agents: { x: { kind: "command", command } } }));
  const second = await signalbox(["config", "trust"], { cwd: folder });
  expect(second).toMatchObject(fails(1, "there is no terminal to ask on"));
  expect(second.stdout).toContain("Compared with the last confirmed configuration:");
  expect(second.stdout).toContain(`→ "${command.replace("\u001b", "\\u001b")}"`);
  expect(second.stdout).not.toContain("jobs");
  expect((await signalbox(["run", "--once"], { cwd: folder })).exitCode).toBe(2);
});

test("config trust --digest confirms the file that has this digest, and no other", async () => {
  const { folder } = await given();
  const wrong = await signalbox(["config", "trust", "--yes", "--digest", "0".repeat(64)], { cwd: folder });
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Nothing was confirmed") });
  const [, sha256 = ""] = /SHA-256 ([0-9a-f]{64})/.exec(wrong.stderr) ?? [];
  const trust = ["config", "trust", "--digest", sha256];
  expect(await signalboxJson(trust, { cwd: folder })).toMatchObject({
    file: join(folder, ".ralph", "config.json"),
    exists: true,
    sha256,
    changed: true,
    since: "defaults",
    changes: expect.arrayContaining([{ field: "agent", before: "claude", now: "x" }]),
  });
  expect(await signalboxJson(trust, { cwd: folder })).toMatchObject({ changed: false, changes: [] });
});

test("deleting a confirmed configuration is a change that confirms the defaults", async () => {
  const { folder, config } = await given();
  givenConfig(folder, { ...config, gates: { isolation: true } });
  rmSync(join(folder, ".ralph", "config.json"));
  expect((await signalbox(["gate", "run", "1"], { cwd: folder })).exitCode).toBe(2);
  const trust = await signalbox(["config", "trust", "--yes"], { cwd: folder });
  expect(trust.stdout).toContain("config.json is gone, so the defaults apply.");
  expect(trust.stdout).toContain("gates.isolation: true → false");
  expect((await signalbox(["gate", "run", "1"], { cwd: folder })).exitCode).toBe(0);
});

test("neither an agent in its session nor a gate can confirm a configuration", async () => {
  const { project, folder } = await given();
  const asAgent = await signalbox(["config", "trust", "--yes"], {
    cwd: folder,
    env: { RALPH_SESSION_ID: "s-1" },
  });
  expect(asAgent).toMatchObject(fails(1, "this is an agent's session (s-1). Only a human"));
  rmSync(join(folder, ".ralph", "config.json"));
  const command = `${process.execPath} ${process.cwd()}/bin/signalbox.js config trust --yes`;
  await project.decide(createTask({ title: "Sly", gates: [{ command, max: 3, timeout_s: 60 }] }));
  const ran = await signalbox(["gate", "run", "2"], { cwd: folder });
  expect(ran.stdout).toContain("This command belongs to gate 1 of task 2");
});

test("on a terminal, run shows the changes and asks: only yes confirms", async () => {
  const { folder, program, wasStarted } = await given();
  const declined = signalboxOnTerminal(["run", "--once"], { cwd: folder, columns: 300 });
  const screen = await declined.shows("Confirm this configuration? [y/N]");
  expect(screen).toContain(`agents.x.command: none → "${program}"`);
  declined.type("\r");
  expect(await declined.ended()).toBe(2);
  expect(wasStarted()).toBe(false);
  const confirmed = signalboxOnTerminal(["run", "--once"], { cwd: folder, columns: 300 });
  await confirmed.shows("[y/N]");
  confirmed.type("y\r");
  await confirmed.ended();
  expect(wasStarted()).toBe(true);
  rmSync(join(folder, "started"));
  const again = signalboxOnTerminal(["run", "--once"], { cwd: folder, columns: 300 });
  await again.ended();
  expect(await again.terminal.text()).not.toContain("[y/N]");
  expect(wasStarted()).toBe(true);
});

test("an agent's session on a terminal is not asked, and the end of input is no yes", async () => {
  const { folder, wasStarted } = await given();
  const env = { RALPH_SESSION_ID: "s-1" };
  const asAgent = signalboxOnTerminal(["run", "--once"], { cwd: folder, env });
  expect(await asAgent.ended()).toBe(2);
  const left = signalboxOnTerminal(["config", "trust"], { cwd: folder });
  await left.shows("[y/N]");
  left.type("\u0004");
  expect(await left.ended()).toBe(1);
  expect(wasStarted()).toBe(false);
});

test("init does not confirm an existing configuration, and says what to do", async () => {
  const folder = freshFolder();
  writeConfig(folder, '{"jobs": 2}');
  const init = await signalbox(["init"], { cwd: folder });
  expect(init).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(UNCONFIRMED) });
  expect((await signalbox(["run", "--once"], { cwd: folder })).exitCode).toBe(2);
});

test("confirmations are stored in the folder that the variable names", async () => {
  const { folder } = await given();
  const state = join(folder, "..", `${folder.split("/").at(-1)}-state`);
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  await signalbox(["config", "trust", "--yes"], { cwd: folder, env: { SIGNALBOX_STATE: state } });
  expect((await signalbox(["run", "--once"], { cwd: folder })).exitCode).toBe(2);
  expect(readFileSync(join(folder, ".ralph", "config.json"), "utf8")).toContain("agent.sh");
});
