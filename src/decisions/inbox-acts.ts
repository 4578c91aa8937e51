import type { GateAction } from "../events/types/gates.ts";
import type { InboxItem } from "../projections/queries/inbox-item.ts";
import type { Decision } from "./decide.ts";
import {
  actOnGateItem,
  answerQuestion,
  approveItem,
  approveSuggestion,
  dismissItem,
  rejectItem,
  rejectSuggestion,
  releaseHeld,
  resolveBlocker,
  setContestedPending,
} from "./inbox.ts";
import { checkAwaitedSince, checkMergeAt } from "./inbox-items.ts";
import { queueAgain, reopenForMerge, withdrawMerge } from "./merges.ts";
import type { State } from "./state.ts";
import { acceptTask, sendBackTask } from "./tasks.ts";

/** Something that a human can do with an item of the inbox, by one key. */
export interface ItemAct {
  readonly key: string;
  /** What it does, in a word or two: `answer`. */
  readonly label: string;
  /** What follows from it, for the item's own lines. */
  readonly effect: string;
  /** True where a text goes with it, which is asked for first. */
  readonly needsText: boolean;
  /** True where `signalbox inbox undo` takes it back. */
  readonly undoable: boolean;
  /** True where nobody should do it who has not seen the whole item: it must be open. */
  readonly needsOpen?: boolean;
  plan(item: ActedItem, text: string): (state: State) => Decision;
}

/** What an act has to know of its item. */
type ActedItem = Pick<InboxItem, "id" | "task">;

/** What can be done with an item; empty for what is only shown. */
export function actsOn({ kind }: Pick<InboxItem, "kind">): readonly ItemAct[] {
  return ACTS[kind];
}

/** Why an item has no acts. */
export function whyNoAct({ kind, task }: InboxItem): string {
  return `A ${kind} is only shown: it goes when the next session of task ${task} starts.`;
}

const PLAIN = { needsText: false, undoable: false } as const;
const UNDOABLE = { ...PLAIN, undoable: true } as const;

const answer: ItemAct = {
  ...UNDOABLE,
  key: "a",
  label: "answer",
  effect: "it goes into the next prompt",
  needsText: true,
  plan: ({ id }, text) => {
    return () => answerQuestion({ id, answer: text });
  },
};

const resolve: ItemAct = {
  ...UNDOABLE,
  key: "r",
  label: "resolve",
  effect: "it is out of the way",
  plan: ({ id }) => {
    return () => resolveBlocker({ id });
  },
};

const dismiss: ItemAct = {
  ...UNDOABLE,
  key: "x",
  label: "dismiss",
  effect: "it does not matter",
  plan: ({ id }) => {
    return (state) => dismissItem({ id }, state);
  },
};

const approve: ItemAct = {
  ...UNDOABLE,
  key: "a",
  label: "approve",
  effect: "the draft is pending",
  plan: ({ id }) => {
    return () => approveSuggestion({ id });
  },
};

const reject: ItemAct = {
  ...UNDOABLE,
  key: "x",
  label: "reject",
  effect: "the draft is skipped",
  plan: ({ id }) => {
    return () => rejectSuggestion({ id });
  },
};

const approveGates: ItemAct = {
  ...UNDOABLE,
  key: "a",
  label: "approve",
  effect: "it can be run",
  needsOpen: true,
  plan: ({ id }) => {
    return (state) => approveItem({ id }, state);
  },
};

const rejectGates: ItemAct = {
  ...UNDOABLE,
  key: "x",
  label: "reject",
  effect: "it is never run, and counts as skipped",
  plan: ({ id }) => {
    return (state) => rejectItem({ id }, state);
  },
};

const accept: ItemAct = {
  ...PLAIN,
  key: "a",
  label: "accept",
  effect: "the task is done",
  plan: ({ id, task }) => {
    return () => ofDone(id, acceptTask({ task }));
  },
};

const sendBack: ItemAct = {
  ...PLAIN,
  key: "x",
  label: "send back",
  effect: "the task is pending, with your comment",
  needsText: true,
  plan: ({ id, task }, comment) => {
    return () => ofDone(id, sendBackTask({ task, comment }));
  },
};

/** A decision on the done that a human has seen, and on no later one of the same task. */
function ofDone(id: number, decision: Decision): Decision {
  return {
    ...decision,
    plan(state) {
      checkAwaitedSince(state, id);
      return decision.plan(state);
    },
  };
}

const setPending: ItemAct = {
  ...PLAIN,
  key: "p",
  label: "set pending",
  effect: "the agent is right: the contested task is to be done again",
  plan: ({ id }) => {
    return () => setContestedPending({ id });
  },
};

const startAgain: ItemAct = {
  ...PLAIN,
  key: "p",
  label: "set pending",
  effect: "the task can be started again",
  plan: ({ id }) => {
    return () => releaseHeld({ id });
  },
};

function onGate(key: string, action: GateAction, effect: string): ItemAct {
  return {
    ...PLAIN,
    key,
    label: action,
    effect,
    plan: ({ id }) => {
      return () => actOnGateItem({ id, action });
    },
  };
}

/** A decision on the merge that a human has seen, and on no later one of the same task. */
function onMerge(
  key: string,
  label: string,
  effect: string,
  decision: (of: { readonly task: number }) => Decision,
): ItemAct {
  return {
    ...PLAIN,
    key,
    label,
    effect,
    plan: ({ id, task }) => {
      return () => {
        const decided = decision({ task });
        return {
          ...decided,
          plan(state) {
            checkMergeAt(state, task, id);
            return decided.plan(state);
          },
        };
      };
    },
  };
}

const ACTS: Readonly<Record<InboxItem["kind"], readonly ItemAct[]>> = {
  question: [answer, dismiss],
  blocker: [resolve, dismiss],
  proposal: [approve, reject],
  gate_approval: [approveGates, rejectGates],
  acceptance: [accept, sendBack],
  gate: [
    onGate("t", "retry", "its attempts begin anew"),
    onGate("s", "skip", "it counts as passed"),
    onGate("b", "abort", "the task fails"),
  ],
  contest: [setPending],
  hold: [startAgain],
  merge: [
    onMerge("m", "merge", "it is queued, and merged by the next driver", queueAgain),
    onMerge("o", "reopen", "the task is pending: an agent brings it together with the base", reopenForMerge),
    onMerge("x", "withdraw", "it is not merged; the branch stays", ({ task }) =>
      withdrawMerge({ task, reason: "a human withdrew it" }),
    ),
  ],
  flag: [],
};
