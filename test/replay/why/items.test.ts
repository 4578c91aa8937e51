import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import * as h from "../../projections/board/history.ts";
import { changeInWords, given, stepsInWords } from "./given.ts";

const one = [h.created(1)];
const two = [h.created(1), h.created(2)];
const otherDone = [h.started("t", 2), h.done({ task: 2, session: "t" }), h.ended("exited", "t")];

type Case = readonly [what: string, history: readonly Draft[], id: number, stateAndSteps: string];

const questions: readonly Case[] = [
  [
    "of a task that had been done before, and is again",
    [...one, h.set(1, "done"), ...h.inSession(h.ask(), h.partial()), h.set(1, "done")],
    4,
    "informational: done [7], opened [5,6], raised [4]",
  ],
  [
    "of a task whose done a human is to accept",
    [
      h.created(1, { accept: "human" }),
      ...h.inSession(h.ask(), h.partial()),
      h.started("s-2"),
      h.done({ session: "s-2" }),
      h.ended("exited", "s-2"),
    ],
    3,
    "informational: done [8], opened [4,5], raised [3]",
  ],
  ["raised", [...one, h.started(), h.ask()], 3, "raised: raised [3]"],
  ["open", [...one, ...h.inSession(h.ask(), h.partial())], 3, "open: opened [4,5], raised [3]"],
  [
    "open after a session that said nothing",
    [...one, ...h.inSession(h.ask())],
    3,
    "open: opened [4], inferred [4], raised [3]",
  ],
  ["late", [...one, ...h.inSession(h.partial()), h.ask()], 5, "informational: late [5]"],
  [
    "an aside",
    [...one, ...h.inSession(h.aside(), h.partial())],
    3,
    "informational: informational [5], raised [3]",
  ],
  ["after a done", [...one, ...h.inSession(h.ask(), h.done())], 3, "informational: done [4,5], raised [3]"],
  [
    "after a done that was not verified",
    [h.created(1, h.gated({})), ...h.inSession(h.ask(), h.done())],
    3,
    "open: opened [4,5], unverified [4,5], raised [3]",
  ],
  [
    "open, and then done by hand",
    [...one, ...h.inSession(h.ask(), h.partial()), h.set(1, "done")],
    3,
    "informational: done [6], opened [4,5], raised [3]",
  ],
  [
    "open, and then taken back to pending by hand",
    [...one, ...h.inSession(h.ask(), h.partial()), h.set(1, "pending")],
    3,
    "dismissed: byHand [6], opened [4,5], raised [3]",
  ],
  [
    "answered",
    [...one, ...h.inSession(h.ask(), h.partial()), h.answered(3)],
    3,
    "answered: acted [6], opened [4,5], raised [3]",
  ],
  [
    "answered during its session",
    [...one, ...h.inSession(h.ask(), h.answered(3), h.partial())],
    3,
    "answered: acted [4], raised [3]",
  ],
  [
    "answered, and the task done afterwards",
    [...one, ...h.inSession(h.ask(), h.partial()), h.answered(3), h.set(1, "done")],
    3,
    "answered: acted [6], opened [4,5], raised [3]",
  ],
  [
    "taken back",
    [...one, ...h.inSession(h.ask(), h.partial()), h.answered(3), h.reopened(3)],
    3,
    "open: undone [7], acted [6], opened [4,5], raised [3]",
  ],
];

const blockers: readonly Case[] = [
  [
    "released by a task that had been done before",
    [
      ...two,
      h.set(2, "done"),
      h.set(2, "pending"),
      ...h.inSession(h.blocked("#2"), h.partial()),
      h.set(2, "done"),
    ],
    6,
    "resolved: released [9], linked [6,8], opened [7,8], raised [6]",
  ],
  [
    "external",
    [...one, ...h.inSession(h.missing("Redis"), h.partial())],
    3,
    "open: opened [4,5], raised [3]",
  ],
  [
    "linked",
    [...two, ...h.inSession(h.blocked("#2"), h.partial())],
    4,
    "open: linked [4,6], opened [5,6], raised [4]",
  ],
  [
    "released",
    [...two, ...h.inSession(h.blocked("#2"), h.partial()), ...otherDone],
    4,
    "resolved: released [9], linked [4,6], opened [5,6], raised [4]",
  ],
  [
    "contested",
    [...two, h.set(2, "done"), ...h.inSession(h.blocked("#2"), h.partial())],
    5,
    "resolved: contested [5,7], raised [5]",
  ],
  [
    "of a task that is not there",
    [...one, ...h.inSession(h.blocked("#7"), h.partial())],
    3,
    "open: unnamed [3,5], opened [4,5], raised [3]",
  ],
  [
    "that would close a circle",
    [h.created(1), h.created(2, { depends_on: [1] }), ...h.inSession(h.blocked("#2"), h.partial())],
    4,
    "open: circle [4,6], opened [5,6], raised [4]",
  ],
  [
    "contested when a resolution of its session's course was taken back",
    [
      ...two,
      ...h.inSession(h.blocked("#2"), h.blockerResolved(4), h.partial()),
      h.set(2, "done"),
      h.blockerReopened(4),
    ],
    4,
    "resolved: contested [4,9], undone [9], opened [6,7], acted [5], raised [4]",
  ],
];

