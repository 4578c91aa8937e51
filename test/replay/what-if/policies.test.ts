import { expect, test } from "vitest";
import {
  answered,
  ask,
  blocked,
  created,
  done,
  ended,
  missing,
  partial,
  started,
  stuck,
  stuckLimit,
  worked,
} from "../../projections/board/history.ts";
import { learned } from "../../projections/given.ts";
import { inWords, whatIfOf } from "./given.ts";

/** A session of task 1 that told these signals and ended. */
const session = (name: string, ...signals: readonly ReturnType<typeof stuck>[]) => [
  started(name),
  ...signals,
  ended("exited", name),
];
const told = (name: string) => learned("Rows come in chunks.", { task: 1, session: name });
const stuckIn = (name: string) => session(name, stuck("No GPU.", { session: name }));
const partialIn = (name: string) => session(name, partial("The rest.", { session: name }));

test("with a lower stuck limit a task fails earlier, by 7a instead of 7d, and is unknown from its next session on", async () => {
  const report = await whatIfOf(
    { stuck_limit: 2 },
    created(1),
    ...stuckIn("a"),
    ...stuckIn("b"),
    ...stuckIn("c"),
  );
  expect(inWords(report)).toEqual([
    "1 failed 3 → failed 2, parts at 7, status at 7 by settlement 7d → settlement 7a, unknown from 8",
  ]);
  expect(report.tasks[0]?.other_history).toEqual({
    position: 8,
    event: "session.started",
    why: "task 1 is failed",
    was: { status: "pending", stuck_count: 2 },
    left_out: { events: 3, sessions: 1 },
    // A microsecond between two events.
    saved: { seconds: 0.000002, turns: null, input_tokens: null, output_tokens: null, cost_usd: null },
  });
  expect(report.counts).toEqual({ was: { failed: 1 }, would_be: { failed: 1 } });
});

test("with a higher stuck limit a failed task would be pending, with no event left out", async () => {
  const report = await whatIfOf(
    { stuck_limit: 4 },
    created(1),
    ...stuckIn("a"),
    ...stuckIn("b"),
    ...stuckIn("c"),
  );
  expect(inWords(report)).toEqual([
    "1 failed 3 → pending 3, parts at 10, status at 10 by settlement 7a → settlement 7d",
  ]);
  expect(report.tasks[0]?.status_parts_at?.was?.causes).toEqual([9, 10]);
  expect(report.counts).toEqual({ was: { failed: 1 }, would_be: { pending: 1 } });
});

test("a what-if stuck limit applies from the first event on, whatever the log set", async () => {
  const history = [created(1), stuckLimit(1), ...stuckIn("a")];
  expect(inWords(await whatIfOf({ stuck_limit: 3 }, ...history))).toEqual([
    "1 failed 1 → pending 1, parts at 5, status at 5 by settlement 7a → settlement 7d",
  ]);
  expect((await whatIfOf({ stuck_limit: 1 }, ...history)).tasks).toEqual([]);
  expect((await whatIfOf({ closing: "first" }, ...history)).tasks).toEqual([]);
});

test("partial that resets sets the count back where it left it alone", async () => {
  const history = [created(1), ...stuckIn("a"), ...stuckIn("b"), ...partialIn("c"), ...stuckIn("d")];
  const report = await whatIfOf({ partial_resets: true }, ...history);
  expect(inWords(report)).toEqual([
    "1 failed 3 → pending 1, parts at 10, status at 13 by settlement 7a → settlement 7d",
  ]);
  expect(report.tasks[0]?.parts_at.fields).toEqual([
    { table: "tasks", field: "stuck_count", was: 2, would_be: 0 },
  ]);
});

test("an unconfirmed done and a cancelled session reset nothing: neither is a partial", async () => {
  const gate = { gates: [{ command: "npm test", max: 5, timeout_s: 300 }] };
  const history = [
    created(1, gate),
    ...stuckIn("a"),
    ...session("b", done({ session: "b" })),
    started("c"),
    ended("cancelled", "c"),
  ];
  expect((await whatIfOf({ partial_resets: true }, ...history)).tasks).toEqual([]);
});

test("partial with learnings resets only if the running session itself reported a learning", async () => {
  const withOne = session("c", told("c"), partial("The rest.", { session: "c" }));
  const before = [created(1), ...stuckIn("a"), ...session("b", told("b"), stuck("No.", { session: "b" }))];
  const late = [...partialIn("c"), told("c")];
  const policy = { partial_with_learnings_resets: true };
  expect((await whatIfOf(policy, ...before, ...late)).tasks).toEqual([]);
  expect(inWords(await whatIfOf(policy, ...before, ...withOne))).toEqual([
    "1 pending 2 → pending 0, parts at 12",
  ]);
});

