import { expect, test } from "vitest";
import { findInInbox } from "../../src/queries/inbox.ts";
import { stepsOf } from "./given-loop.ts";
import { loopHere } from "./loop-here.ts";

/*
 * A loop whose model is not to be had, or whose agent is set up wrongly. Catches: an outage that is counted against its task, a wait that
 * nobody else is told of, a wait that no signal ends, an agent that is started again though only a human can mend it.
 */
const HOUR_MS = 3_600_000;
const problem = (kind: string, text: string, resets_at?: Date) => ({
  signalbox: "problem",
  kind,
  text,
  ...(resets_at && { resets_at: resets_at.toISOString() }),
});
const OVERLOADED = problem("outage", "API Error: 529 Overloaded");

test("eight hours of an overloaded model leave the task pending, stuck 0 and not held, and the loop goes on", async () => {
  const loop = await loopHere();
  loop.says(OVERLOADED);
  const { ending, sessions, steps } = await loop.run(async () =>
    loop.waited_ms() >= 8 * HOUR_MS ? "SIGINT" : undefined,
  );
  expect(ending).toBe("signal");
  expect(sessions).toBeGreaterThan(30);
  expect(sessions).toBeLessThan(50);
  expect(await loop.project.queries.taskRow(1)).toMatchObject({
    ...{ status: "pending", stuck_count: 0, inferred_stucks: 0, held_at: 0, ready: true },
    sessions,
  });
  expect(await loop.project.queries.inbox()).toEqual([]);
  const ends = stepsOf(steps, "session_ended");
  expect(new Set(ends.map(({ exit, outcome, reason }) => `${exit} ${outcome} ${reason}`))).toEqual(
    new Set(["cancelled cancelled the agent's model failed: API Error: 529 Overloaded"]),
  );
  expect(stepsOf(steps, "paused")).toHaveLength(sessions);
});

test("a usage limit is waited out until its reset, the log shows the wait, and the next session ends it", async () => {
  const loop = await loopHere();
  const resets = new Date(Date.now() + 5 * HOUR_MS);
  loop.says(problem("limit", "You've hit your limit", resets));
  const waits = () =>
    loop.project.queries.sql("SELECT waits_for, waits_until, waits_reason FROM loops WHERE driver = 'd-1'");
  const seen: unknown[] = [];
  const { steps, ending } = await loop.run(async () => {
    if (seen.length === 0) seen.push(...(await waits()));
    loop.says(problem("no_login", "Please run /login"));
    return undefined;
  });
  expect(seen).toEqual([
    {
      waits_for: "limit",
      waits_until: resets.toISOString().replace("T", " ").replace("Z", "000"),
      waits_reason: "the agent's model failed: You've hit your limit",
    },
  ]);
  expect(stepsOf(steps, "paused")).toMatchObject([{ why: "limit", until: resets.toISOString() }]);
  expect(loop.waited_ms()).toBeGreaterThan(5 * HOUR_MS - 60_000);
  expect(loop.waited_ms()).toBeLessThan(5 * HOUR_MS + 60_000);
  expect(ending).toBe("agent_unusable");
  const [started] = await loop.project.queries.sql(
    "SELECT count(*) AS sessions FROM sessions WHERE driver = 'd-1'",
  );
  expect(started).toEqual({ sessions: 2 });
  expect(await waits()).toEqual([{ waits_for: null, waits_until: null, waits_reason: null }]);
});

test("a signal ends a wait, and the loop", async () => {
  const loop = await loopHere();
  loop.says(OVERLOADED);
  const { ending, reason, sessions } = await loop.run(async () => "SIGINT: no further session is started");
  expect({ ending, reason, sessions }).toEqual({
    ending: "signal",
    reason: "SIGINT: no further session is started",
    sessions: 1,
  });
  expect(loop.waited_ms()).toBe(0);
});

test.each([
  ["no_login", "Please run /login", /Log in, or correct the key of agent "sh"\.$/],
  ["unknown_model", "model not found: opus-9", /Name an existing model in "model" of agents\.sh/],
])("%s stops the loop after one session, with the remedy", async (kind, text, advice) => {
  const loop = await loopHere();
  loop.says(problem(kind, text));
  const { ending, reason, sessions } = await loop.run();
  expect({ ending, sessions }).toEqual({ ending: "agent_unusable", sessions: 1 });
  expect(reason).toMatch(text);
  expect(reason).toMatch(advice);
  expect(await loop.project.queries.taskRow(1)).toMatchObject({
    status: "pending",
    stuck_count: 0,
    held_at: 0,
  });
});

test("three denied sessions stop the loop and hold the task, until a human sets it pending", async () => {
  const loop = await loopHere();
  loop.says({ signalbox: "denied", tool: "Bash" });
  const first = await loop.run();
  expect(first).toMatchObject({ ending: "agent_unusable", sessions: 3 });
  expect(first.reason).toMatch(/^3 sessions in a row: the agent was not allowed to use Bash/);
  const { queries, store } = loop.project;
  expect(await queries.taskRow(1)).toMatchObject({ status: "pending", stuck_count: 0, ready: false });
  const [item] = await queries.inbox();
  expect(item).toMatchObject({
    kind: "hold",
    task: 1,
    of_kind: "denied",
    text: "3 sessions in a row were cancelled. The last one: the agent was not allowed to use Bash",
  });

  const second = await loop.run();
  expect(second).toMatchObject({ ending: "nothing_ready", sessions: 0 });
  expect(second.reason).toBe(
    `nothing is ready: #1 is waiting for you: 3 cancelled sessions in a row (hold ${item?.id})`,
  );

  const { releaseHeld } = await import("../../src/operations/inbox.ts");
  await loop.project.decide(releaseHeld({ id: item?.id ?? 0 }));
  expect(await queries.nextTask()).toMatchObject({ id: 1, held_at: 0 });
  expect(findInInbox(store.readModel, { kind: "hold", id: item?.id ?? 0 })).toBeUndefined();
});