const suggestions: readonly Case[] = [
  ["late", [...one, ...h.inSession(h.partial()), h.suggest("Tidy")], 5, "stored: late [5]"],
  [
    "of another kind",
    [...one, ...h.inSession(h.suggest("Split", { kind: "split" }), h.partial())],
    3,
    "stored: stored [3]",
  ],
  [
    "proposed",
    [...one, ...h.inSession(h.suggest("Tidy"), h.partial())],
    3,
    "proposed: proposed [5], raised [3]",
  ],
  [
    "decided by hand",
    [...one, ...h.inSession(h.suggest("Tidy"), h.partial()), h.set(2, "done")],
    3,
    "approved: byHand [6], proposed [5], raised [3]",
  ],
  ["of a plan", h.planned(1, [1, 2]), 3, "proposed: planned [3,5]"],
  [
    "of a plan, approved and undone",
    [...h.planned(1, [1, 2]), h.planDecided("approved", [1, 2]), h.planDecided("reopened", [1, 2])],
    4,
    "proposed: undone [7], acted [6], planned [4,5]",
  ],
  [
    "of a plan, where the other draft is decided",
    [...h.planned(1, [1, 2]), h.planDecided("approved", [1])],
    4,
    "proposed: planned [4,5]",
  ],
  [
    "of a plan that another replaced",
    [...h.planned(1, [1]), ...h.planned(2, [2], 1)],
    3,
    "rejected: replaced [8], planned [3,4]",
  ],
];

for (const [kind, cases] of Object.entries({
  question: questions,
  blocker: blockers,
  suggestion: suggestions,
}) as ["question" | "blocker" | "suggestion", readonly Case[]][]) {
  describe(`a ${kind} names the rules that made it what it is, and exactly the events that they looked at`, () => {
    for (const [what, history, id, stateAndSteps] of cases) {
      test(what, async () => {
        const reasons = await (await given(...history)).item(kind, id);
        expect(`${reasons.state}: ${stepsInWords(reasons)}`).toBe(stateAndSteps);
      });
    }
  });
}

describe("what something moved", () => {
  test("by an act on the whole task is among its changes", async () => {
    const reasons = await (
      await given(...one, ...h.inSession(h.suggest("Tidy"), h.partial()), h.set(2, "done"))
    ).item("suggestion", 3);
    expect(reasons.moved.map(changeInWords)).toEqual([
      "#2 draft → done, humans: set a status [6]",
      "#2 null → draft, settlement 9 [3,5]",
    ]);
  });

  test("by resolving itself is among its changes", async () => {
    const board = await given(...two, ...h.inSession(h.blocked("#2"), h.partial()), ...otherDone);
    const moved = [
      "#1 blocked → pending, released, settlement 7d [4,9]",
      "#1 in_progress → blocked, settlement 7c [4,5,6]",
    ];
    expect((await board.item("blocker", 4)).moved.map(changeInWords)).toEqual(moved);
    const [released = ""] = moved;
    expect((await board.session("t")).moved.map(changeInWords)).toContain(released);
  });
});

describe("a session names the rules of its outcome, and exactly the events that they looked at", () => {
  const gated = h.created(1, h.gated({}));
  const cases: readonly (readonly [what: string, history: readonly Draft[], steps: string])[] = [
    ["open", [...one, h.started()], "started [2]"],
    ["implicit", [...one, h.aside()], "implicit [2]"],
    ["closed", [...one, ...h.inSession(h.partial(), h.stuck())], "settled [5], closing [3,4], started [2]"],
    ["inferred", [...one, ...h.inSession()], "inferred [3], started [2]"],
    ["cancelled", [...one, h.started(), h.ended("cancelled")], "cancelled [3], started [2]"],
    [
      "of no task",
      h.planned(1, [1]).map((one) => JSON.parse(JSON.stringify(one).replaceAll("p-1", "s-1"))),
      "withoutTask [4], started [1]",
    ],
    [
      "late",
      [...one, ...h.inSession(h.partial()), h.stuck(), h.ask()],
      "late [5,6], settled [4], closing [3], started [2]",
    ],
    [
      "unverified",
      [gated, ...h.inSession(h.attempted(1), h.done())],
      "unverified [3,5], closing [4], started [2]",
    ],
    [
      "unverified, and failed by a limit that was lowered",
      [
        gated,
        h.started("s-0"),
        h.ended("exited", "s-0"),
        h.stuckLimit(1),
        ...h.inSession(h.attempted(1), h.done()),
      ],
      "unverified [6,8], closing [7], started [5]",
    ],
    [
      "verified",
      [gated, ...h.inSession(h.attempted(0), h.done())],
      "settled [5], verified [3], closing [4], started [2]",
    ],
  ];
  for (const [what, history, steps] of cases) {
    test(what, async () => {
      expect(stepsInWords(await (await given(...history)).session())).toBe(steps);
    });
  }

  test("and what it moved: its task, and the drafts that it proposed", async () => {
    const { moved } = await (await given(...one, ...h.inSession(h.suggest("Tidy"), h.partial()))).session();
    expect(moved.map(changeInWords)).toEqual([
      "#2 null → draft, settlement 9 [3,5]",
      "#1 in_progress → pending, settlement 7d [4,5]",
      "#1 pending → in_progress, sessions: start [2]",
    ]);
  });
});
