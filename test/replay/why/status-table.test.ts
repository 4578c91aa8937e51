import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { STATUS_RULES } from "../../../src/history/why/rules.ts";
import * as h from "../../projections/board/history.ts";
import { changeInWords, given } from "./given.ts";

const human = { accept: "human" } as const;
const inSession = (id: string, ...signals: readonly Draft[]) => [
  h.started(id),
  ...signals,
  h.ended("exited", id),
];
const stuckIn = (id: string) => inSession(id, h.stuck("No GPU.", { session: id }));
const proposed = [h.created(1), ...inSession("s-1", h.suggest("Tidy"), h.partial())];

/** What is said of a rule, where it does not depend on what held. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  enriched: /Pseudocode/,
  "sessions: start": /Starting a session/,
  "settlement 5": /every gate is passed or skipped/,
  "settlement 7c": /but a blocker is/,
  "settlement 7d": /Nothing blocks the task/,
  "settlement 9": /suggestion of a new task/,
  "evidence: ask": /asked about what its driver found/,
  "humans: set a status": /set by hand/,
  "humans: send back": /sent the work back/,
  "humans: approved": /approved/,
  "humans: rejected": /rejected/,
  "humans: undo": /undid a decision/,
  "gates: abort": /aborted an escalated gate/,
  "gates: skip": /the done stands/,
  "plans: replaced": /Another plan/,
  "merges: reopen": /its merge stopped/,
};

/** The last change of the task that it names, after a history. */
const table: readonly (readonly [
  what: string,
  history: readonly Draft[],
  change: string,
  /** Absent: the one of its rule. */
  sentence?: RegExp,
])[] = [
  ["added", [h.created(1)], "#1 null → pending, created [1]", /starts with the status/],
  ["enriched", [h.created(1, { status: "draft" }), h.enriched(1)], "#1 draft → pending, enriched [2]"],
  ["started", [h.created(1), h.started()], "#1 pending → in_progress, sessions: start [2]"],
  [
    "done without gates",
    [h.created(1), ...inSession("s-1", h.done())],
    "#1 in_progress → done, settlement 5 [3,4]",
  ],
  [
    "done, borne out by a run and by a skip",
    [
      h.created(1, h.gated({}, { max: 1 })),
      ...inSession("s-1", h.attempted(1, { gate: 2 }), h.gateActed("skip", 2), h.attempted(0), h.done()),
    ],
    "#1 in_progress → done, settlement 5 [4,5,6,7]",
  ],
  [
    "failed by the count, of sessions that waited, under the worst closing verb",
    [
      ...[h.stuckLimit(2), h.event("policy.set", { policy: "waiting_is_stuck", value: true })],
      ...[h.event("policy.set", { policy: "closing", value: "worst" }), h.created(1)],
      ...inSession("s-1", h.ask(), h.partial("The rest.", { session: "s-1" })),
      ...inSession("s-2", h.ask({ session: "s-2" }), h.partial("The rest.", { session: "s-2" })),
    ],
    "#1 in_progress → failed, settlement 7a [1,2,3,11,12]",
    /stuck count has reached its limit: the task has failed/,
  ],
  [
    "failed by the count",
    [h.stuckLimit(2), h.created(1), ...stuckIn("s-1"), h.started("s-2"), h.ended("exited", "s-2")],
    "#1 in_progress → failed, inferred, settlement 7a [1,7]",
    /^The stuck count has reached its limit: the task has failed\.$/,
  ],
  [
    "failed by an aborted gate",
    [
      h.created(1, h.gated({ max: 1 })),
      ...inSession("s-1", h.attempted(1), h.gateActed("abort"), h.partial()),
    ],
    "#1 in_progress → failed, settlement 7a [4,5,6]",
    /^A gate was aborted: the task has failed\.$/,
  ],
  [
    "failed by both",
    [
      h.stuckLimit(1),
      h.created(1, h.gated({ max: 1 })),
      ...inSession("s-1", h.attempted(1), h.gateActed("abort"), h.stuck()),
    ],
    "#1 in_progress → failed, settlement 7a [1,5,6,7]",
    /^The stuck count has reached its limit, and a gate was aborted: the task has failed\.$/,
  ],
  [
    "a question",
    [h.created(1), ...inSession("s-1", h.ask(), h.aside(), h.partial())],
    "#1 in_progress → needs_input, settlement 7b [3,5,6]",
    /^A question is open: the task waits for a human\.$/,
  ],
  [
    "an escalated gate",
    [h.created(1, h.gated({ max: 1 })), ...inSession("s-1", h.attempted(1), h.done())],
    "#1 in_progress → needs_input, unverified, settlement 7b [3,4,5]",
    /^A gate is escalated: the task waits for a human\.$/,
  ],
  [
    "both",
    [h.created(1, h.gated({ max: 1 })), ...inSession("s-1", h.attempted(1), h.ask(), h.partial())],
    "#1 in_progress → needs_input, settlement 7b [3,4,5,6]",
    /^A gate is escalated, and a question is open: the task waits for a human\.$/,
  ],
  [
    "a question beside a gate that may have been in the way only",
    [h.created(1, h.gated({})), ...inSession("s-1", h.attempted(1), h.ask(), h.done())],
    "#1 in_progress → needs_input, unverified, settlement 7b [3,4,5,6]",
    /^A gate is escalated, a question is open, or its sessions did not get on, or ended with partial each time: the task waits for a human\.$/,
  ],
  [
    "sessions that did not get on",
    [
      h.created(1),
      { type: "policy.set", actor: "human", payload: { policy: "no_progress", value: 1 } },
      h.started("s-1", 1, { workspace: "a" }),
      h.partial(),
      h.ended("exited", "s-1", { workspace: "a" }),
    ],
    "#1 in_progress → needs_input, settlement 7b [2,4,5]",
    /^Its sessions did not get on, or ended with partial each time: the task waits for a human\.$/,
  ],
  [
    "a blocker",
    [h.created(1), ...inSession("s-1", h.missing("Redis"), h.partial())],
    "#1 in_progress → blocked, settlement 7c [3,4,5]",
  ],
  [
    "a done that a failed run does not bear out",
    [h.created(1, h.gated({})), ...inSession("s-1", h.attempted(1), h.done())],
    "#1 in_progress → pending, unverified, settlement 7d [3,4,5]",
  ],
  [
    "a done before its gate was ever run",
    [h.created(1, h.gated({})), ...inSession("s-1", h.done())],
    "#1 in_progress → pending, unverified, settlement 7d [1,3,4]",
  ],
  [
    "a done whose gate passed in the session before",
    [
      h.created(1, h.gated({})),
      ...inSession("s-1", h.attempted(0), h.partial()),
      ...inSession("s-2", h.done({ session: "s-2" })),
    ],
    "#1 in_progress → pending, unverified, settlement 7d [3,6,7,8]",
  ],
  ["replaced", [...h.planned(1, [1]), ...h.planned(2, [2], 1)], "#1 draft → skipped, plans: replaced [8]"],
  [
    "a cancelled session",
    [h.created(1), h.started(), h.ended("cancelled")],
    "#1 in_progress → pending, cancelled, settlement 7d [3]",
  ],
  [
    "an answer",
    [h.created(1), ...inSession("s-1", h.ask(), h.partial()), h.answered(3)],
    "#1 needs_input → pending, settlement 7d [6]",
  ],
  [
    "blockers that were linked to a task which is done now",
    [
      h.created(1),
      h.created(2),
      ...inSession("s-1", h.blocked("task 2"), h.blocked("#2"), h.partial()),
      h.started("t", 2),
      h.done({ task: 2, session: "t" }),
      h.ended("exited", "t"),
    ],
    "#1 blocked → pending, released, settlement 7d [4,5,10]",
  ],
  ["a proposal", proposed, "#2 null → draft, settlement 9 [3,5]"],
  ["by hand", [h.created(1), h.set(1, "skipped")], "#1 pending → skipped, humans: set a status [2]"],
  [
    "to be accepted",
    [h.created(1, { ...human, ...h.gated({}) }), ...inSession("s-1", h.attempted(0), h.done())],
    "#1 in_progress → needs_input, humans: accept [3,4,5]",
    /^The done is verified; the task waits for a human to accept it/,
  ],
  [
    "what a human is asked about",
    [h.created(1), ...inSession("s-1", h.done(), h.worked(["no_change"]))],
    "#1 in_progress → needs_input, evidence: ask [3,4,5]",
  ],
  [
    "what a done is refused for",
    [h.created(1), ...inSession("s-1", h.done(), h.worked(["gone"]))],
    "#1 in_progress → pending, refused, settlement 7d [3,4,5]",
  ],
  [
    "accepted",
    [h.created(1, human), ...inSession("s-1", h.done()), h.accepted()],
    "#1 needs_input → done, humans: accept [5]",
    /^A human accepted the work/,
  ],
  [
    "sent back",
    [h.created(1, human), ...inSession("s-1", h.done()), h.sentBack("No.")],
    "#1 needs_input → pending, humans: send back [5]",
  ],
  ["approved", [...proposed, h.approved(3)], "#2 draft → pending, humans: approved [6]"],
  ["rejected", [...proposed, h.rejected(3)], "#2 draft → skipped, humans: rejected [6]"],
  [
    "taken back",
    [...proposed, h.rejected(3), h.suggestionReopened(3)],
    "#2 skipped → draft, humans: undo [3,7]",
  ],
  [
    "a gate aborted afterwards",
    [
      h.created(1, h.gated({ max: 1 })),
      ...inSession("s-1", h.attempted(1), h.partial()),
      h.gateActed("abort"),
    ],
    "#1 needs_input → failed, gates: abort [6]",
  ],
  [
    "the last gate let off afterwards",
    [
      h.created(1, h.gated({ max: 1 }, {})),
      ...inSession("s-1", h.attempted(1), h.attempted(0, { gate: 2 }), h.done()),
      h.gateActed("skip"),
    ],
    "#1 needs_input → done, gates: skip [4,5,7]",
  ],
  [
    "taken up again for its merge",
    [
      h.created(1),
      ...inSession("s-1", h.done()),
      { type: "merge.reopened", actor: "human", payload: { task: 1 } },
    ],
    "#1 done → pending, merges: reopen [5]",
  ],
];

