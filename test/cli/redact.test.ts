import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

const SECRET = "sk-live-7f3a9c0d";

/** A project with the secret in a task (3), a learning (5), an ask (6) and a partial (7), in state files and a session's folder. */
async function givenSecrets(): Promise<string> {
  const cwd = freshFolder();
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd });
    expect(ran.stderr).toBe("");
  };
  await run("init");
  await run("task", "add", "Export", "--description", `Use ${SECRET} for it`);
  await run("session", "start", "1", "--session", "s-1");
  const signal = (verb: string, ...args: string[]) => run("signal", verb, "--session", "s-1", ...args);
  await signal("learned", "--text", `The token is ${SECRET}`, "--kind", "discovery");
  await signal("ask", "--question", `Is ${SECRET} right?`, "--blocking", "--option", `no, not ${SECRET}`);
  await signal("partial", "--summary", `half of it, with ${SECRET}`, "--remaining", "the rest");
  await run("session", "end", "s-1", "--exit", "exited");
  await run("state-files");
  return cwd;
}

const TEXTS = [3, 5, 6, 7];

function redact(cwd: string, position: number, ...more: string[]) {
  return signalbox(["redact", String(position), "--reason", "a live key", ...more], { cwd });
}

/** Every file of the project in which the secret stands. */
function filesWithSecret(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(SECRET));
}

test("after it was redacted, no file of the project has the secret, and the board is as it was", async () => {
  const cwd = await givenSecrets();
  expect(filesWithSecret(cwd).length).toBeGreaterThan(2);
  const before = await signalboxJson(["task", "show", "1"], { cwd });
  for (const position of TEXTS) expect((await redact(cwd, position)).exitCode).toBe(0);
  expect(filesWithSecret(cwd)).toEqual([]);
  const after = await signalboxJson(["task", "show", "1"], { cwd });
  const facts = ({ status, stuck_count, sessions }: Record<string, unknown>) => ({
    status,
    stuck_count,
    sessions,
  });
  expect(facts(after as Record<string, unknown>)).toEqual(facts(before as Record<string, unknown>));
  const rebuilt = (await signalboxJson(["rebuild"], { cwd })) as { content_hash: string };
  expect(await signalboxJson(["rebuild"], { cwd })).toEqual(rebuilt);
});

test("also while another process has the project open", async () => {
  const cwd = await givenSecrets();
  const follower = spawn(process.execPath, [packagePath("bin/signalbox.js"), "log", "--follow", "--json"], {
    cwd,
  });
  let seen = "";
  follower.stdout.setEncoding("utf8").on("data", (text: string) => (seen += text));
  while (!seen.includes("session.ended")) await delay(20);
  for (const position of TEXTS) expect((await redact(cwd, position)).exitCode).toBe(0);
  expect(filesWithSecret(cwd)).toEqual([]);
  while (!seen.includes("event.redacted")) await delay(20);
  follower.kill("SIGTERM");
  await once(follower, "close");
  expect(filesWithSecret(cwd)).toEqual([]);
});

test("where a reader holds the journal that is said, and once it is gone the same command cleans it", async () => {
  const cwd = await givenSecrets();
  const path = join(cwd, ".ralph/db/events.db");
  for (const position of TEXTS.slice(1)) await redact(cwd, position);
  const reader = new Database(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  const held = await redact(cwd, 3, "--wait", "0");
  expect(held).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`${path} (another process is reading`),
  });
  expect(filesWithSecret(cwd)).toContain(path);
  // Others open and write meanwhile, although the file is larger than its journal says.
  expect((await signalbox(["comment", "1", "go on"], { cwd })).exitCode).toBe(0);
  reader.close();
  const again = await redact(cwd, 3);
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/already redacted.*cleaned again.*already_decided/s),
  });
  expect(filesWithSecret(cwd)).toEqual([]);
});

test("killed at any moment it has happened or not, and once more makes it whole", async () => {
  const prepared = await givenSecrets();
  for (const position of TEXTS.slice(1)) await redact(prepared, position);
  const copy = () => {
    const cwd = freshFolder();
    cpSync(prepared, cwd, { recursive: true });
    return cwd;
  };
  const start = performance.now();
  await redact(copy(), 3);
  const whole_ms = performance.now() - start;

  const outcomes = new Set<boolean>();
  for (let kill = 1; kill <= KILLS; kill++) {
    const cwd = copy();
    const args = [packagePath("bin/signalbox.js"), "redact", "3", "--reason", "a live key"];
    const child = spawn(process.execPath, args, { cwd });
    const closed = once(child, "close");
    // From a third of its time on: before that it is still loading.
    await delay(whole_ms * (1 / 3 + (kill / KILLS) * (2 / 3)));
    child.kill("SIGKILL");
    await closed;
    const log = await signalbox(["log", "--json"], { cwd });
    const events = log.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const isRecorded = events.some(
      ({ type, payload }) => type === "event.redacted" && payload.position === 3,
    );
    outcomes.add(isRecorded);
    expect(events[2].redacted !== undefined).toBe(isRecorded);
    expect(JSON.stringify(events[2]).includes(SECRET)).toBe(!isRecorded);
    expect((await redact(cwd, 3)).exitCode).toBe(isRecorded ? 1 : 0);
    expect(filesWithSecret(cwd)).toEqual([]);
  }
  expect(outcomes.size).toBe(2);
});

const KILLS = 8;

test("one text alone goes where it is asked for, and what cannot go is told", async () => {
  const cwd = await givenSecrets();
  expect(
    await signalboxJson(["redact", "6", "--reason", "a key", "--field", "options.0"], { cwd }),
  ).toMatchObject({
    position: 6,
    fields: ["options.0"],
    unclean: [],
  });
  const { stdout } = await signalbox(["log", "--json"], { cwd });
  expect(JSON.parse(stdout.split("\n")[5] ?? "").payload).toMatchObject({
    question: `Is ${SECRET} right?`,
    options: ["[redacted]"],
  });
  const refusals: readonly [string[], number, RegExp][] = [
    [["99", "--reason", "x"], 1, /no event at position 99; the log's head is 9/],
    [["4", "--reason", "x"], 1, /a session.started, has no text that can be removed/],
    [["5", "--reason", "x", "--field", "nope"], 1, /no text at "nope".*it has text/],
    [["5", "--reason", `because The token is ${SECRET}`], 1, /The reason repeats what stands in text/],
    [["6", "--reason", "x"], 1, /already redacted, at position 9.* redact 9/],
    [["0", "--reason", "x"], 2, /whole number from 1 on/],
    [["5"], 2, /required option '--reason/],
  ];
  for (const [args, exitCode, words] of refusals) {
    expect(await signalbox(["redact", ...args], { cwd })).toMatchObject({
      exitCode,
      stderr: expect.stringMatching(words),
    });
  }
});
