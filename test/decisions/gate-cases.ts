import { decideOnGates, declareGates, recordGateAttempt, reopenGate } from "../../src/operations/gates.ts";
import { actOnGateItem } from "../../src/operations/inbox.ts";
import { approveItem, rejectItem } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { changeTask } from "../../src/operations/tasks.ts";
import type { Case } from "./cases.ts";

export const lint = { command: "npm run lint", max: 2, timeout_s: 60 };
export const build = { command: "npm run build", max: 5, timeout_s: 300 };

/** At positions 11 and 12 an agent declares gates 1 and 2 of task 2, each by an event of its own. */
export const declared = { byAgent: declareGates({ task: 2, gates: [lint, build] }) };
export const DECLARED = 11;
/** The position of the first attempt at the gate of task 1, which escalates it. */
export const ESCALATED = 11;

const approved = (id: number) => approveItem({ id });
const rejected = (id: number) => rejectItem({ id });
const undone = (id: number) => undo({ id });
const first = { task: 2, gate: 1 };

/** What a human decides on what is run. */
export const gateCases: readonly Case[] = [
  {
    what: "a gate for a task that has one",
    asked: declareGates({ task: 1, gates: [lint] }),
    event: { type: "gate.declared", payload: { task: 1, gate: 2, ...lint } },
    others: [declareGates({ task: 1, gates: [build] }), declareGates({ task: 2, gates: [lint] })],
  },
  {
    what: "a gate alone as the change of a task",
    asked: changeTask({ task: 2, title: undefined, gates: [lint] }),
    event: { type: "gate.declared", payload: { task: 2, gate: 1, ...lint } },
    others: [changeTask({ task: 2, gates: [build] })],
  },
  {
    what: "the approval of a gate",
    before: [declared],
    asked: decideOnGates({ ...first, approve: true }),
    event: { type: "gate.approved", payload: first },
    others: [decideOnGates({ task: 2, gate: 2, approve: true })],
  },
  {
    what: "the rejection of a gate",
    before: [declared],
    asked: decideOnGates({ ...first, approve: false }),
    event: { type: "gate.rejected", payload: first },
    others: [decideOnGates({ task: 2, gate: 2, approve: false })],
  },
  {
    what: "the approval of all that wait",
    before: [declared, decideOnGates({ ...first, approve: false })],
    asked: decideOnGates({ task: 2, approve: true }),
    event: { type: "gate.approved", payload: { task: 2, gate: 2 } },
    others: [decideOnGates({ task: 1, approve: true })],
  },
  ...(["approved", "rejected"] as const).map((as) => ({
    what: `the undo of a gate that was ${as}`,
    before: [declared, decideOnGates({ task: 2, approve: as === "approved" })],
    asked: reopenGate(first),
    event: { type: "gate.reopened" as const, payload: first },
    others: [reopenGate({ task: 2, gate: 2 })],
  })),
  {
    what: "the approval of a declaration in the inbox",
    before: [declared],
    asked: approved(DECLARED),
    event: { type: "gate.approved", payload: first },
    others: [approved(DECLARED + 1)],
  },
  {
    what: "the rejection of a declaration in the inbox",
    before: [declared],
    asked: rejected(DECLARED),
    event: { type: "gate.rejected", payload: first },
    others: [rejected(DECLARED + 1)],
  },
  {
    what: "the undo of an approved declaration",
    before: [declared, approved(DECLARED)],
    asked: undone(DECLARED),
    event: { type: "gate.reopened", payload: first },
    others: [undone(DECLARED + 1)],
  },
  ...(["retry", "skip", "abort"] as const).map((action, index, actions) => ({
    what: `an action on a gate by its item: ${action}`,
    before: [recordGateAttempt({ task: 1, gate: 1, exit_code: 1 })],
    asked: actOnGateItem({ id: ESCALATED, action }),
    event: { type: "gate.acted" as const, payload: { task: 1, gate: 1, action } },
    others: [
      actOnGateItem({ id: ESCALATED, action: actions[(index + 1) % 3] ?? "retry" }),
      actOnGateItem({ id: ESCALATED + 1, action }),
    ],
  })),
];
