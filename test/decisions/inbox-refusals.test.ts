import { expect, test } from "vitest";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { answerQuestion, dismissItem, resolveBlocker } from "../../src/operations/inbox.ts";
import { acknowledgeFlag } from "../../src/operations/inbox-flags.ts";
import { approveSuggestion, rejectSuggestion } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { coded } from "../support/refusal.ts";
import { BLOCKER, DRAFT, givenProject, type Happens, IDEA, PROPOSAL, QUESTION } from "./given.ts";
import { expectRefused, notFound, type Outcome, type Refused } from "./refused.ts";

const FLAG = 12;
const dismissed = (id: number) => dismissItem({ id });
const undone = (id: number) => undo({ id });
const answered = answerQuestion({ id: QUESTION, answer: "Yes." });
const resolved = resolveBlocker({ id: BLOCKER });
const approved = approveSuggestion({ id: PROPOSAL });
const rejected = rejectSuggestion({ id: PROPOSAL });
const next = startSession({ task: 1, session: "s-2", force: true });
const ofDraft = startSession({ task: DRAFT, session: "s-2", force: true });

/** A flag at position 12, whose session goes on. */
const flagged = (severity: string): readonly Happens[] => [
  next,
  { session: "s-2", task: 1, verb: "flag", args: { what: "Prices are floats", severity, category: "bug" } },
];
const acknowledged = acknowledgeFlag({ id: FLAG });

const deleted = [deleteTask({ task: 2 }), deleteTask({ task: 1 })];
const noDraft = deleteTask({ task: DRAFT });
const wasDeleted = (task: number) =>
  notFound(`Task ${task} was deleted. Run \`signalbox task list\` to see all tasks.`);
const none = (what: string) =>
  notFound(`There is no ${what} 99. Run \`signalbox inbox list\` to see what needs you.`);
const isQuestion = notFound("6 is a question; answer or dismiss it.");
const isBlocker = notFound("7 is a blocker; resolve or dismiss it.");
const isSuggestion = notFound("8 is a suggestion; approve or reject it.");
const already = (what: string, id: number): Outcome => [
  "already_decided",
  `${what}. To undo that, run \`signalbox inbox undo ${id}\`.`,
];
const nothing = (what: string): Outcome => ["nothing_to_do", `${what}; there is nothing to undo.`];
const tooLate = (what: string, session: string, task: number, position: number): Outcome => [
  "too_late",
  `${what} before the start of session ${session} of task ${task} at #${position}; an act can be undone only until the next session starts.`,
];
const noTask: Outcome = [
  "not_possible",
  "Suggestion 9 proposes no task (it is of kind refactor), so there is nothing to decide.",
];
const humansAlone: Outcome = [
  "not_possible",
  "An agent cannot acknowledge a flag or undo that: only a human does that, with `signalbox inbox`.",
];

