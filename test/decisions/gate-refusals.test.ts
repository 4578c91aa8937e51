import { expect, test } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import {
  actOnGate,
  decideOnGates,
  declareGates,
  recordGateAttempt,
  reopenGate,
} from "../../src/operations/gates.ts";
import { actOnGateItem, answerQuestion } from "../../src/operations/inbox.ts";
import { approveItem, approveSuggestion } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { build, DECLARED, declared, ESCALATED, lint } from "./gate-cases.ts";
import { BLOCKER, givenProject, PROPOSAL, QUESTION, type Said } from "./given.ts";
import { expectRefused, noTask9, notFound, type Outcome, type Refused } from "./refused.ts";

const first = { task: 2, gate: 1 };
const approve = decideOnGates({ ...first, approve: true });
const approved = (id: number) => approveItem({ id });
const undone = (id: number) => undo({ id });
const started = startSession({ task: 2, session: "s-2", force: true });
const passed = recordGateAttempt({ ...first, exit_code: 0 });
const isDeclaration = notFound(`${DECLARED} is a declaration of gates; approve or reject it.`);
const approvedAlready: Outcome = ["already_decided", "Gate 1 of task 2 is approved already."];
const tooLate = (gate: string, since: string): Outcome => [
  "too_late",
  `${gate} was approved, and it is too late to undo that: ${since}.`,
];
const isDecided: Outcome = [
  "already_decided",
  `The gates declared at ${DECLARED} are already decided. To undo that, run \`signalbox inbox undo ${DECLARED}\`.`,
];
/** Task 4 can be started but for its gates. */
const four = { byAgent: createTask({ title: "Four", gates: [lint, build] }) };
const notStarted = (gates: string): Outcome => [
  "not_ready",
  `Task 4 has ${gates} that an agent declared and no human decided on (\`signalbox gate approve 4\`, or reject). Only a ready task can be started, unless by force.`,
];

const escalates = recordGateAttempt({ task: 1, gate: 1, exit_code: 1 });
const flags: Said = {
  ...{ session: "s-1", task: 1, verb: "flag" },
  args: { what: "Old keys.", severity: "blocking", category: "security" },
};
const retried = (id: number) => actOnGateItem({ id, action: "retry" });

const refusals: readonly Refused[] = [
  ["a gate of no task", [], declareGates({ task: 9, gates: [lint] }), ...noTask9],
  ["no gate at all", [], declareGates({ task: 2, gates: [] }), "nothing_to_do", "No gate was given."],
  ...(["done", "skipped"] as const).map(
    (status): Refused => [
      `a gate of a task that is ${status}`,
      [setTaskStatus({ task: 2, status })],
      declareGates({ task: 2, gates: [lint] }),
      "not_possible",
      `Task 2 is ${status}, so its gates no longer run.`,
    ],
  ),
  [
    "a gate too many",
    [declareGates({ task: 2, gates: Array(99).fill(lint) })],
    declareGates({ task: 2, gates: [lint, lint] }),
    "not_possible",
    "Task 2 has 99 gates; 2 more would exceed the limit of 100.",
  ],

  [
    "the start of a task with gates that wait",
    [four],
    startSession({ task: 4, session: "s-4" }),
    ...notStarted("2 gates"),
  ],
  [
    "the start of a task with one gate that waits",
    [four, decideOnGates({ task: 4, gate: 2, approve: false })],
    startSession({ task: 4, session: "s-4" }),
    ...notStarted("a gate"),
  ],
  [
    "an attempt at a gate that waits",
    [declared],
    passed,
    "not_possible",
    "Gate 1 of task 2 was declared by an agent and does not run until a human approves it: `signalbox gate approve 2 1`.",
  ],
  [
    "an attempt at a gate that was rejected",
    [declared, decideOnGates({ ...first, approve: false })],
    passed,
    "not_possible",
    "Gate 1 of task 2 is skipped and does not run.",
  ],

  ["the approval of gates of no task", [], decideOnGates({ task: 9, approve: true }), ...noTask9],
  ["the approval of no gate", [], approve, "not_found", "Task 2 has no gate 1."],
  [
    "the approval of all gates where none waits",
    [],
    decideOnGates({ task: 1, approve: true }),
    "nothing_to_do",
    "No gate of task 1 is waiting for approval.",
  ],
  [
    "the approval of a human's gate",
    [],
    decideOnGates({ task: 1, gate: 1, approve: true }),
    "nothing_to_do",
    "Gate 1 of task 1 needs no approval: no agent declared it.",
  ],
  ["a second approval of a gate", [declared, approve], approve, ...approvedAlready],
  [
    "the rejection of an approved gate",
    [declared, approve],
    decideOnGates({ ...first, approve: false }),
    ...approvedAlready,
  ],

  [
    "the undo of what nobody decided",
    [declared],
    reopenGate(first),
    "nothing_to_do",
    "Gate 1 of task 2 was neither approved nor rejected; there is nothing to undo.",
  ],
  [
    "the undo of an approval after the next session began",
    [declared, approve, started],
    reopenGate(first),
    ...tooLate("Gate 1 of task 2", "a session of its task has started"),
  ],
  [
    "the undo of an approval after the command was run",
    [declared, approve, passed],
    reopenGate(first),
    ...tooLate("Gate 1 of task 2", "its command has run"),
  ],
  [
    "the undo of an approval after the task was done",
    [declared, approve, setTaskStatus({ task: 2, status: "done" })],
    reopenGate(first),
    ...tooLate("Gate 1 of task 2", "its task is done"),
  ],

  ["a declaration that is decided on", [declared, approve], approved(DECLARED), ...isDecided],
  [
    "a human's gates in the inbox",
    [],
    approved(3),
    "not_found",
    "There is no suggestion 3. Run `signalbox inbox list` to see what needs you.",
  ],
  ["an answer to a declaration", [declared], answerQuestion({ id: DECLARED, answer: "x" }), ...isDeclaration],
  [
    "the approval of a declaration as a suggestion",
    [declared],
    approveSuggestion({ id: DECLARED }),
    ...isDeclaration,
  ],
  [
    "the undo of a declaration that waits",
    [declared],
    undone(DECLARED),
    "nothing_to_do",
    `The gates declared at ${DECLARED} are waiting for approval; there is nothing to undo.`,
  ],
  [
    "the undo of a declaration of which one gate was run",
    [four, decideOnGates({ task: 4, approve: true }), recordGateAttempt({ task: 4, gate: 2, exit_code: 1 })],
    undone(DECLARED),
    ...tooLate("Gate 2 of task 4", "its command has run"),
  ],
];

