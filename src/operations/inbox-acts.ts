import type { Decision } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkAwaitedSince, checkMergeAt, checkStalledAt } from "../decisions/rules/inbox-items.ts";
import type { State } from "../decisions/state.ts";
import type { GateAction } from "../events/types/gates.ts";
import type { InboxItem } from "../queries/inbox-item.ts";
import { acceptTask, sendBackTask } from "./acceptance.ts";
import {
  actOnGateItem,
  answerQuestion,
  dismissItem,
  releaseHeld,
  resolveBlocker,
  setContestedPending,
} from "./inbox.ts";
import { acknowledgeFlag } from "./inbox-flags.ts";
import { approveItem, rejectItem } from "./inbox-proposals.ts";
import { BY_HAND, queueAgain, reopenForMerge, withdrawMerge } from "./merges.ts";
import { continueTask, splitTask } from "./stalls.ts";
import { setTaskStatus } from "./task-status.ts";

/** An act of a human on an item of the inbox, by one key. */
export interface ItemAct {
  readonly key: string;
  /** Its name in a word or two: `answer`. */
  readonly label: string;
  /** Its effect, for the item's own lines. */
  readonly effect: string;
  /** True if it takes a text, which is asked for first. */
  readonly needsText?: boolean;
  /** True if `signalbox inbox undo` can undo it. */
  readonly undoable?: boolean;
  /** True if it can be done to several items at once, which need no reading one by one. */
  readonly forMany?: boolean;
  /** True if it requires that the whole item was seen: the item must be open. */
  readonly needsOpen?: boolean;
  decision(item: ActedItem & { readonly others?: readonly number[] }, text: string): Decision;
}

/** The facts of an item that its acts need. */
type ActedItem = Pick<InboxItem, "id" | "task">;
/** The same of a task; 0 for a plan. */
type OnTask = ActedItem & { readonly task: number };

/** The acts on an item. */
export function actsOn({ kind }: Pick<InboxItem, "kind">): readonly ItemAct[] {
  return ACTS[kind];
}

/**
 * The decision behind an act on an item, by the act's label; with `others` on all of these items of
 * one kind, or on none. @throws Refusal `not_possible`: there is no such act, or not for several
 */
export function actOnItem({
  act: name,
  text = "",
  others = [],
  ...item
}: Pick<InboxItem, "id" | "kind" | "task"> & {
  readonly act: string;
  readonly text?: string | undefined;
  readonly others?: readonly ActedItem[] | undefined;
}): Decision {
  const acts = actsOn(item);
  const found = acts.find(({ label }) => label === name);
  if (!found) {
    const known = acts.map(({ label }) => label).join(", ") || "none";
    throw new Refusal(
      "not_possible",
      `"${name}" is not an action for this ${item.kind}. Possible actions: ${known}.`,
    );
  }
  if (others.length > 0 && !found.forMany)
    throw new Refusal("not_possible", `"${name}" is for one ${item.kind} at a time.`);
  return onlyWhere(
    (state) => {
      for (const one of [item, ...others]) requireItsTask(one, item.kind, state);
    },
    found.decision({ ...item, ...(others.length > 0 && { others: others.map(({ id }) => id) }) }, text),
  );
}

/** Rejects an id that belongs to another task than the caller saw. @throws Refusal `not_found` */
function requireItsTask({ id, task }: ActedItem, kind: InboxItem["kind"], state: State): void {
  if (kind === "plan" && task === null) return;
  const proposal = state.suggestions.get(id);
  const found = proposal ?? state.questions.get(id) ?? state.blockers.get(id) ?? state.flags.get(id);
  // A proposal belongs to its draft if the task that it was made on was deleted.
  if (!found || found.task_id === task || proposal?.proposed_task === task) return;
  throw new Refusal(
    "not_found",
    `Item ${id} belongs to task ${found.task_id}, not to ${task === null ? "none" : `task ${task}`}.`,
  );
}

/**
 * A decision on exactly what a human has seen. @param check throws a Refusal if that has changed
 */
function onlyWhere(check: (state: State) => void, decision: Decision): Decision {
  return {
    ...decision,
    plan(state) {
      check(state);
      return decision.plan(state);
    },
  };
}

const UNDOABLE = { undoable: true };
const FOR_MANY = { undoable: true, forMany: true };
const DISMISS = act("x", "dismiss", "close without answering", ({ id }) => dismissItem({ id }), UNDOABLE);

