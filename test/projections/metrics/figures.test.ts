import { expect, test, vi } from "vitest";
import { metrics } from "../../../src/queries/metrics/metrics.ts";
import { accepted, byAgent, deleted, reopened, sentBack, set, worked } from "../board/history.ts";
import { attempt, done, end, partial, start, task } from "../loop-drafts.ts";
import { answer, ask, at, learned, metricsOf, readModelOf, runBy, state, type Timed, used } from "./given.ts";

const DAY = 86_400;
const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];

/** A session of 100 seconds: 10 idle, 20 analyzing, 30 implementing, 15 testing, 20 implementing again, 5 testing. */
function working(id: number, session: string, from: number): Timed {
  return [
    [from, start(id, session)],
    [from + 10, state(session, "analyzing")],
    [from + 30, state(session, "implementing")],
    [from + 60, state(session, "testing")],
    [from + 75, state(session, "implementing")],
    [from + 95, state(session, "testing")],
    [from + 99, done(id, session, "Finished.")],
    [from + 100, end(session)],
  ];
}

test("the time in a phase is that of all its visits in a session, and phases add up to the sessions", async () => {
  const found = await metricsOf([
    [0, task(1)],
    [0, task(2)],
    ...working(1, "s-1", 100),
    ...working(2, "s-2", 300),
  ]);
  expect(
    found.phases.map(({ phase, total_s, median_s, p90_s, share }) => [
      phase,
      total_s,
      median_s,
      p90_s,
      share,
    ]),
  ).toEqual([
    ["idle", 20, 10, 10, 0.1],
    ["analyzing", 40, 20, 20, 0.2],
    ["implementing", 100, 50, 50, 0.5],
    ["testing", 40, 20, 20, 0.2],
  ]);
  expect(found.sessions).toMatchObject([{ group: "all", sessions: 2, open: 0, success: 2, total_s: 200 }]);
});

test("median and p90 are times that there were, by nearest rank", async () => {
  const lengths = [10, 20, 30, 40, 1_000];
  const history = lengths.flatMap((length, index): Timed => {
    const from = index * 2_000;
    return [
      [from, task(index + 1)],
      [from + 1, start(index + 1, `s-${index}`)],
      [from + 1 + length, end(`s-${index}`)],
    ];
  });
  const [row] = (await metricsOf(history)).sessions;
  expect(row).toMatchObject({ total_s: 1_100, median_s: 30, p90_s: 1_000 });
});

test("an open session has lasted until now", async () => {
  const history: Timed = [
    [0, task(1)],
    [10, start(1, "s-1")],
    [20, state("s-1", "analyzing")],
  ];
  const found = await metricsOf(history, { nowAt: 50 });
  expect(found.sessions).toMatchObject([{ open: 1, total_s: 40 }]);
  expect(found.phases).toMatchObject([
    { phase: "idle", total_s: 10 },
    { phase: "analyzing", total_s: 30 },
  ]);
});

test("a step from testing back to implementing is a return, and no other step is", async () => {
  const found = await metricsOf([[0, task(1)], ...working(1, "s-1", 10)]);
  expect(found.rework).toEqual([
    { group: "all", sessions_that_tested: 1, went_back: 1, returns: 1, median: 1, most: 1, testing_s: 20 },
  ]);
});

test("an unreported value is unknown, and not 0", async () => {
  const history: Timed = [
    [0, task(1)],
    [0, task(2)],
    [10, start(1, "s-1")],
    [19, used("s-1", { cost_usd: 0.25, input_tokens: 1_000, output_tokens: 50 })],
    [20, end("s-1")],
    [30, start(2, "s-2")],
    [40, end("s-2")],
  ];
  expect((await metricsOf(history)).costs).toMatchObject([
    {
      sessions: 2,
      cost_usd: 0.25,
      cost_unknown: 1,
      tokens: 1_050,
      tokens_unknown: 1,
      usd_per_verified: null,
    },
  ]);
  expect((await metricsOf(history, { since: at(25) })).costs).toMatchObject([
    { sessions: 1, cost_usd: null, cost_unknown: 1, tokens: null },
  ]);
});