/** The rule of a change that is told in words. */
function ruleIn(change: string): string {
  return change.replace(/.*, | \[.*/g, "");
}

describe("a change of a status names its rule and exactly the events that it looked at", () => {
  for (const [what, history, change, sentence] of table)
    test(what, async () => {
      const { because, events } = await (await given(...history)).task(Number(change[1]));
      const [last] = because;
      expect(last && changeInWords(last)).toBe(change);
      expect(last?.means?.sentence).toMatch(sentence ?? SENTENCES[ruleIn(change)] ?? "no sentence");
      expect(events.map(({ position }) => position)).toEqual(
        expect.arrayContaining([...(last?.causes ?? [])]),
      );
    });

  test("for every rule that there is", () => {
    const told = table.map(([, , change]) => ruleIn(change));
    expect(new Set(told)).toEqual(new Set(Object.keys(STATUS_RULES)));
  });
});

describe("of a failure", () => {
  const stucks = ["s-1", "s-2", "s-3", "s-4"].flatMap(stuckIn);

  test("what was counted is counted as it was then, also where the limit had been lowered", async () => {
    const { because, stuck } = await (
      await given(
        h.stuckLimit(5),
        h.created(1),
        ...stucks,
        h.stuckLimit(2),
        ...inSession("s-5", h.partial("Rest.", { session: "s-5" })),
      )
    ).task();
    expect(because[0]).toMatchObject({ rule: "settlement 7a", counted: [4, 7, 10, 13] });
    expect(stuck.sessions.map(({ event }) => event)).toEqual([4, 7, 10, 13]);
  });

  test("nothing is counted that came before the count began anew", async () => {
    const { because } = await (
      await given(
        h.stuckLimit(2),
        h.created(1),
        ...stuckIn("s-1"),
        h.set(1, "pending"),
        ...stuckIn("s-2"),
        ...stuckIn("s-3"),
      )
    ).task();
    expect(because[0]).toMatchObject({ rule: "settlement 7a", counted: [8, 11] });
  });

  test("a session that waited is counted where a policy takes that for stuck", async () => {
    const waits = (id: string) =>
      inSession(id, h.ask({ session: id }), h.partial("The rest.", { session: id }));
    const { because } = await (
      await given(
        ...[h.stuckLimit(2), h.event("policy.set", { policy: "waiting_is_stuck", value: true })],
        ...[h.created(1), ...inSession("s-1", h.done()), ...waits("s-2"), ...waits("s-3")],
      )
    ).task();
    expect(because[0]).toMatchObject({ rule: "settlement 7a", counted: [9, 13] });
  });

  test("what was counted is not what came later", async () => {
    const { because } = await (
      await given(h.stuckLimit(1), h.created(1), ...stuckIn("s-1"), ...stuckIn("s-2"))
    ).task();
    const failures = because.filter(({ rule }) => rule === "settlement 7a");
    expect(failures.map(({ counted }) => counted)).toEqual([[4, 7], [4]]);
  });

  test("what was counted is told beside an aborted gate, and not where the count had not come to its limit", async () => {
    const aborted = (limit: number) =>
      given(
        h.stuckLimit(limit),
        h.created(1, h.gated({ max: 1 })),
        ...inSession("s-1", h.attempted(1), h.gateActed("abort"), h.stuck()),
      );
    expect((await (await aborted(1)).task()).because[0]?.counted).toEqual([6]);
    expect((await (await aborted(2)).task()).because[0]?.counted).toEqual([]);
  });
});

describe("a task that waits still, for something else than at first,", () => {
  const gate = h.gated({ max: 1 });
  test.each([
    [
      "its acceptance, once the gate is let off",
      [
        h.created(1, { ...human, ...gate }),
        ...inSession("s-1", h.done(), h.attempted(1)),
        h.gateActed("skip"),
      ],
      "humans: accept",
      [3, 6],
    ],
    [
      "the other question",
      [h.created(1), ...inSession("s-1", h.ask(), h.ask(), h.partial()), h.answered(3)],
      "settlement 7b",
      [4],
    ],
    [
      "a question, once the gate is let off",
      [h.created(1, gate), ...inSession("s-1", h.attempted(1), h.ask(), h.partial()), h.gateActed("skip")],
      "settlement 7b",
      [4],
    ],
    [
      "the other blocker, once the first resolved by itself",
      [
        h.created(1),
        h.created(2),
        ...inSession("s-1", h.blocked("#2"), h.missing("Redis"), h.partial()),
        h.set(2, "done"),
      ],
      "settlement 7c",
      [5],
    ],
    [
      "a human who set it so again",
      [h.created(1, human), ...inSession("s-1", h.done()), h.set(1, "needs_input")],
      "humans: set a status",
      [5],
    ],
    [
      "a question more, whose answer was taken back",
      [h.created(1), ...inSession("s-1", h.ask(), h.ask(), h.answered(4), h.partial()), h.reopened(4)],
      "settlement 7b",
      [3, 4],
    ],
  ] as const)("says so: %s", async (_what, history, rule, causes) => {
    const { still, events } = await (await given(...history)).task();
    expect(still).toMatchObject({ rule, causes, means: { section: expect.any(String) } });
    expect(events.map(({ position }) => position)).toEqual(expect.arrayContaining([...causes]));
  });

  test.each([
    ["a question", [h.created(1), ...inSession("s-1", h.ask(), h.partial())]],
    ["an escalated gate", [h.created(1, gate), ...inSession("s-1", h.attempted(1), h.done())]],
    ["a blocker", [h.created(1), ...inSession("s-1", h.missing("Redis"), h.partial())]],
    ["an acceptance", [h.created(1, human), ...inSession("s-1", h.done())]],
    ["by hand", [h.created(1), h.set(1, "blocked")]],
    [
      "by hand, with a question that is open since it failed",
      [h.stuckLimit(1), h.created(1), ...inSession("s-1", h.ask(), h.stuck()), h.set(1, "needs_input")],
    ],
    ["nothing", [h.created(1)]],
  ] as const)("and says nothing of it where nothing changed: %s", async (_what, history) => {
    expect((await (await given(...history)).task()).still).toBeNull();
  });
});
