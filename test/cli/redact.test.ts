import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";
import { filesWithSecret, givenSecrets, redactAt, SECRET, SECRETS } from "../support/secrets.ts";

test("after a redaction, no file of the project contains the secret, and the board is unchanged", async () => {
  const cwd = await givenSecrets(freshFolder());
  expect(filesWithSecret(cwd).length).toBeGreaterThan(2);
  const before = await signalboxJson(["task", "show", "1"], { cwd });
  for (const position of SECRETS) expect((await redactAt(cwd, position)).exitCode).toBe(0);
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
  const cwd = await givenSecrets(freshFolder());
  const follower = spawn(process.execPath, [packagePath("bin/signalbox.js"), "log", "--follow", "--json"], {
    cwd,
  });
  let seen = "";
  follower.stdout.setEncoding("utf8").on("data", (text: string) => (seen += text));
  while (!seen.includes("session.ended")) await delay(20);
  for (const position of SECRETS) expect((await redactAt(cwd, position)).exitCode).toBe(0);
  expect(filesWithSecret(cwd)).toEqual([]);
  while (!seen.includes("event.redacted")) await delay(20);
  follower.kill("SIGTERM");
  await once(follower, "close");
  expect(filesWithSecret(cwd)).toEqual([]);
});

test("redact reports a reader that holds the journal, and cleans it once the reader is gone", async () => {
  const cwd = await givenSecrets(freshFolder());
  const path = join(cwd, ".ralph/db/events.db");
  for (const position of SECRETS.slice(1)) await redactAt(cwd, position);
  const reader = new Database(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  const held = await redactAt(cwd, 3, "--wait", "0");
  expect(held).toMatchObject(fails(3, `${path} (another process is reading`));
  expect(filesWithSecret(cwd)).toContain(path);
  // Others open and write meanwhile, although the file is larger than its journal says.
  expect((await signalbox(["comment", "1", "go on"], { cwd })).exitCode).toBe(0);
  reader.close();
  const again = await redactAt(cwd, 3);
  expect(again).toMatchObject(fails(1, /already redacted.*cleaned again.*already_decided/s));
  expect(filesWithSecret(cwd)).toEqual([]);
});

test("redact reports a rebuild of another process, which may have read the text before, and cleans it once that has ended", async () => {
  const cwd = await givenSecrets(freshFolder());
  const path = join(cwd, ".ralph/db/ralph.db");
  const other = spawn("sleep", ["600"]);
  const readModel = new Database(path);
  readModel.prepare("INSERT INTO rebuilds (pid) VALUES (?)").run(other.pid);
  readModel.close();
  expect(await redactAt(cwd, 3, "--wait", "0")).toMatchObject(
    fails(3, `${path} (another process keeps writing`),
  );
  const waiting = redactAt(cwd, 5);
  await delay(200);
  other.kill();
  expect(await waiting).toMatchObject({ exitCode: 0 });
});

test("redact can remove a single text, and names texts that cannot be removed", async () => {
  const cwd = await givenSecrets(freshFolder());
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
    [["99", "--reason", "x"], 1, /no event at position 99; the log ends at 9/],
    [["4", "--reason", "x"], 1, /a session.started, has no removable text/],
    [["5", "--reason", "x", "--field", "nope"], 1, /no removable text at "nope".*it has text/],
    [["5", "--reason", `because The token is ${SECRET}`], 1, /The reason repeats the text in text/],
    [["6", "--reason", "x"], 1, /already redacted, at position 9.* redact 9/],
    [["0", "--reason", "x"], 2, /whole number, 1 or higher/],
    [["5"], 2, /required option '--reason/],
  ];
  for (const [args, exitCode, words] of refusals) {
    expect(await signalbox(["redact", ...args], { cwd })).toMatchObject({
      exitCode,
      stderr: expect.stringMatching(words),
    });
  }
});