test("a task is verified by its agent's done and its gates; failed sessions count to its cost", async () => {
  const history: Timed = [
    [0, task(1, { gates })],
    [0, task(2)],
    [0, task(3)],
    [10, start(1, "s-1")],
    [11, partial(1, "s-1", "The rest.")],
    [12, used("s-1", { cost_usd: 1 })],
    [13, end("s-1")],
    [20, start(1, "s-2")],
    [21, done(1, "s-2", "All.")],
    [22, attempt(1, "ok", { exit_code: 0 })],
    [23, used("s-2", { cost_usd: 2 })],
    [24, end("s-2")],
    [30, start(2, "s-3")],
    [31, done(2, "s-3", "Without gates.")],
    [32, used("s-3", { cost_usd: 0.5 })],
    [33, end("s-3")],
    [40, set(3, "done")],
  ];
  expect((await metricsOf(history)).costs).toEqual([
    {
      group: "all",
      sessions: 3,
      cost_usd: 3.5,
      cost_unknown: 0,
      tokens: null,
      tokens_unknown: 3,
      done_tasks: 2,
      done_without_gates: 1,
      verified_tasks: 1,
      sessions_per_verified: 3,
      usd_per_verified: 3.5,
      tokens_per_verified: null,
    },
  ]);
});

test("closing verbs are counted by the day or the week of their sessions' ends", async () => {
  const history: Timed = [
    [0, task(1)],
    [0, task(2, { gates })],
    [10, start(1, "s-1")],
    [11, partial(1, "s-1", "The rest.")],
    [12, end("s-1")],
    [13, start(2, "s-2")],
    [14, done(2, "s-2", "Its gate says nothing.")],
    // It began on Wednesday, and ends on the Monday after.
    [5 * DAY, end("s-2")],
    [5 * DAY + 1, start(1, "s-3")],
    [5 * DAY + 2, end("s-3")],
  ];
  const none = { done: 0, unverified: 0, partial: 0, stuck: 0, inferred_stuck: 0, none: 0 };
  expect((await metricsOf(history)).closings).toEqual([
    { group: "all", period: "2026-02-11", ended: 1, ...none, partial: 1 },
    { group: "all", period: "2026-02-16", ended: 2, ...none, unverified: 1, inferred_stuck: 1 },
  ]);
  const weeks = (await metricsOf(history, { every: "week" })).closings;
  expect(weeks.map(({ period, ended }) => [period, ended])).toEqual([
    ["2026-02-09", 1],
    ["2026-02-16", 2],
  ]);
});

/** A session of an agent that says done, and what is found and done before its end. */
function claims(id: number, session: string, from: number, ...before: Timed[number][1][]): Timed {
  return [
    [from, start(id, session)],
    [from + 1, done(id, session, "All.")],
    ...before.map((event): Timed[number] => [from + 2, event]),
    [from + 9, end(session)],
  ];
}

const of = (task: number, session: string) => ({ task, session });

