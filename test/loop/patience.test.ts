import { expect, test } from "vitest";
import { configSchema } from "../../src/config/schema.ts";
import type { CancelCause } from "../../src/events/types/sessions.ts";
import type { Problem } from "../../src/loop/agent/facts.ts";
import type { SetupFault } from "../../src/loop/agent/verdict.ts";
import { type Next, Patience } from "../../src/loop/patience.ts";
import type { SessionRun } from "../../src/loop/session-run.ts";

/*
 * Catches: an outage that stops the loop, a pause that is shorter or longer than it may be, a fault of the setup that is tried again, a
 * denial that is taken for the task's fault.
 */
const NOON_MS = Date.parse("2026-11-22T12:00:00Z");

/** A loop's patience with a clock that stands at noon until it is moved. */
function patient(jitter = 0, limits: object = {}) {
  const clock = { now: NOON_MS * 1_000 };
  const config = configSchema.parse({ limits });
  return { clock, patience: new Patience(config, { now: () => clock.now, jitter: () => jitter }) };
}

const program = { kind: "claude", command: "claude", args: [] as string[] } as const;

function run(of: Partial<SessionRun> = {}): SessionRun {
  return {
    verdict: { exit: "exited", reason: undefined, cause: undefined },
    agentName: "claude",
    program,
    problem: undefined,
    denied: new Map(),
    closing: null,
    outcome: "failure",
    tookMs: 60_000,
    status: "pending",
    used: { costUsd: 0, tokens: 0 },
    ...of,
  };
}

function cancelled(cause: CancelCause, of: Partial<SessionRun> = {}, setup?: SetupFault): SessionRun {
  const verdict = { exit: "cancelled", reason: `it was ${cause}`, cause, ...(setup && { setup }) } as const;
  return run({ verdict, outcome: "cancelled", ...of });
}

const outage: Problem = { kind: "outage", text: "529 Overloaded" };
const limit = (resetsAt?: Date): Problem => ({ kind: "limit", text: "You've hit your limit", resetsAt });
const denied = new Map([
  ["c-1", "Bash"],
  ["c-2", "Bash"],
]);

const seconds = (next: Next) => (next.do === "wait" ? (next.until.getTime() - NOON_MS) / 1_000 : undefined);

test("a limit is waited out until the reset that the client names, however often it comes", () => {
  const { patience } = patient();
  const resetsAt = new Date(NOON_MS + 5 * 3_600_000);
  for (let times = 0; times < 10; times++) {
    expect(patience.after(cancelled("limit", { problem: limit(resetsAt) }))).toEqual({
      do: "wait",
      why: "limit",
      reason: "it was limit",
      until: resetsAt,
    });
  }
});

