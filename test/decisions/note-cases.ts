import { addComment, changeComment, deleteComment } from "../../src/operations/comments.ts";
import { addLearning, markLearning, splitLearning } from "../../src/operations/learnings.ts";
import { noteProgress } from "../../src/operations/progress.ts";
import { describeProject } from "../../src/operations/project.ts";
import type { Case } from "./cases.ts";

/** The position of a comment, or a learning, that is the first thing after what the project begins with. */
export const FIRST = 11;
export const learning = addLearning({ text: "Times are in UTC.", source: "human" });
export const comment = addComment({ task: 1, author: "human", body: "Nice." });

/** Decisions on comments, on what the project says of itself, on notes and learnings. */
export const noteCases: readonly Case[] = [
  {
    what: "a comment with all there is to say",
    asked: addComment({ task: 1, author: "Ada", body: "Now.", discipline: "general", priority: "high" }),
    event: {
      type: "comment.added",
      payload: { task: 1, author: "Ada", body: "Now.", discipline: "general", priority: "high" },
    },
    others: [
      addComment({ task: 1, author: "Ada", body: "Now.", discipline: "general", priority: "low" }),
      addComment({ task: 1, author: "Ada", body: "Now.", priority: "high" }),
    ],
  },
  {
    what: "a comment without what may be absent",
    asked: addComment({ task: 1, author: "Ada", body: "Now.", discipline: undefined, priority: undefined }),
    event: { type: "comment.added", payload: { task: 1, author: "Ada", body: "Now." } },
    others: [addComment({ task: 1, author: "Bob", body: "Now." })],
  },
  {
    what: "a comment changed",
    before: [comment],
    asked: changeComment({ task: 1, comment: FIRST, body: "Well." }),
    event: { type: "comment.changed", payload: { task: 1, comment: FIRST, body: "Well." } },
    others: [changeComment({ task: 1, comment: FIRST, body: "No." })],
  },
  {
    what: "a comment deleted",
    before: [comment],
    asked: deleteComment({ task: 1, comment: FIRST }),
    event: { type: "comment.deleted", payload: { task: 1, comment: FIRST } },
    others: [deleteComment({ task: 1, comment: 3 })],
  },
  {
    what: "a project described",
    asked: describeProject({ title: "Invoices", description: "Bills." }),
    event: { type: "project.described", payload: { title: "Invoices", description: "Bills." } },
    others: [describeProject({ title: "Invoices" })],
  },
  {
    what: "a project's description taken away",
    asked: describeProject({ title: undefined, description: "" }),
    event: { type: "project.described", payload: { description: "" } },
    others: [describeProject({ description: "Bills." })],
  },
  {
    what: "progress noted",
    asked: noteProgress({ text: "Half." }),
    event: { type: "progress.noted", payload: { text: "Half." } },
    others: [noteProgress({ text: "All." })],
  },
  {
    what: "a learning with its text and source alone",
    asked: addLearning({ text: "UTC.", source: "agent", feature: undefined, task: undefined }),
    event: { type: "learning.added", payload: { text: "UTC.", source: "agent", kind: "discovery" } },
    others: [
      addLearning({ text: "UTC.", source: "human" }),
      addLearning({ text: "UTC.", source: "agent", kind: "decision" }),
    ],
  },
  {
    what: "a learning with all there is to say",
    asked: addLearning({
      text: "UTC.",
      source: "human",
      feature: "general",
      kind: "convention",
      reason: "Mail.",
      task: 1,
    }),
    event: {
      type: "learning.added",
      payload: {
        text: "UTC.",
        source: "human",
        feature: "general",
        kind: "convention",
        reason: "Mail.",
        task: 1,
      },
    },
    others: [addLearning({ text: "UTC.", source: "human", feature: "general", kind: "convention" })],
  },
  {
    what: "a learning pinned",
    before: [learning],
    asked: markLearning({ learning: FIRST, mark: "pinned" }),
    event: { type: "learning.marked", payload: { learning: FIRST, mark: "pinned" } },
    others: [markLearning({ learning: FIRST, mark: "retired" })],
  },
  {
    what: "a learning retired, with the reason",
    before: [learning],
    asked: markLearning({ learning: FIRST, mark: "retired", reason: "Mail is local." }),
    event: {
      type: "learning.marked",
      payload: { learning: FIRST, mark: "retired", reason: "Mail is local." },
    },
    others: [markLearning({ learning: FIRST, mark: "retired" })],
  },
  {
    what: "what was joined with a learning, split off",
    before: [learning, learning],
    asked: splitLearning({ source: FIRST + 1 }),
    event: { type: "learning.split", payload: { learning: FIRST, source: FIRST + 1 } },
    others: [splitLearning({ source: FIRST })],
  },
];
