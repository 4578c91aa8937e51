import { expect, test } from "vitest";
import { NOTHING_OBSERVED } from "../../src/loop/agent/observed.ts";
import { type Seen, verdictOn } from "../../src/loop/agent/verdict.ts";

/*
 * Of agents that never began. Catches: a client's own words that are lost behind "server ralph is missing".
 */
const seen = (of: Partial<Seen>): Seen => ({
  ...NOTHING_OBSERVED,
  end: { code: 1, signal: null, stderr: "" },
  server: "missing",
  stopped: undefined,
  closing: null,
  ...of,
});

const refused = (code: number, stderr: string) => verdictOn(seen({ end: { code, signal: null, stderr } }));

// As Claude Code 2.1.330, codex 0.169.0, gemini 0.61.0 and opencode 1.18.33 print it.
test.each([
  [1, "error: unknown option '--frobnicate'", "error: unknown option '--frobnicate'"],
  [
    1,
    "error: option '--permission-mode <mode>' argument 'xx' is invalid. Allowed choices are plan.",
    "error: option '--permission-mode <mode>' argument 'xx' is invalid. Allowed choices are plan.",
  ],
  [
    2,
    "WARNING: proceeding\nerror: unexpected argument '--frobnicate' found\n\n  tip: to pass it\n\nUsage: codex exec",
    "error: unexpected argument '--frobnicate' found",
  ],
  [
    2,
    "error: invalid value 'xx' for '--sandbox <SANDBOX_MODE>'\n  [possible values: read-only]",
    "error: invalid value 'xx' for '--sandbox <SANDBOX_MODE>'",
  ],
  [1, "Unknown argument: frobnicate\nUsage: gemini [options]", "Unknown argument: frobnicate"],
  [
    1,
    'Invalid values:\n  Argument: approval-mode, Given: "xx"\nUsage: gemini',
    'Invalid values: Argument: approval-mode, Given: "xx"',
  ],
  [
    1,
    "opencode run [message..]\n\nrun opencode with a message",
    "it printed its help, as for an option that it does not know",
  ],
])("a client that ends with %s and %j refused its command line, and is quoted", (code, stderr, told) => {
  expect(refused(code, stderr)).toEqual({
    exit: "cancelled",
    reason: `the agent refused its command line: ${told}`,
    cause: "setup",
    setup: "command_line",
  });
});

test("a client that ends before it began for another reason is quoted too", () => {
  expect(refused(1, "Loading…\nSegmentation fault")).toEqual({
    exit: "cancelled",
    reason: "the agent ended with code 1 before it began: Segmentation fault",
    cause: "tools",
  });
});

test("a client that ends well without having connected to our server has no tools", () => {
  expect(verdictOn(seen({ end: { code: 0, signal: null, stderr: "" } }))).toEqual({
    exit: "cancelled",
    reason: "the agent could not reach its tools: server ralph is missing",
    cause: "tools",
  });
});

test.each([
  ["no_login", "setup", "no_login"],
  ["unknown_model", "setup", "unknown_model"],
  ["limit", "limit", undefined],
  ["outage", "outage", undefined],
  ["other", "model", undefined],
] as const)("a model that gave no answer for %s cancels the session: %s", (kind, cause, setup) => {
  const verdict = verdictOn(seen({ problem: { kind, text: "Its words." } }));
  expect(verdict).toEqual({
    exit: "cancelled",
    reason: "the agent's model failed: Its words.",
    cause,
    ...(setup && { setup }),
  });
});

test("a session ended by a human or a signal has no cause", () => {
  const stopped = { why: "cancelled", reason: "SIGTERM" } as const;
  expect(verdictOn(seen({ stopped, denied: new Map([["c", "Bash"]]) }))).toEqual({
    exit: "cancelled",
    reason: "SIGTERM",
    cause: undefined,
  });
});
