import { expect, test } from "vitest";
import { claude } from "../../adapters/agents/claude/claude.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { darwin } from "../../src/lib/platform/darwin.ts";
import { platform } from "../../src/lib/platform/here.ts";
import { windows } from "../../src/lib/platform/windows.ts";
import { judgeClient } from "../../src/loop/doctor/agent.ts";
import { judgeCallers } from "../../src/loop/doctor/callers.ts";
import { judgeFileSystem, judgeSpace } from "../../src/loop/doctor/disk.ts";
import { judgeNode } from "../../src/loop/doctor/installation.ts";
import { judgeServer } from "../../src/loop/doctor/mcp-server.ts";
import { run } from "../../src/loop/doctor/program.ts";

test.each([
  ["22.12.0", "ok"],
  ["22.11.9", "failed"],
  ["22.100.0", "ok"],
  ["20.99.0", "failed"],
  ["24.0.0", "ok"],
  ["26.0.0-pre", "ok"],
])("Node.js %s where >=22.12 is needed is %s", (version, state) => {
  expect(judgeNode(version, ">=22.12")).toMatchObject({ state });
});

test("an unparsable range of Node.js versions is reported, not guessed", () => {
  expect(judgeNode("22.12.0", "^22 || ^24")).toMatchObject({ state: "warning" });
});

test.each([
  ["2.1.329 (Claude Code)", "ok"],
  ["2.1.328 (Claude Code)", "warning"],
  ["3.0.0", "ok"],
  ["1.9.999 (Claude Code)", "warning"],
  ["", "warning"],
])("a Claude Code that says %j is %s", (said, state) => {
  expect(judgeClient("agent", "/bin/claude", said, claude)).toMatchObject({ state });
});

test.each([
  [99_999_999, "failed"],
  [100_000_000, "warning"],
  [999_999_999, "warning"],
  [1_000_000_000, "ok"],
])("%i free bytes are %s", (bytes, state) => {
  expect(judgeSpace(bytes)).toMatchObject({ state });
});

test.each([
  ["NFS", 0x6969, "warning"],
  ["SMB", 0xfe534d42, "warning"],
  ["ext4", 0xef53, "ok"],
  ["btrfs", 0x9123683e, "ok"],
  ["tmpfs", 0x01021994, "ok"],
])("the file system %s is judged", (_name, type, state) => {
  expect(judgeFileSystem(type)).toMatchObject({ state });
});

const hello = '{"jsonrpc":"2.0","id":0,"result":{}}\n';
const tools = (...names: readonly string[]) =>
  `{"jsonrpc":"2.0","id":1,"result":{"tools":${JSON.stringify(names.map((name) => ({ name })))}}}\n`;
const NINE = [
  ...["done", "partial", "stuck", "ask", "flag", "learned", "suggest", "blocked"],
  "verify",
  "update_session_state",
];
const answer = { exitCode: 0, stdout: hello + tools(...NINE), stderr: "" };

test.each([
  ["answers", answer, "ok", "its 10 tools"],
  [
    "ends with an error",
    { ...answer, exitCode: 2, stderr: "no such file" },
    "failed",
    "exit code 2. no such file",
  ],
  [
    "takes too long",
    { ...answer, exitCode: null, stopped: "time" as const },
    "failed",
    "did not end in time",
  ],
  [
    "prints something else",
    { ...answer, stdout: `debug\n${answer.stdout}` },
    "failed",
    "foreign text to stdout: debug",
  ],
  [
    "lacks a tool",
    { ...answer, stdout: hello + tools(...NINE.slice(1)) },
    "failed",
    "tools are missing: done",
  ],
  ["says nothing", { ...answer, stdout: "" }, "failed", "did not answer tools/list"],
])("a server that %s is judged", (_what, given, state, found) => {
  expect(judgeServer(given)).toMatchObject({ state, found: expect.stringContaining(found) });
});

test("a program that takes too long or prints too much is killed, and its output so far is kept", async () => {
  const options = { cwd: packagePath("."), env: {} };
  const node = (script: string, limit_ms: number) =>
    run(process.execPath, ["-e", script], { ...options, limit_ms });
  expect(
    await node("process.stdout.write(String(process.pid), () => {}); setInterval(() => {}, 1000)", 1_000),
  ).toEqual({
    exitCode: null,
    stdout: expect.stringMatching(/^\d+$/),
    stderr: "",
    stopped: "time",
  });
  const endless = "const go = () => process.stdout.write('x'.repeat(65536), go); go()";
  expect(await node(endless, 60_000)).toMatchObject({ exitCode: null, stopped: "output" });
  await expect(run("/no/such/program", [], options)).rejects.toThrow("ENOENT");
});

test("a system that does not tell what started a command is named; this one tells", () => {
  const silent = () => {
    throw new Error("not permitted");
  };
  for (const one of [darwin(silent), windows({ run: silent })])
    expect(judgeCallers(one)).toMatchObject([
      { state: "warning", found: expect.stringContaining("own environment alone") },
    ]);
  expect(judgeCallers(platform())).toEqual([]);
});