test("each done stood, waits, or was refused by evidence, by gates or by a human, for its agent and model", async () => {
  const found = await metricsOf([
    ...[1, 2, 4, 6, 7].map((id): Timed[number] => [0, task(id)]),
    ...[3, 5].map((id): Timed[number] => [0, task(id, { gates })]),
    // The second done mends what the first was told of.
    ...claims(1, "s-1", 10, runBy("s-1", "opus", "o-1"), worked(["undoes"], of(1, "s-1"))),
    ...claims(1, "s-2", 20, runBy("s-2", "opus", "o-1"), done(1, "s-2", "Mended.")),
    // What was found counts first, whatever the gates say.
    ...claims(3, "s-3", 30, runBy("s-3", "opus", "o-2"), worked(["gone"], of(3, "s-3"))),
    ...claims(3, "s-4", 40, runBy("s-4", "opus", "o-2"), attempt(3, "no")),
    ...claims(3, "s-5", 50, runBy("s-5", "opus", "o-2"), attempt(3, "ok", { exit_code: 0 })),
    // A human is asked, and sends it back; is asked again, and accepts; is asked, and has not answered.
    ...claims(2, "s-6", 60, worked(["no_change"], of(2, "s-6"))),
    [70, sentBack("It lacks a header.", 2)],
    ...claims(2, "s-7", 80, worked(["no_change"], of(2, "s-7"))),
    [90, accepted(2)],
    ...claims(4, "s-8", 100, worked(["no_change"], of(4, "s-8"))),
    // Noted alone; a skipped gate is as one that passed.
    ...claims(5, "s-9", 110, attempt(5, "ok", { exit_code: 0 }), worked(["no_change"], of(5, "s-9"))),
    // A human takes it out of done later, twice; an agent that does is none.
    ...claims(6, "s-10", 120),
    [130, set(6, "pending")],
    [131, set(6, "done")],
    [132, set(6, "failed")],
    ...claims(7, "s-11", 140),
    [150, byAgent(set(7, "pending"))],
    // Neither of these is a done.
    [160, start(7, "s-12")],
    [161, partial(7, "s-12", "The rest.")],
    [162, end("s-12")],
    [170, set(7, "skipped")],
  ]);
  const none = {
    stood: 0,
    refused_by_evidence: 0,
    refused_by_gates: 0,
    sent_back: 0,
    waiting: 0,
    repeated: 0,
  };
  expect(found.dones).toEqual([
    {
      ...{ group: "all", agent: "opus", model: "o-1", ...none, claimed: 2 },
      ...{ stood: 1, refused_by_evidence: 1, share: 0.5, repeated: 1 },
    },
    {
      ...{ group: "all", agent: "opus", model: "o-2", ...none, claimed: 3 },
      ...{ stood: 1, refused_by_evidence: 1, refused_by_gates: 1, share: 0.333 },
    },
    {
      ...{ group: "all", agent: null, model: null, ...none, claimed: 6 },
      ...{ stood: 3, sent_back: 2, waiting: 1, share: 0.6 },
    },
  ]);
});

test("a question waits from the ask to the act that holds; an open one until now", async () => {
  const history: Timed = [
    [0, task(1)],
    [0, task(2)],
    [10, start(1, "s-1")],
    // Position 4.
    [11, ask(1, "s-1", true)],
    [12, partial(1, "s-1", "Waits.")],
    [13, end("s-1")],
    [20, answer(1, 4)],
    [25, reopened(4)],
    [71, answer(1, 4)],
    [80, start(2, "s-2")],
    [81, ask(2, "s-2", true)],
    [82, ask(2, "s-2", false)],
    [83, partial(2, "s-2", "Waits.")],
    [84, end("s-2")],
  ];
  const found = await metricsOf(history, { nowAt: 100 });
  expect(found.questions).toEqual([
    {
      group: "all",
      kind: "blocking",
      asked: 2,
      answered: 1,
      dismissed: 0,
      informational: 0,
      waited_s: 60,
      median_s: 60,
      p90_s: 60,
      waiting: 1,
      waiting_median_s: 19,
      waiting_longest_s: 19,
    },
    expect.objectContaining({ kind: "other", asked: 1, informational: 1, waiting: 0, median_s: null }),
  ]);
});