const onOtherItems: readonly Refused[] = [
  ...(
    [
      [QUESTION, "a question; answer or dismiss it", []],
      [BLOCKER, "a blocker; resolve or dismiss it", []],
      [PROPOSAL, "a suggestion; approve or reject it", []],
      [DECLARED, "a declaration of gates; approve or reject it", [declared]],
      [DECLARED, "a flag; acknowledge it", [flags]],
    ] as const
  ).map(
    ([id, is, before]): Refused => [`to retry ${is}`, before, retried(id), "not_found", `${id} is ${is}.`],
  ),
  [
    "to retry a gate that a human has decided on",
    [escalates, retried(ESCALATED)],
    retried(ESCALATED),
    "not_found",
    `There is no escalated gate ${ESCALATED}. Run \`signalbox inbox list\` to see what needs you.`,
  ],
  [
    "to approve an escalated gate",
    [escalates],
    approved(ESCALATED),
    "not_found",
    `${ESCALATED} is an escalated gate; retry, skip or abort it.`,
  ],
];

test.each([...refusals, ...onOtherItems])("%s is refused", async (...refused) => {
  await expectRefused(refused);
});

const byHumansOnly: readonly (readonly [string, Decision])[] = [
  ["approves a gate", approve],
  ["rejects a gate", decideOnGates({ ...first, approve: false })],
  ["takes a decision on a gate back", reopenGate(first)],
  ["acts on a gate", actOnGate({ task: 1, gate: 1, action: "skip" })],
  ["acts on a gate by its item", actOnGateItem({ id: ESCALATED, action: "skip" })],
  ["approves a declaration", approved(DECLARED)],
  ["takes a decision on a declaration back", undone(DECLARED)],
];

test.each(byHumansOnly)("an agent never %s", async (_, decision) => {
  const { store, does } = await givenProject();
  await does(declared);
  const head = await store.log.head();
  await expect(decide(store, decision, { actor: "agent" })).rejects.toMatchObject({
    code: "not_possible",
    message:
      "An agent cannot decide on a gate: only a human does that. Run `signalbox inbox` to see the gates that are waiting.",
  });
  expect(await store.log.head()).toBe(head);
});

test("gates for a proposal are no agent's to add while no human decided on it", async () => {
  const { store, does } = await givenProject();
  const adding = () => decide(store, changeTask({ task: 3, gates: [lint] }), { actor: "agent" });
  await expect(adding()).rejects.toMatchObject({ code: "not_possible" });
  await does(approveSuggestion({ id: PROPOSAL }));
  expect(await adding()).toMatchObject([{ type: "gate.declared", payload: { task: 3, gate: 1 } }]);
});

test("fields and gates are recorded in one batch, all or none", async () => {
  const { store } = await givenProject();
  const change = changeTask({ task: 2, title: "Dos", gates: [lint, build] });
  const events = await decide(store, change, { actor: "agent" });
  expect(events.map(({ type }) => type)).toEqual(["task.changed", "gate.declared", "gate.declared"]);
  const head = await store.log.head();
  const tooMany = changeTask({ task: 2, title: "Tres", gates: Array(99).fill(lint) });
  await expect(decide(store, tooMany, { actor: "agent" })).rejects.toMatchObject({ code: "not_possible" });
  expect(await store.log.head()).toBe(head);
});
