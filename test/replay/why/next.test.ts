import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import * as h from "../../projections/board/history.ts";
import { given } from "./given.ts";

const running = [h.created(1), h.started()];

/** What a task waits for: a sentence, its command, the events. */
const table: readonly (readonly [
  what: string,
  history: readonly Draft[],
  ...next: readonly (readonly [what: RegExp, command: string | null, events: readonly number[]])[],
])[] = [
  ["a draft", [h.created(1, { status: "draft" })], [/enriched/, "signalbox task set 1 --status pending", []]],
  ["ready", [h.created(2), h.created(1)], [/next in line/, "signalbox session start 1", []]],
  [
    "ready, behind another",
    [h.created(1), h.created(2, { priority: "high" })],
    [
      /1 ready task comes before it, 1 of a higher priority than medium: the next one is task 2 \(high\)\.$/,
      "signalbox session start 1",
      [],
    ],
  ],
  [
    "pending, and not ready",
    [
      h.created(1, { depends_on: [2, 3] }),
      h.created(2),
      h.created(3),
      h.set(3, "done"),
      h.gateDeclared(1, "agent"),
    ],
    [/approves or rejects gate 1/, "signalbox gate approve 1 1", [5]],
    [/^Task 2 is done or skipped; now it is pending\.$/, "signalbox why 2", []],
  ],
  ["in progress, not closed", running, [/would become pending\.$/, null, [2]]],
  [
    "in progress, one stuck from the limit",
    [h.stuckLimit(1), ...running],
    [/without a closing verb the task would become failed, or pending if cancelled\.$/, null, [3]],
  ],
  [
    "in progress, its second session in a row that did not get on",
    [
      h.event("policy.set", { policy: "no_progress", value: 1 }),
      h.created(1),
      h.started("s-1", 1, { workspace: "a" }),
      h.partial(),
    ],
    [/would become pending, or needs_input if its workspace did not change\.$/, null, [4]],
  ],
  [
    "in progress, asked where that is stuck",
    [h.stuckLimit(1), h.event("policy.set", { policy: "waiting_is_stuck", value: true }), ...running].concat([
      h.ask(),
      h.partial(),
    ]),
    [/with partial, the task would become failed\.$/, null, [6]],
  ],
  [
    "in progress, stuck",
    [...running, h.stuck(), h.ask()],
    [/with stuck, the task would become needs_input/, null, [3]],
  ],
  ["in progress, done", [...running, h.done()], [/with done, the task would become done/, null, [3]]],
  [
    "in progress, done and to be accepted",
    [h.created(1, { accept: "human" }), h.started(), h.done()],
    [/would become needs_input/, null, [3]],
  ],
  [
    "in progress, done before its gate",
    [h.created(1, h.gated({})), h.started(), h.done()],
    [/would become pending/, null, [3]],
  ],
  [
    "in progress, blocked by what is done already",
    [h.created(1), h.created(2), h.set(2, "done"), h.started(), h.blocked("task 2"), h.partial()],
    [/would become pending/, null, [6]],
  ],
  [
    "in progress, blocked by what is done already, and by another",
    [
      h.created(1),
      h.created(2),
      h.set(2, "done"),
      h.started(),
      h.blocked("task 2"),
      h.missing("Redis"),
      h.partial(),
    ],
    [/would become blocked/, null, [7]],
  ],
  [
    "in progress by hand",
    [h.created(1), h.set(1, "in_progress")],
    [/It has no open session/, "signalbox task set 1 --status pending", []],
  ],
  [
    "an acceptance",
    [h.created(1, { accept: "human" }), h.started(), h.done(), h.ended()],
    [/accepts the work/, "signalbox inbox accept 1", []],
  ],
  [
    "a question and an escalated gate",
    [h.created(1, h.gated({ max: 1 })), h.started(), h.ask(), h.attempted(1), h.done(), h.ended()],
    [
      /decides on gate 1, which has used all its attempts; if it is skipped, the done may stand/,
      "signalbox gate act 1 1 retry|skip|abort",
      [4],
    ],
    [/^Question 3 is answered/, "signalbox inbox answer 3 TEXT", [3]],
  ],
  [
    "blockers",
    [h.created(1), h.created(2), h.started(), h.blocked("#2"), h.missing("Redis"), h.partial(), h.ended()],
    [/^Task 2 is done or skipped, or a human resolves blocker 4\.$/, "signalbox inbox resolve 4", [4]],
    [/^Blocker 5 is resolved or dismissed/, "signalbox inbox resolve 5", [5]],
  ],
  [
    "needs_input by hand",
    [h.created(1), h.set(1, "needs_input")],
    [/was set by hand, and only a human/, "signalbox task set 1 --status pending", []],
  ],
  [
    "failed",
    [h.created(1), h.set(1, "failed")],
    [/to pending to retry; the stuck count/, "signalbox task set 1 --status pending", []],
  ],
  ["done", [h.created(1), h.set(1, "done")], [/Nothing more/, "signalbox task set 1 --status pending", []]],
];

describe("the reasons for waiting are listed with commands and events", () => {
  for (const [what, history, ...expected] of table) {
    test(what, async () => {
      const { next } = await (await given(...history)).task();
      expect(next).toEqual(
        expected.map(([words, command, events]) => ({ what: expect.stringMatching(words), command, events })),
      );
    });
  }

  test("a draft that an agent proposed", async () => {
    const board = await given(...running, h.suggest("Tidy"), h.partial(), h.ended());
    expect((await board.task(2)).next).toEqual([
      {
        what: expect.stringMatching(/approves or rejects the agent's proposal/),
        command: "signalbox inbox approve 3",
        events: [3],
      },
    ]);
  });
});

const gateStarted: Draft = {
  type: "gate.started",
  payload: {
    task: 1,
    gate: 1,
    session: "s-1",
    command: "npm test",
    baseline: false,
    runner: { host: "build-1", pid: 1, mark: "0190a6c2-7a34-7c1e-8d52-3f9b6f0a4e11" },
  },
  actor: "driver",
};

test("each gate has its declaration, its runs and the acts on it, and none of another gate", async () => {
  const { gates, events } = await (
    await given(
      h.created(1, h.gated({ max: 1 }, { command: "lint" })),
      h.started(),
      h.attempted(1),
      h.attempted(0, { gate: 2 }),
      h.gateActed("retry"),
      // A run tells of itself when it has ended.
      gateStarted,
    )
  ).task();
  expect(gates).toEqual([
    {
      gate: 1,
      command: "npm test",
      state: "pending",
      approval: "unneeded",
      attempts: 0,
      max_attempts: 1,
      events: [1, 3, 5],
    },
    {
      gate: 2,
      command: "lint",
      state: "passed",
      approval: "unneeded",
      attempts: 0,
      max_attempts: 5,
      events: [1, 4],
    },
  ]);
  expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
});

test("each dependency has its declaration, its blockers, and the events behind the other task's status", async () => {
  const { dependencies } = await (
    await given(
      h.created(1, { depends_on: [2] }),
      h.created(2),
      h.created(3),
      h.set(2, "done"),
      h.started(),
      h.blocked("#3"),
      h.partial(),
      h.ended(),
    )
  ).task();
  expect(dependencies).toEqual([
    { task: 2, status: "done", open: false, declared: true, events: [1, 4] },
    { task: 3, status: "pending", open: true, declared: false, events: [3, 6] },
  ]);
});