test("attempts until a gate passed restart after a pass, and exclude interrupted ones", async () => {
  const history: Timed = [
    [0, task(1, { gates })],
    [0, task(2, { gates })],
    [1, attempt(1, "no")],
    [2, attempt(1, "", { interrupted: true })],
    [3, attempt(1, "no")],
    [4, attempt(1, "ok", { exit_code: 0 })],
    [5, attempt(1, "ok", { exit_code: 0 })],
    [6, attempt(2, "no")],
  ];
  expect((await metricsOf(history)).gates).toEqual([
    {
      group: "all",
      gates: 2,
      attempts: 6,
      passed: 2,
      failed: 3,
      interrupted: 1,
      attempts_until_passed: 1,
      attempts_at_most: 3,
      never_passed: 1,
      time_s: 13.8,
      baselines: 0,
      baseline_s: 0,
    },
  ]);
});

test("each repetition of a learning counts as a confirmation", async () => {
  const history: Timed = [
    [0, task(1)],
    [1, start(1, "s-1")],
    [2, learned(1, "s-1", "Rows come in chunks of 100.")],
    [3, learned(1, "s-1", "rows come in chunks of 100")],
    [4, learned(1, "s-1", "Rows come in chunks of 100!")],
    [5, learned(1, "s-1", "The clock of the test server is an hour slow.")],
  ];
  const found = await metricsOf(history);
  expect(found.learnings).toEqual([{ group: "all", learnings: 2, confirmed: 1, confirmations: 2, most: 2 }]);
  expect(found.most_confirmed).toEqual([
    { group: "all", text: "Rows come in chunks of 100.", learning: 3, confirmations: 2 },
  ]);
});

test("figures come by feature, discipline or day; a deleted task's have no name", async () => {
  const history: Timed = [
    [0, task(1, { feature: "reports", discipline: "backend" })],
    [0, task(2, { feature: "audit", discipline: "backend" })],
    [0, task(3, { feature: "audit" })],
    ...working(1, "s-1", 10),
    ...working(2, "s-2", 200),
    ...working(3, "s-3", DAY + 10),
    [DAY + 500, deleted(3)],
  ];
  const groups = async (by: "feature" | "discipline" | "day") =>
    (await metricsOf(history, { by, nowAt: 2 * DAY })).sessions.map(({ group, total_s }) => [group, total_s]);
  expect(await groups("feature")).toEqual([
    ["audit", 100],
    ["reports", 100],
    [null, 100],
  ]);
  expect(await groups("discipline")).toEqual([
    ["backend", 200],
    [null, 100],
  ]);
  expect(await groups("day")).toEqual([
    ["2026-02-11", 200],
    ["2026-02-12", 100],
  ]);
});

test("only what began at or after since and before until counts", async () => {
  const history: Timed = [[0, task(1)], [0, task(2)], ...working(1, "s-1", 10), ...working(2, "s-2", 200)];
  const count = async (period: { since?: number; until?: number }) =>
    (await metricsOf(history, period)).sessions[0]?.sessions ?? 0;
  expect(await count({ since: at(200) })).toBe(1);
  expect(await count({ since: at(201) })).toBe(0);
  expect(await count({ until: at(200) })).toBe(1);
  expect(await count({ since: at(10), until: at(201) })).toBe(2);
});

test("an empty project has empty tables", async () => {
  expect(Object.values(await metricsOf([])).flat()).toEqual([]);
});

test.for(["feature", "discipline", "day", undefined] as const)(
  "figures by %s look up no task for each row, and have SQLite sort none into groups",
  async (by) => {
    const readModel = await readModelOf([[0, task(1)], ...working(1, "s-1", 10)]);
    const prepared = vi.spyOn(readModel.database, "prepare");
    metrics(readModel, { now: at(300), by });
    const given = { now: 0, since: null, until: null, ids: "[]" };
    const questions = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /^(select|with)/.test(sql));
    expect(questions.length).toBeGreaterThan(5);
    const plans = questions.flatMap((sql) =>
      readModel.database.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(given),
    );
    expect(plans.map(({ detail }) => detail).filter((step) => /CORRELATED|FOR GROUP BY/.test(step))).toEqual(
      [],
    );
  },
);