const refusals: readonly Refused[] = [
  ["an answer to nothing", [], answerQuestion({ id: 99, answer: "x" }), ...none("question")],
  ["an answer to a blocker", [], answerQuestion({ id: BLOCKER, answer: "x" }), ...isBlocker],
  ["an answer to a suggestion", [], answerQuestion({ id: PROPOSAL, answer: "x" }), ...isSuggestion],
  ["a second answer", [answered], answered, ...already("Question 6 is already answered", 6)],
  [
    "an answer to what was dismissed",
    [dismissed(QUESTION)],
    answered,
    ...already("Question 6 is already dismissed", 6),
  ],
  [
    "the dismissal of an answered question",
    [answered],
    dismissed(QUESTION),
    ...already("Question 6 is already answered", 6),
  ],

  ["the resolution of nothing", [], resolveBlocker({ id: 99 }), ...none("blocker")],
  ["the resolution of a question", [], resolveBlocker({ id: QUESTION }), ...isQuestion],
  ["the resolution of a suggestion", [], resolveBlocker({ id: PROPOSAL }), ...isSuggestion],
  ["a second resolution", [resolved], resolved, ...already("Blocker 7 is already resolved", 7)],
  [
    "the resolution of what was dismissed",
    [dismissed(BLOCKER)],
    resolved,
    ...already("Blocker 7 is already dismissed", 7),
  ],
  [
    "the dismissal of a resolved blocker",
    [resolved],
    dismissed(BLOCKER),
    ...already("Blocker 7 is already resolved", 7),
  ],
  ["the dismissal of nothing", [], dismissed(99), ...none("blocker")],
  ["the dismissal of a suggestion", [], dismissed(PROPOSAL), ...isSuggestion],

  ["the approval of nothing", [], approveSuggestion({ id: 99 }), ...none("suggestion")],
  ["the approval of a question", [], approveSuggestion({ id: QUESTION }), ...isQuestion],
  ["the approval of a blocker", [], approveSuggestion({ id: BLOCKER }), ...isBlocker],
  ["the approval of an idea that is no task", [], approveSuggestion({ id: IDEA }), ...noTask],
  ["a second approval", [approved], approved, ...already("Suggestion 8 is already approved", 8)],
  ["the approval of a rejected one", [rejected], approved, ...already("Suggestion 8 is already rejected", 8)],
  ["the rejection of nothing", [], rejectSuggestion({ id: 99 }), ...none("suggestion")],
  ["the rejection of an idea that is no task", [], rejectSuggestion({ id: IDEA }), ...noTask],
  ["a second rejection", [rejected], rejected, ...already("Suggestion 8 is already rejected", 8)],
  [
    "the rejection of a draft that was started by force",
    [ofDraft],
    rejected,
    ...already("Suggestion 8 is already approved", 8),
  ],

  ["the acknowledgement of nothing", [], acknowledgeFlag({ id: 99 }), ...none("flag")],
  ["the acknowledgement of a question", [], acknowledgeFlag({ id: QUESTION }), ...isQuestion],
  [
    "an answer to a flag",
    flagged("blocking"),
    answerQuestion({ id: FLAG, answer: "x" }),
    "not_found",
    "12 is a flag; acknowledge it.",
  ],
  [
    "the acknowledgement of a warning",
    flagged("warning"),
    acknowledged,
    "not_possible",
    "Flag 12 is of severity warning. Only blocking flags are in the inbox, so there is nothing to acknowledge.",
  ],
  [
    "a second acknowledgement",
    [...flagged("blocking"), acknowledged],
    acknowledged,
    ...already("Flag 12 is already acknowledged", FLAG),
  ],
  ["an agent's acknowledgement", flagged("blocking"), { byAgent: acknowledged }, ...humansAlone],
  [
    "an agent's undo of an acknowledgement",
    [...flagged("blocking"), acknowledged],
    { byAgent: undone(FLAG) },
    ...humansAlone,
  ],
  [
    "undoing on a flag that nobody acknowledged",
    flagged("blocking"),
    undone(FLAG),
    ...nothing("Flag 12 is not acknowledged"),
  ],
  [
    "undoing an acknowledgement after the next session started",
    [
      ...flagged("blocking"),
      acknowledged,
      endSession({ session: "s-2", exit: "exited" }),
      startSession({ task: 1, session: "s-3", force: true }),
    ],
    undone(FLAG),
    ...tooLate("Flag 12 was acknowledged", "s-3", 1, 15),
  ],

  ["undoing nothing", [], undone(99), ...none("question, blocker, flag or suggestion")],
  ["undoing on an open question", [], undone(QUESTION), ...nothing("Question 6 is open")],
  ["undoing on an open blocker", [], undone(BLOCKER), ...nothing("Blocker 7 is open")],
  ["undoing on a proposal", [], undone(PROPOSAL), ...nothing("Suggestion 8 is proposed")],
  ["undoing on an idea", [], undone(IDEA), ...nothing("Suggestion 9 is stored")],
  ["undoing twice", [answered, undone(QUESTION)], undone(QUESTION), ...nothing("Question 6 is open")],
  [
    "undoing an answer after the next session started",
    [answered, next],
    undone(QUESTION),
    ...tooLate("Question 6 was answered", "s-2", 1, 12),
  ],
  [
    "undoing a resolution after the next session started",
    [resolved, next],
    undone(BLOCKER),
    ...tooLate("Blocker 7 was resolved", "s-2", 1, 12),
  ],
  [
    "undoing an approval that was acted upon",
    [approved, ofDraft],
    undone(PROPOSAL),
    ...tooLate("Suggestion 8 was approved", "s-2", 3, 12),
  ],
  [
    "undoing what a start by force approved",
    [ofDraft],
    undone(PROPOSAL),
    "too_late",
    "Suggestion 8 was approved by the start of session s-2 of task 3 at #11; an act can be undone only until the next session starts.",
  ],

  ...(
    [
      ["an answer to a question", answered],
      ["the dismissal of a question", dismissed(QUESTION)],
      ["the undo of the dismissal of a question", undone(QUESTION)],
      ["the resolution of a blocker", resolved],
      ["the dismissal of a blocker", dismissed(BLOCKER)],
      ["the undo of the dismissal of a blocker", undone(BLOCKER)],
    ] as const
  ).map(([what, act]): Refused => [`${what} of a task that was deleted`, deleted, act, ...wasDeleted(1)]),
  ["the approval of a draft that was deleted", [noDraft], approved, ...wasDeleted(DRAFT)],
  ["the rejection of a draft that was deleted", [noDraft], rejected, ...wasDeleted(DRAFT)],
  ["the undo of what a deletion decided", [noDraft], undone(PROPOSAL), ...wasDeleted(DRAFT)],
  [
    "the undo of an approval of what was deleted then",
    [approved, noDraft],
    undone(PROPOSAL),
    ...wasDeleted(DRAFT),
  ],
];

test.each(refusals)("%s is refused", async (...refused) => {
  await expectRefused(refused);
});

test.each([
  ["and has the answer in it", true, "and went into the prompt of session s-2 of task 1 at #12."],
  ["without the answer", false, "before the start of session s-2 of task 1 at #12"],
])(
  "the undo of an answer names the prompt of the next session where one was built %s",
  async (_how, hasAnswer, words) => {
    const { store, does, decides } = await givenProject();
    await does(answered, next);
    const positions = hasAnswer ? [QUESTION, 11] : [QUESTION];
    const size = { characters: 40, tokens: 10, cut: 0, sha256: "0".repeat(64) };
    const payload = { session: "s-2", task: 1, positions, ...size };
    await store.log.append([{ type: "prompt.built", actor: "driver", payload }]);
    await catchUp(store.readModel, store.log);
    await expect(decides(undone(QUESTION))).rejects.toMatchObject(coded("too_late", words));
    expect(undoableActs(store.readModel, 9)).toMatchObject([
      { id: QUESTION, read_by: "s-2", in_prompt: hasAnswer },
    ]);
  },
);