test("eight hours of outages are pauses from 15 s to 15 min, each at most three times as long as the one before", () => {
  const { patience, clock } = patient(0.5);
  const pauses: number[] = [];
  const end = clock.now + 8 * 3_600_000_000;
  while (clock.now < end) {
    const next = patience.after(cancelled("outage", { problem: outage }));
    if (next.do !== "wait") throw new Error(`The loop does ${next.do}.`);
    pauses.push(next.until.getTime() - clock.now / 1_000);
    clock.now = next.until.getTime() * 1_000;
  }
  expect(pauses.slice(0, 4)).toEqual([18_750, 37_500, 75_000, 150_000]);
  for (const [index, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(15_000);
    expect(pause).toBeLessThanOrEqual(900_000);
    expect(pause).toBeLessThanOrEqual(3 * (pauses[index - 1] ?? pause));
  }
  expect(pauses.length).toBeLessThan(50);
});

test("jitter lengthens a pause by up to half, never beyond the longest pause", () => {
  const spread = [0, 0.999].map((jitter) =>
    seconds(patient(jitter).patience.after(cancelled("outage", { problem: outage }))),
  );
  expect(spread[0]).toBe(15);
  expect(spread[1]).toBeCloseTo(22.5, 1);
  const { patience } = patient(0.999, { backoff_most_s: 20 });
  expect(seconds(patience.after(cancelled("outage", { problem: outage })))).toBeLessThanOrEqual(20);
});

test.each([
  ["none", undefined],
  ["one that has passed", new Date(NOON_MS - 60_000)],
  ["one that is months away", new Date(NOON_MS + 90 * 86_400_000)],
])("a limit with %s for a reset backs off", (_what, resetsAt) => {
  expect(seconds(patient().patience.after(cancelled("limit", { problem: limit(resetsAt) })))).toBe(15);
});

test("sessions beside each other that meet one outage make one pause", () => {
  const { patience, clock } = patient();
  const meet = () => seconds(patience.after(cancelled("outage", { problem: outage })));
  expect([meet(), meet(), meet()]).toEqual([15, 15, 15]);
  clock.now += 15_000_000;
  expect([meet(), meet()]).toEqual([45, 45]);
});

test("a limit that comes after a closing verb is waited out too", () => {
  const next = patient().patience.after(run({ closing: "partial", outcome: "partial", problem: limit() }));
  expect(next).toMatchObject({ do: "wait", why: "limit", reason: "You've hit your limit" });
});

test("a session that works makes the next pause short again", () => {
  const { patience, clock } = patient();
  for (let times = 0; times < 3; times++) {
    clock.now += 3_600_000_000;
    patience.after(cancelled("outage", { problem: outage }));
  }
  clock.now += 3_600_000_000;
  patience.after(run({ closing: "done", outcome: "success" }));
  const next = patience.after(cancelled("outage", { problem: outage }));
  expect(next.do === "wait" && next.until.getTime() - clock.now / 1_000).toBe(15_000);
});

test.each<[SetupFault, RegExp]>([
  ["no_login", /Log in: `claude auth login`\.$/],
  ["no_program", /Install Claude Code: `npm install -g @anthropic-ai\/claude-code`/],
  ["command_line", /Correct "args" of agents\.claude in \.ralph\/config\.json/],
  ["unknown_model", /Name an existing model in "model" of agents\.claude/],
])("%s stops the loop at once, with the remedy", (setup, advice) => {
  const next = patient().patience.after(cancelled("setup", {}, setup));
  expect(next).toMatchObject({
    do: "stop",
    ending: "agent_unusable",
    reason: expect.stringMatching(/^it was setup\. /),
  });
  expect(next).toMatchObject({ reason: expect.stringMatching(advice) });
});

test("three consecutive sessions with denials stop the loop, unless one ends with a confirmed done", () => {
  const { patience } = patient();
  expect(patience.after(cancelled("denied", { denied }))).toEqual({ do: "go_on" });
  expect(patience.after(run({ denied, closing: "partial", outcome: "partial" }))).toEqual({ do: "go_on" });
  expect(patience.after(run({ denied, closing: "done", outcome: "partial" }))).toEqual({
    do: "stop",
    ending: "agent_unusable",
    reason:
      "3 sessions in a row: the agent was not allowed to use Bash (2×); its permissions are edit: it may edit files in its folder; " +
      'whether it may run commands depends on the client. Change "permissions" of agents.claude in .ralph/config.json (read, edit or full).',
  });
  const { patience: other } = patient();
  const worked = run({ denied, closing: "done", outcome: "success" });
  for (const one of [cancelled("denied", { denied }), worked, cancelled("denied", { denied }), worked])
    expect(other.after(one)).toEqual({ do: "go_on" });
  expect(other.after(cancelled("denied", { denied }))).toEqual({ do: "go_on" });
});

test("a stuck in a session with denials stops the loop before the next one", () => {
  expect(patient().patience.after(run({ denied, closing: "stuck" }))).toMatchObject({
    do: "stop",
    reason: expect.stringMatching(/^the agent was not allowed to use Bash \(2×\); its permissions are edit/),
  });
  expect(patient().patience.after(run({ closing: "stuck" }))).toEqual({ do: "go_on" });
});

test("sessions that could not reach their tools or their model are tried again after growing pauses, twice", () => {
  const { patience, clock } = patient();
  expect(seconds(patience.after(cancelled("tools")))).toBe(15);
  clock.now += 15_000_000;
  expect(seconds(patience.after(cancelled("model")))).toBe(45);
  expect(patience.after(cancelled("tools"))).toEqual({
    do: "stop",
    ending: "agent_unusable",
    reason: "3 sessions in a row: it was tools. Try `signalbox doctor`.",
  });
});

test("from the third session in a row that ends within seconds and leaves its task ready, the loop waits longer and longer", () => {
  const { patience, clock } = patient();
  const quick = run({ tookMs: 4_000, closing: "partial", outcome: "partial" });
  const pausesOf = (runs: readonly SessionRun[]) =>
    runs.map((one) => {
      const next = patience.after(one);
      if (next.do !== "wait") return 0;
      const pause = (next.until.getTime() - clock.now / 1_000) / 1_000;
      clock.now = next.until.getTime() * 1_000;
      return pause;
    });
  expect(pausesOf([quick, quick, quick, quick, quick])).toEqual([0, 0, 15, 30, 60]);
  const others = [
    run({ tookMs: 10_000 }),
    run({ tookMs: 4_000, closing: "done", outcome: "success", status: "done" }),
    run({ tookMs: 4_000, closing: "partial", outcome: "partial", status: "needs_input" }),
  ];
  for (const other of others) expect(pausesOf([other, quick, quick, quick])).toEqual([0, 0, 0, 15]);
});

test("such a wait says why", () => {
  const { patience } = patient();
  const quick = run({ tookMs: 0 });
  const [, , next] = [quick, quick, quick].map((one) => patience.after(one));
  expect(next).toMatchObject({
    why: "unusable",
    reason: "3 sessions in a row ended within 10 s and left their task ready",
  });
});
