import { expect, test } from "vitest";
import { fromSqlTime } from "../../src/lib/time.ts";
import {
  type Around,
  budgetWords,
  inLoopWords,
  type SeenLoop,
  viewLoops,
} from "../../src/queries/labels/loop-words.ts";
import type { StoppedLoop } from "../../src/queries/loops.ts";
import { seenLoop } from "./seen-loop.ts";

const NOON = "2026-01-10 12:00:00.000000";
const LATER = "2026-01-10 13:00:00.000000";
const paused = { position: 9, actor: "ada", reason: "a new\nschema \u202e", since: NOON };
const limit = { waits_for: "limit", waits_until: LATER, waits_reason: "You've hit your limit" } as const;
const stopped: StoppedLoop = {
  driver: "d-0",
  agent: "claude",
  stopped_at: NOON,
  stopped_position: 9,
  ending: "nothing_ready",
  reason: "nothing is ready: every task is done or skipped",
};

const view = (loops: readonly SeenLoop[], around: Partial<Around> = {}, last: StoppedLoop | null = null) =>
  viewLoops({ loops, last }, { paused: null, ready: 1, now: fromSqlTime(NOON), ...around });
const words = (...given: Parameters<typeof view>) =>
  inLoopWords(view(...given).all, (until) => `until ${until.slice(11, 16)}`);

test.each<[string, Partial<SeenLoop>, Partial<Around>]>([
  ["running · starting a session", {}, {}],
  ["running · 2 of 3 sessions", { running: 2, jobs: 3 }, { ready: 0 }],
  ["waiting for a task to become ready", {}, { ready: 0 }],
  ["waiting until 13:00 for its usage limit to reset: You've hit your limit", limit, {}],
  ["running · starting a session", limit, { now: fromSqlTime(LATER) }],
  ["paused by ada: a new schema \\u{202e}", {}, { paused }],
  ["paused by ada, 1 session still running", { running: 1 }, { paused: { ...paused, reason: null } }],
  ["stopping · 1 session still running, asked by ada", { running: 1, stop_asked_by: "ada" }, { paused }],
  ["silent · its host gives no sign of life", { sign: "host_silent", running: 1 }, {}],
  ["stopped · its process died", { sign: "died", running: 1 }, {}],
  ["stopped · its host was declared lost", { sign: "host_lost" }, {}],
  ["running · 1 of 1 session", { sign: "unknown", running: 1 }, {}],
])("a loop is %s", (said, loop, around) => {
  expect(words([seenLoop(loop)], around)).toBe(said);
});

test("without a loop that runs, the last one says how it ended, or the pause does", () => {
  expect(words([])).toBe("stopped · no loop has run yet");
  expect(words([], {}, stopped)).toBe("stopped · nothing is ready: every task is done or skipped");
  expect(words([], { paused: { ...paused, reason: null } }, stopped)).toBe("paused by ada");
  // The clock of another host may be behind: positions decide.
  const died = (position: number) => seenLoop({ sign: "died", position });
  expect(view([died(10)], {}, stopped)).toMatchObject({
    live: [],
    ended: { driver: "d-1", at: null, why: "its process died" },
  });
  expect(view([died(8)], {}, stopped).ended).toMatchObject({ driver: "d-0", at: NOON });
});

test("several loops are counted by their states, and one that died is none of them", () => {
  const loops = [
    seenLoop({ driver: "d-1", running: 1 }),
    seenLoop({ driver: "d-2", ...limit }),
    seenLoop({ driver: "d-3", running: 1 }),
    seenLoop({ driver: "d-4", sign: "died" }),
  ];
  expect(words(loops)).toBe("running · 3 loops: 2 running, 1 waiting");
  expect(view(loops).live.map(({ driver }) => driver)).toEqual(["d-1", "d-2", "d-3"]);
});

test.each<[string, Partial<SeenLoop>]>([
  ["no budget set", { cost_micro_usd: 1_000_000 }],
  ["$3.75 of $5.00 left", { budget_micro_usd: 5_000_000, cost_micro_usd: 1_250_000 }],
  ["$5.00 of $5.00 left, without 2 sessions of unknown cost", { budget_micro_usd: 5_000_000, unknown: 2 }],
  ["$0.00 of $5.00 left", { budget_micro_usd: 5_000_000, cost_micro_usd: 6_000_000 }],
  [
    "$1.00 of $1.00 left, 1,500 of 2,000 tokens left",
    { budget_micro_usd: 1_000_000, budget_tokens: 2_000, tokens: 500 },
  ],
])("a loop's budget: %s", (said, loop) => {
  expect(budgetWords(seenLoop(loop))).toBe(said);
});
