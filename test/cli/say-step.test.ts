import { expect, test } from "vitest";
import { lineOf } from "../../src/cli/printing/say-step.ts";
import type { Step } from "../../src/loop/steps.ts";

/*
 * Catches: a session whose line does not say why it came to what it did.
 */
const ended: Extract<Step, { step: "session_ended" }> = {
  ...{ step: "session_ended", session: "s-1", task: 7, exit: "exited", reason: null },
  ...{ closing: "done", outcome: "partial", status: "pending", cost_usd: null },
  ...{ unverified: [], findings: [], denied: [], last_words: "" },
};

test("a done with a failed gate names the gate and the failure", () => {
  expect(
    lineOf({ ...ended, unverified: ["gate 1 failed: npm test failed with exit code 1: 2 failing"] }),
  ).toBe("#7 ✕ done, but gate 1 failed: npm test failed with exit code 1: 2 failing (exited) → pending");
  const two = ["gate 1 was not run: npm test", "gate 2 timed out"];
  expect(lineOf({ ...ended, unverified: two, cost_usd: 0.5 })).toBe(
    "#7 ✕ done, but gate 1 was not run: npm test; gate 2 timed out (exited · $0.50) → pending",
  );
});

test("a cancelled session shows its cause and the denied tools", () => {
  expect(
    lineOf({
      ...ended,
      ...{ closing: null, outcome: "cancelled", exit: "cancelled" },
      reason: "the agent was not allowed to use Bash",
      denied: [{ tool: "Bash", times: 2 }],
    }),
  ).toBe(
    "#7 ✕ cancelled (no closing verb, cancelled) → pending · the agent was not allowed to use Bash · denied: Bash (2×)",
  );
});

test("a wait shows its end and its reason", () => {
  const at = new Date();
  at.setHours(23, 59, 58, 0);
  const paused = { step: "paused", reason: "You've hit your limit", until: at.toISOString() } as const;
  expect(lineOf({ ...paused, why: "limit" })).toBe(
    "waiting until 23:59:58 for its usage limit to reset: You've hit your limit",
  );
  expect(lineOf({ ...paused, why: "outage" })).toMatch(
    /^waiting until 23:59:58 for the model to come back: /,
  );
  const later = new Date(at.getTime() + 86_400_000);
  expect(lineOf({ ...paused, why: "limit", until: later.toISOString() })).toContain(
    `until ${later.toDateString()}, 23:59:58 for`,
  );
});

test("gates are shown when they are run, and how they ended", () => {
  const gate = { session: "s-1", task: 7, gate: 1 };
  expect(lineOf({ step: "gate_started", ...gate, command: "npm test" })).toBe("#7 running gate 1: npm test");
  expect(
    lineOf({
      step: "gate_ended",
      ...gate,
      passed: false,
      how: "failed with exit code 1",
      duration_ms: 2_300,
    }),
  ).toBe("#7 gate 1 failed with exit code 1 after 2.3 s");
});
