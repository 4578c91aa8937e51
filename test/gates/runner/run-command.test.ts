// @module-tag linux
import { createHash } from "node:crypto";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { passes } from "../../../src/events/types/command-result.ts";
import { gateEnvironment } from "../../../src/gates/runner/environment.ts";
import { runCommand } from "../../../src/gates/runner/run-command.ts";
import { freshFolder } from "../../support/project.ts";
import { coded } from "../../support/refusal.ts";
import { run, stdoutOf } from "./given.ts";

/*
 * One command, from its start to its result: real shells, real processes.
 */
test("a successful command passes, with both outputs and their hashes", async () => {
  const result = await run("echo out; echo err >&2");
  expect(result).toMatchObject({
    exit_code: 0,
    signal: null,
    timed_out: false,
    interrupted: false,
    explanation: null,
    isolation: "none",
    left_behind: [],
    stdout: { head: "out\n", tail: "", omitted_characters: 0, invalid_sequences: 0, bytes: 4 },
    stderr: { head: "err\n", bytes: 4 },
  });
  expect(result.stdout.sha256).toBe(createHash("sha256").update("out\n").digest("hex"));
  expect(passes(result)).toBe(true);
});

test("a command runs in the shell that is configured, as its last argument", async () => {
  const shell = [process.execPath, "-e"];
  expect(stdoutOf(await run('console.log("it\'s", 1 + 1)', { shell }))).toBe("it's 2\n");
});

test.each([
  ["exit 1", { exit_code: 1, explanation: null }],
  ["exit 200", { exit_code: 200, explanation: null }],
  ["no-such-program-anywhere", { exit_code: 127, explanation: /127.*not found.*PATH/ }],
  ["./a-file", { exit_code: 126, explanation: /126.*cannot be executed.*chmod \+x/ }],
  ["./", { exit_code: 126, explanation: /126/ }],
  ["sh -c 'kill -TERM $$'; exit $?", { exit_code: 143, explanation: /128\+15.*SIGTERM/ }],
  ["sh -c 'kill -KILL $$'; exit $?", { exit_code: 137, explanation: /128\+9.*SIGKILL.*memory/ }],
  ["kill -SEGV $$", { exit_code: null, signal: "SIGSEGV", explanation: /ended by SIGSEGV/ }],
])(
  "%s does not pass, and its end is explained where it needs to be",
  async (command, { explanation, ...end }) => {
    const folder = freshFolder();
    writeFileSync(join(folder, "a-file"), "echo never\n");
    chmodSync(join(folder, "a-file"), 0o644);
    const result = await run(command, { folder });
    expect(result).toMatchObject({ signal: null, ...end });
    if (explanation === null) expect(result.explanation).toBe(null);
    else expect(result.explanation).toMatch(explanation);
    expect(passes(result)).toBe(false);
  },
);

test("a multi-line command with quotes, blanks and a leading dash reaches the shell unchanged", async () => {
  const result = await run(
    `printf '%s|' "a  b" 'c"d' e\\ f "$(printf 'two\nlines')"\nif true\nthen\n  echo "it's"\nfi`,
  );
  expect(stdoutOf(result)).toBe(`a  b|c"d|e f|two\nlines|it's\n`);
  expect(await run("-x")).toMatchObject({
    exit_code: 127,
    explanation: expect.stringContaining("not found"),
  });
});

test("standard input is empty", async () => {
  expect(stdoutOf(await run('cat; read -r line || echo "end of input"'))).toBe("end of input\n");
});

test("a command sees only the listed and allowed variables", async () => {
  vi.stubEnv("NODE_OPTIONS", "--require /no/such/file.js");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("RALPH_SESSION_ID", "s-1");
  vi.stubEnv("LC_TIME", "C");
  vi.stubEnv("PROJECT_URL", "http://127.0.0.1:1/");
  vi.stubEnv("SIGNALBOX_GATE", undefined);
  try {
    const result = await run("env; node --version", {
      environment: gateEnvironment(process.env, ["PROJECT_URL", "NOT_THERE"]),
    });
    expect(result).toMatchObject({ exit_code: 0, stderr: { head: "" } });
    const lines = stdoutOf(result).split("\n");
    expect(lines).toContain("PROJECT_URL=http://127.0.0.1:1/");
    expect(lines).toContain("LC_TIME=C");
    expect(lines).toContain(`PATH=${process.env.PATH}`);
    expect(lines.at(-2)).toBe(process.version);
    const names = lines.filter((line) => line.includes("=")).map((line) => line.split("=")[0] ?? "");
    // PWD, OLDPWD and _ are the shell's own.
    expect(
      names.filter(
        (name) =>
          !/^(PATH|HOME|LANG|LC_\w+|TZ|TERM|CI|PROJECT_URL|SIGNALBOX_GATE|PWD|OLDPWD|SHLVL|_)$/.test(name),
      ),
    ).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a command that kills its own group ends only itself", async () => {
  const result = await run("sh -c 'kill -KILL 0; sleep 1000'");
  expect(result).toMatchObject({ exit_code: null, signal: "SIGKILL", timed_out: false, left_behind: [] });
  expect(result.explanation).toMatch(/SIGKILL/);
  expect(await run("sh -c 'kill -TERM -$PPID; sleep 1000'")).toMatchObject({ signal: "SIGTERM" });
});

test("a command that closes its outputs and continues is waited for", async () => {
  const folder = freshFolder();
  const result = await run("exec >&- 2>&-; sleep 0.5; echo there > file; exit 3", { folder });
  expect(result).toMatchObject({ exit_code: 3, left_behind: [] });
  expect(existsSync(join(folder, "file"))).toBe(true);
});

test("progress is reported while the command runs: bytes and lines of both outputs", async () => {
  const told: { bytes: number; lines: number }[] = [];
  let firstSeen: () => void = () => {};
  const seen = new Promise<void>((resolve) => {
    firstSeen = resolve;
  });
  const folder = freshFolder();
  // The command goes on when its first line was told of: what comes only at the end would leave it waiting.
  const running = run("echo one; until [ -e go ]; do sleep 0.02; done; echo two >&2; printf three", {
    folder,
    onProgress: (progress) => {
      told.push(progress);
      firstSeen();
    },
  });
  await seen;
  expect(told.at(-1)).toMatchObject({ bytes: 4, lines: 1 });
  writeFileSync(join(folder, "go"), "");
  await running;
  expect(told.at(-1)).toMatchObject({ bytes: 13, lines: 2 });
});

test("an error in the progress callback ends the command, and is thrown", async () => {
  await expect(
    run("echo one; sleep 1000", {
      onProgress: () => {
        throw new Error("nobody listens");
      },
    }),
  ).rejects.toThrow("nobody listens");
});

test.each([0, -1, Number.NaN, 2 ** 31])(
  "a time-out of %s milliseconds is refused before anything runs",
  async (timeoutMs) => {
    await expect(run("true", { timeoutMs })).rejects.toThrow(RangeError);
  },
);

test("a command that cannot start is an error and not an attempt", async () => {
  await expect(run("echo \0")).rejects.toMatchObject({ name: "RunnerError", code: "not_started" });
  await expect(run("true", { folder: "/no/such/folder" })).rejects.toMatchObject(
    coded("folder", "/no/such/folder"),
  );
  await expect(
    runCommand({
      command: "true",
      folder: "/",
      timeoutMs: 1_000,
      environment: {},
      signal: AbortSignal.abort("no more"),
    }),
  ).rejects.toBe("no more");
});
