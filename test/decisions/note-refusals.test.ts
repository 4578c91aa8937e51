import { test } from "vitest";
import { sendBackTask } from "../../src/operations/acceptance.ts";
import { addComment, changeComment, deleteComment } from "../../src/operations/comments.ts";
import { addLearning, markLearning, splitLearning } from "../../src/operations/learnings.ts";
import { describeProject } from "../../src/operations/project.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { comment, FIRST, learning } from "./note-cases.ts";
import { expectRefused, noTask9, notFound, type Outcome, type Refused } from "./refused.ts";

const noComment = notFound(
  "There is no comment 99. Run `signalbox comment list 1` to see the comments on task 1.",
);
const elsewhere = notFound("Comment 11 is on task 1, not on task 2.");
const sentBack: Outcome = [
  "not_possible",
  "Comment 15 says why task 4 was sent back, so it cannot be changed. Add another one: `signalbox comment 4 TEXT`.",
];

/** Task 4, sent back with the comment at position 15. */
const afterSendingBack = [
  createTask({ title: "Four", accept: "human" }),
  startSession({ task: 4, session: "s-4" }),
  { session: "s-4", task: 4, verb: "done", args: { summary: "Done." } },
  endSession({ session: "s-4", exit: "exited" }),
  sendBackTask({ task: 4, comment: "Not yet." }),
] as const;

const refusals: readonly Refused[] = [
  [
    "a comment of an unknown discipline",
    [],
    addComment({ task: 1, author: "human", body: "x", discipline: "web" }),
    "not_found",
    'There is no discipline "web". The disciplines are: "general".',
  ],
  [
    "a comment of a misspelt discipline",
    [],
    addComment({ task: 1, author: "human", body: "x", discipline: "genral" }),
    "not_found",
    'There is no discipline "genral". Did you mean "general"? The disciplines are: "general".',
  ],
  ["a change of a comment on no task", [], changeComment({ task: 9, comment: 1, body: "x" }), ...noTask9],
  ["a change of no comment", [], changeComment({ task: 1, comment: 99, body: "x" }), ...noComment],
  [
    "a change of another task's comment",
    [comment],
    changeComment({ task: 2, comment: FIRST, body: "x" }),
    ...elsewhere,
  ],
  [
    "a change of what a task was sent back with",
    afterSendingBack,
    changeComment({ task: 4, comment: 15, body: "x" }),
    ...sentBack,
  ],
  ["a deletion of no comment", [], deleteComment({ task: 1, comment: 99 }), ...noComment],
  [
    "a deletion of another task's comment",
    [comment],
    deleteComment({ task: 2, comment: FIRST }),
    ...elsewhere,
  ],
  [
    "a deletion of what is deleted",
    [comment, deleteComment({ task: 1, comment: FIRST })],
    deleteComment({ task: 1, comment: FIRST }),
    "not_found",
    "There is no comment 11. Run `signalbox comment list 1` to see the comments on task 1.",
  ],
  [
    "a deletion of what a task was sent back with",
    afterSendingBack,
    deleteComment({ task: 4, comment: 15 }),
    ...sentBack,
  ],
  [
    "a project described by nothing",
    [],
    describeProject({ title: undefined }),
    "nothing_to_do",
    "Nothing to change: give a title or a description.",
  ],
  [
    "a learning about no feature",
    [],
    addLearning({ text: "x", source: "human", feature: "web" }),
    "not_found",
    'There is no feature "web". The features are: "general".',
  ],
  ["a learning found in no task", [], addLearning({ text: "x", source: "human", task: 9 }), ...noTask9],
  [
    "a learning pinned that is not there",
    [],
    markLearning({ learning: 9, mark: "pinned" }),
    "not_found",
    "There is no learning 9. Run `signalbox learning list` to see all learnings.",
  ],
  [
    "a learning retired by what was joined with it",
    [learning, learning],
    markLearning({ learning: FIRST + 1, mark: "retired" }),
    "not_found",
    `There is no learning ${FIRST + 1}. That position is part of learning ${FIRST}.`,
  ],
  [
    "a learning released that is as it was",
    [learning],
    markLearning({ learning: FIRST, mark: "none" }),
    "nothing_to_do",
    `Learning ${FIRST} is neither pinned nor retired.`,
  ],
  [
    "a learning pinned twice",
    [learning, markLearning({ learning: FIRST, mark: "pinned" })],
    markLearning({ learning: FIRST, mark: "pinned" }),
    "nothing_to_do",
    `Learning ${FIRST} is pinned already.`,
  ],
  [
    "splitting off what was never said",
    [],
    splitLearning({ source: 9 }),
    "not_found",
    "There is no learning at position 9. Run `signalbox learning show` to see all learnings.",
  ],
  [
    "splitting a learning off itself",
    [learning, learning],
    splitLearning({ source: FIRST }),
    "not_possible",
    `Learning ${FIRST} is the entry itself: name a position that was joined with it.`,
  ],
];

test.each(refusals)("%s is refused, and nothing is recorded", async (...refused) => {
  await expectRefused(refused);
});
