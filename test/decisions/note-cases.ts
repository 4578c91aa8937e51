import { addComment, changeComment, deleteComment } from "../../src/operations/comments.ts";
import { addLearning, markLearning, splitLearning } from "../../src/operations/learnings.ts";
import { noteProgress } from "../../src/operations/progress.ts";
import { describeProject } from "../../src/operations/project.ts";
import { type Case, kept } from "./cases.ts";

/** The position of a comment, or a learning, that is the first thing after what the project begins with. */
export const FIRST = 11;
export const learning = addLearning({ text: "Times are in UTC.", source: "human" });
export const comment = addComment({ task: 1, author: "human", body: "Nice." });

/** Decisions on comments, on what the project says of itself, on notes and learnings. */
export const noteCases: readonly Case[] = [
  kept(
    "a comment with all there is to say",
    "comment.added",
    addComment,
    { task: 1, author: "Ada", body: "Now.", discipline: "general", priority: "high" },
    [
      { task: 1, author: "Ada", body: "Now.", discipline: "general", priority: "low" },
      { task: 1, author: "Ada", body: "Now.", priority: "high" },
    ],
  ),
  {
    what: "a comment without what may be absent",
    asked: addComment({ task: 1, author: "Ada", body: "Now.", discipline: undefined, priority: undefined }),
    event: { type: "comment.added", payload: { task: 1, author: "Ada", body: "Now." } },
    others: [
      addComment({ task: 1, author: "Bob", body: "Now." }),
      addComment({ task: 2, author: "Ada", body: "Now." }),
      addComment({ task: 1, author: "Ada", body: "Well." }),
    ],
  },
  kept(
    "a comment changed",
    "comment.changed",
    changeComment,
    { task: 1, comment: FIRST, body: "Well." },
    [{ task: 1, comment: FIRST, body: "No." }],
    [comment],
  ),
  kept(
    "a comment deleted",
    "comment.deleted",
    deleteComment,
    { task: 1, comment: FIRST },
    [{ task: 1, comment: 3 }],
    [comment],
  ),
  kept(
    "a project described",
    "project.described",
    describeProject,
    { title: "Invoices", description: "Bills." },
    [{ title: "Invoices" }],
  ),
  {
    what: "a project's description taken away",
    asked: describeProject({ title: undefined, description: "" }),
    event: { type: "project.described", payload: { description: "" } },
    others: [describeProject({ description: "Bills." })],
  },
  kept("progress noted", "progress.noted", noteProgress, { text: "Half." }, [{ text: "All." }]),
  {
    what: "a learning with its text and source alone",
    asked: addLearning({
      text: "UTC.",
      source: "agent",
      feature: undefined,
      reason: undefined,
      task: undefined,
    }),
    event: { type: "learning.added", payload: { text: "UTC.", source: "agent", kind: "discovery" } },
    others: [
      addLearning({ text: "UTC.", source: "human" }),
      addLearning({ text: "UTC.", source: "agent", kind: "decision" }),
    ],
  },
  kept(
    "a learning with all there is to say",
    "learning.added",
    addLearning,
    { text: "UTC.", source: "human", feature: "general", kind: "convention", reason: "Mail.", task: 1 },
    [{ text: "UTC.", source: "human", feature: "general", kind: "convention" }],
  ),
  kept(
    "a learning pinned",
    "learning.marked",
    markLearning,
    { learning: FIRST, mark: "pinned" },
    [{ learning: FIRST, mark: "retired" }],
    [learning],
  ),
  kept(
    "a learning retired, with the reason",
    "learning.marked",
    markLearning,
    { learning: FIRST, mark: "retired", reason: "Mail is local." },
    [{ learning: FIRST, mark: "retired" }],
    [learning],
  ),
  {
    what: "what was joined with a learning, split off",
    before: [learning, learning],
    asked: splitLearning({ source: FIRST + 1 }),
    event: { type: "learning.split", payload: { learning: FIRST, source: FIRST + 1 } },
    others: [splitLearning({ source: FIRST })],
  },
];