const ACTS: Readonly<Record<InboxItem["kind"], readonly ItemAct[]>> = {
  question: [
    act(
      "a",
      "answer",
      "the answer goes into the next prompt",
      ({ id }, answer) => answerQuestion({ id, answer }),
      {
        ...UNDOABLE,
        needsText: true,
      },
    ),
    DISMISS,
  ],
  blocker: [
    act("r", "resolve", "the blocker is gone", ({ id }) => resolveBlocker({ id }), UNDOABLE),
    DISMISS,
  ],
  plan: [
    act("a", "approve", "its drafts and their gates are approved", ({ id }) => approveItem({ id }), {
      ...UNDOABLE,
      needsOpen: true,
    }),
    act("x", "reject", "its drafts are skipped", ({ id }) => rejectItem({ id }), UNDOABLE),
  ],
  proposal: [
    act("a", "approve", "the draft becomes pending; an edit changes its task", ofMany(approveItem), FOR_MANY),
    act("x", "reject", "the draft is skipped; an edit changes nothing", ofMany(rejectItem), FOR_MANY),
  ],
  gate_approval: [
    act("a", "approve", "the gate may run", ({ id }) => approveItem({ id }), {
      ...UNDOABLE,
      needsOpen: true,
    }),
    act("x", "reject", "the gate is skipped and never run", ({ id }) => rejectItem({ id }), UNDOABLE),
  ],
  acceptance: [
    act(
      "a",
      "accept",
      "the task is done",
      ofDone(({ task }) => acceptTask({ task })),
    ),
    act(
      "x",
      "send back",
      "the task becomes pending, with your comment",
      ofDone(({ task }, comment) => sendBackTask({ task, comment })),
      { needsText: true },
    ),
  ],
  gate: [
    onGate("t", "retry", "its attempts restart at 0"),
    onGate("s", "skip", "it counts as passed"),
    onGate("b", "abort", "the task fails"),
  ],
  contest: [
    act("p", "set pending", "the agent is right: the contested task must be done again", ({ id }) =>
      setContestedPending({ id }),
    ),
  ],
  stall: [
    onStall("o", "go on", "the task can start again; your hint goes into its next prompt", ({ task }, hint) =>
      continueTask({ task, hint }),
    ),
    onStall(
      "e",
      "edit",
      "the text becomes its description, and it can start again",
      ({ task }, description) => continueTask({ task, description }),
    ),
    onStall(
      "s",
      "split",
      "each line, or what is between semicolons, becomes a task to be done first",
      splitAt,
    ),
    act("f", "fail", "the task fails", ({ id, task }) =>
      onlyWhere((state) => checkStalledAt(state, task, id), setTaskStatus({ task, status: "failed" })),
    ),
  ],
  setup: [],
  hold: [act("p", "set pending", "the task can start again", ({ id }) => releaseHeld({ id }))],
  merge: [
    onMerge("m", "merge", "queue it; the next driver merges it", queueAgain),
    onMerge("o", "reopen", "the task becomes pending: an agent resolves the merge", reopenForMerge),
    onMerge("x", "withdraw", "it is not merged; the branch stays", ({ task }) =>
      withdrawMerge({ task, reason: BY_HAND }),
    ),
  ],
  flag: [act("a", "acknowledge", "it leaves the inbox", ofMany(acknowledgeFlag), FOR_MANY)],
};

function act(
  key: string,
  label: string,
  effect: string,
  decision: Act,
  flags: Pick<ItemAct, "needsText" | "undoable" | "needsOpen" | "forMany"> = {},
): ItemAct {
  return {
    ...{ key, label, effect },
    decision: (item, text) => decision({ ...item, task: item.task ?? 0 }, text),
    ...flags,
  };
}

type Act = (item: OnTask & { readonly others?: readonly number[] }, text: string) => Decision;

/** One decision on the item and the others that the act was given. */
function ofMany(decision: (items: { readonly id: number; readonly others?: number[] }) => Decision): Act {
  return ({ id, others }) => decision({ id, ...(others && { others: [...others] }) });
}

/** A decision on the item's own done, not on a later one of its task. */
function ofDone(decision: Act): Act {
  return (item, text) => onlyWhere((state) => checkAwaitedSince(state, item.id), decision(item, text));
}

function onGate(key: string, action: GateAction, effect: string): ItemAct {
  return act(key, action, effect, ({ id }) => actOnGateItem({ id, action }));
}

/** A decision with a text, on the row of sessions as shown, not on a later one of the task. */
function onStall(key: string, label: string, effect: string, decision: Act): ItemAct {
  return act(
    key,
    label,
    effect,
    (item, text) => onlyWhere((state) => checkStalledAt(state, item.task, item.id), decision(item, text)),
    { needsText: true },
  );
}

function splitAt({ task }: OnTask, text: string): Decision {
  const parts = text
    .split(/[\n;]/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const [part = "", ...others] = parts;
  return splitTask({ task, part, others });
}

/** A decision on the merge as shown, not on a later one of its task. */
function onMerge(
  key: string,
  label: string,
  effect: string,
  decision: (of: { readonly task: number }) => Decision,
): ItemAct {
  return act(key, label, effect, ({ id, task }) =>
    onlyWhere((state) => checkMergeAt(state, task, id), decision({ task })),
  );
}