test("if waiting counts as stuck, a task that asked three times fails; questions answered meanwhile do not count", async () => {
  const asking = (name: string) =>
    session(name, ask({ session: name }), partial("The rest.", { session: name }));
  const history = [
    created(1),
    ...asking("a"),
    answered(3),
    ...asking("b"),
    answered(8),
    started("c"),
    ask({ session: "c" }),
    answered(13),
    partial("The rest.", { session: "c" }),
    ended("exited", "c"),
    ...asking("d"),
  ];
  expect(inWords(await whatIfOf({ waiting_is_stuck: true }, ...history))).toEqual([
    "1 needs_input 0 → failed 3, parts at 5, status at 20 by settlement 7b → settlement 7a",
  ]);
});

test("an open blocker counts as waiting, a contested one does not, and a stuck session counts once", async () => {
  const upstream = [created(2, { title: "Login", status: "done" }), created(1)];
  const policy = { waiting_is_stuck: true, partial_resets: true };
  const blockedBy = (signal: ReturnType<typeof stuck>) =>
    whatIfOf(policy, ...upstream, ...session("s-1", signal, partial()));
  expect(inWords(await blockedBy(missing("A key.")))).toEqual(["1 blocked 0 → blocked 1, parts at 6"]);
  expect((await blockedBy(blocked("Login"))).tasks).toEqual([]);
  const stuckToo = session("s-1", missing("A key."), stuck());
  expect((await whatIfOf(policy, ...upstream, ...stuckToo)).tasks).toEqual([]);
});

test("the first closing verb, or the worst, may count instead of the last", async () => {
  const verdicts = async (...signals: readonly ReturnType<typeof stuck>[]) => {
    const history = [created(1), ...session("s-1", ...signals)];
    const reports = await Promise.all([
      whatIfOf({ closing: "first" }, ...history),
      whatIfOf({ closing: "worst" }, ...history),
    ]);
    return reports.map((report) => report.tasks[0]?.would_be ?? "the same");
  };
  expect(await verdicts(stuck(), partial(), done())).toEqual([
    { status: "pending", stuck_count: 1 },
    { status: "pending", stuck_count: 1 },
  ]);
  expect(await verdicts(done(), partial())).toEqual([{ status: "done", stuck_count: 0 }, "the same"]);
  expect(await verdicts(partial(), done())).toEqual([
    { status: "pending", stuck_count: 0 },
    { status: "pending", stuck_count: 0 },
  ]);
  expect(await verdicts(done())).toEqual(["the same", "the same"]);
});

test("what was found in the workspace of a done may be noted, asked about or refused", async () => {
  const history = [created(1), ...session("s-1", done(), worked(["no_change"]))];
  const would = async (value: "note" | "ask" | "refuse") =>
    inWords(await whatIfOf({ "evidence.no_change": value }, ...history));
  expect(await would("ask")).toEqual([]);
  expect(await would("note")).toEqual([
    "1 needs_input 0 → done 0, parts at 5, status at 5 by evidence: ask → settlement 5",
  ]);
  expect(await would("refuse")).toEqual([
    "1 needs_input 0 → pending 0, parts at 5, status at 5 by evidence: ask → settlement 7d",
  ]);
});

test("a task released only in the other world is released there, even if all of its own rows are equal", async () => {
  const report = await whatIfOf(
    { closing: "first" },
    created(2),
    created(1),
    ...session(
      "a",
      blocked("task #2", { session: "a" }),
      partial("The rest.", { session: "a" }),
      done({ session: "a" }),
    ),
    started("b", 2),
    done({ task: 2, session: "b" }),
    ended("exited", "b"),
  );
  expect(inWords(report)).toEqual([
    "1 done 0 → pending 0, parts at 6, status at 7 by settlement 5 → settlement 7c",
  ]);
});

test("another priority changes the order of tasks, and no result", async () => {
  const history = [
    created(1),
    created(2),
    started("a", 1),
    done({ session: "a" }),
    ended("exited", "a"),
    started("b", 2),
    done({ task: 2, session: "b" }),
    ended("exited", "b"),
  ];
  const report = await whatIfOf({ priorities: { "2": "high" } }, ...history);
  expect(inWords(report)).toEqual(["2 done 0 → done 0, parts at 2"]);
  expect(report.order).toEqual({ sessions: 1, first: { position: 3, was: 1, would_be: 2 } });
  expect((await whatIfOf({ priorities: { "1": "high" } }, ...history)).order.first).toBeNull();
});

test("a start out of order says nothing about the order", async () => {
  const history = [created(1), created(2), created(3), started("a", 3), ended("cancelled", "a")];
  expect((await whatIfOf({ priorities: { "2": "high" } }, ...history)).order.first).toBeNull();
});
