import type { Decision } from "../../decisions/decide.ts";
import { actOnGate } from "../../decisions/gates.ts";
import {
  answerQuestion,
  approveSuggestion,
  dismissItem,
  rejectSuggestion,
  resolveBlocker,
} from "../../decisions/inbox.ts";
import type { State } from "../../decisions/state.ts";
import { acceptTask, sendBackTask } from "../../decisions/tasks.ts";
import type { GateAction } from "../../events/types/gates.ts";
import type { InboxItem } from "../../projections/queries/inbox.ts";

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
  plan(item: InboxItem, text: string): (state: State) => Decision;
}

/** What can be done with an item; empty for what is only shown. */
export function actsOn({ kind }: InboxItem): readonly ItemAct[] {
  return ACTS[kind];
}

/** Why an item has no acts. */
export function whyNoAct(item: InboxItem): string {
  return item.kind === "contest"
    ? `A contest is only shown: look at task ${item.other_task}, and set it pending if the agent is right.`
    : `A flag is only shown: it goes when the next session of task ${item.task} starts.`;
}

function act(
  key: string,
  label: string,
  effect: string,
  plan: ItemAct["plan"],
  { needsText = false, undoable = false }: { needsText?: boolean; undoable?: boolean } = {},
): ItemAct {
  return { key, label, effect, plan, needsText, undoable };
}

const dismiss = act(
  "x",
  "dismiss",
  "it does not matter",
  ({ id }) =>
    (state) =>
      dismissItem({ id }, state),
  {
    undoable: true,
  },
);

const onGate = (key: string, action: GateAction, effect: string) =>
  act(
    key,
    action,
    effect,
    ({ task, gate }) =>
      () =>
        actOnGate({ task, gate: gate ?? 0, action }),
  );

const ACTS: Readonly<Record<InboxItem["kind"], readonly ItemAct[]>> = {
  question: [
    act(
      "a",
      "answer",
      "it goes into the next prompt",
      ({ id }, answer) =>
        () =>
          answerQuestion({ id, answer }),
      { needsText: true, undoable: true },
    ),
    dismiss,
  ],
  blocker: [
    act(
      "r",
      "resolve",
      "it is out of the way",
      ({ id }) =>
        () =>
          resolveBlocker({ id }),
      {
        undoable: true,
      },
    ),
    dismiss,
  ],
  proposal: [
    act(
      "a",
      "approve",
      "the draft is pending",
      ({ id }) =>
        () =>
          approveSuggestion({ id }),
      {
        undoable: true,
      },
    ),
    act(
      "x",
      "reject",
      "the draft is skipped",
      ({ id }) =>
        () =>
          rejectSuggestion({ id }),
      {
        undoable: true,
      },
    ),
  ],
  acceptance: [
    act(
      "a",
      "accept",
      "the task is done",
      ({ task }) =>
        () =>
          acceptTask({ task }),
    ),
    act(
      "x",
      "send back",
      "the task is pending, with your comment",
      ({ task }, comment) =>
        () =>
          sendBackTask({ task, comment }),
      { needsText: true },
    ),
  ],
  gate: [
    onGate("t", "retry", "its attempts begin anew"),
    onGate("s", "skip", "it counts as passed"),
    onGate("b", "abort", "the task fails"),
  ],
  contest: [],
  flag: [],
};
