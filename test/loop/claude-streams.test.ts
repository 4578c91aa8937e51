import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { claudeReader } from "../../adapters/agents/claude/stream.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import type { ProcessEnd } from "../../src/loop/agent/process.ts";
import { verdictOn } from "../../src/loop/agent/verdict.ts";
import { seenOf } from "./seen-of.ts";

/*
 * What a real agent printed (fixtures/claude-streams), judged as its README says. Catches: a `success` that is taken at its
 * word, an agent that could not reach its tools and is taken for a stuck task.
 */
const folder = packagePath("fixtures/claude-streams");

const seenIn = (lines: readonly string[]) => seenOf(claudeReader(), lines);

async function judged(
  name: string,
  closing: "done" | "partial" | "stuck" | null = null,
  change?: (line: string) => string,
) {
  const lines = readFileSync(`${folder}/${name}.jsonl`, "utf8").split("\n");
  const seen = await seenIn(change ? lines.map(change) : lines);
  const code = name === "killed_last" ? 137 : Number(readFileSync(`${folder}/${name}.rc`, "utf8"));
  const end: ProcessEnd = { code, signal: null, stderr: "" };
  const server = seen.init?.server ?? "unknown";
  return verdictOn({ ...seen, end, server, closing, stopped: undefined });
}

test.each([
  ["success", "exited", undefined, undefined],
  ["no_signal", "exited", undefined, undefined],
  ["mcp_failed", "cancelled", "tools", /server ralph is failed/],
  ["mcp_invalid_config", "cancelled", "tools", /server ralph is failed/],
  ["permission_denied", "cancelled", "denied", /not allowed to use mcp__ralph__done/],
  ["max_turns", "timed_out", undefined, /maximum number of turns/],
  ["max_budget", "cancelled", "budget", /the loop's budget ended it: .*maximum budget/],
  ["api_529", "cancelled", "outage", /529 Overloaded/],
  ["killed_last", "crashed", undefined, /SIGKILL/],
] as const)("%s without a closing verb ends the session as %s", async (name, exit, cause, reason) => {
  const verdict = await judged(name);
  expect(verdict).toMatchObject({ exit, cause });
  if (reason) expect(verdict.reason).toMatch(reason);
  else expect(verdict.reason).toBeUndefined();
});

test.each([
  ["mcp_failed", "exited"],
  ["permission_denied", "exited"],
  ["api_529", "exited"],
  ["max_turns", "timed_out"],
  ["killed_last", "crashed"],
] as const)("%s after a closing verb counts against nobody", async (name, exit) => {
  expect(await judged(name, "partial")).toMatchObject({ exit, cause: undefined });
});

test("the loop's budget cancels a session also after a closing verb", async () => {
  expect(await judged("max_budget", "partial")).toMatchObject({ exit: "cancelled", cause: "budget" });
});

test("a server of somebody else that was refused is no obstacle", async () => {
  const foreign = (line: string) =>
    line
      .replace('"mcp_servers":[]', '"mcp_servers":[{"name":"ralph","status":"connected"}]')
      .replace('"mcp_server_errors":[{"name":"ralph"', '"mcp_server_errors":[{"name":"other"');
  expect(await judged("mcp_invalid_config", null, foreign)).toMatchObject({ exit: "exited" });
});

test("a tool of the client's own that was denied is an obstacle too, unless the agent closed all the same", async () => {
  const own = (line: string) => line.replaceAll("mcp__ralph__done", "Bash");
  expect(await judged("permission_denied", null, own)).toMatchObject({
    exit: "cancelled",
    cause: "denied",
    reason: "the agent was not allowed to use Bash",
  });
  for (const closing of ["done", "partial", "stuck"] as const)
    expect(await judged("permission_denied", closing, own)).toMatchObject({ exit: "exited" });
});

test("an agent's usage is counted once per message, and its final result overrides the sum", async () => {
  const lines = readFileSync(`${folder}/success.jsonl`, "utf8").split("\n");
  const running = await seenIn(lines.filter((line) => !line.includes('"type":"result"')));
  expect(running).toMatchObject({ turns: 3, usage: { input: 450 } });
  const { result } = await seenIn(lines);
  expect(result).toMatchObject({
    turns: 3,
    totalCostUsd: 0.0018450000000000003,
    usage: { input: 450, output: 60 },
  });
});

test("a message without content counts with its usage", async () => {
  const usage = {
    input_tokens: 3,
    output_tokens: 4,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const line = JSON.stringify({ type: "assistant", message: { id: "m-1", usage } });
  expect(await seenIn([line])).toMatchObject({ turns: 1, usage: { input: 3, output: 4 } });
});

test("lines of unknown types, lines before init and lines that are not JSON are ignored", async () => {
  const lines = readFileSync(`${folder}/success.jsonl`, "utf8").split("\n");
  const noise = [
    '{"type":"system","subtype":"hook_started","hook_name":"SessionStart"}',
    '{"type":"stream_event","event":{}}',
    '{"type":"system","subtype":"init","mcp_servers":"none of your business"}',
    "{not json",
    "plain text",
    "null",
    "[1]",
    '{"type":"assistant","message":null}',
  ];
  const clean = await seenIn(lines);
  const others = noise.filter((one) => !one.includes("init"));
  expect(await seenIn([...noise, ...lines.flatMap((line) => [line, ...others])])).toEqual(clean);
});

test("every recorded stream has its test here", () => {
  expect(readdirSync(folder).filter((name) => name.endsWith(".jsonl"))).toHaveLength(9);
});
