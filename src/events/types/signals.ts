import { z } from "zod";
import { oneLine } from "../../lib/visible.ts";
import { defineSignal, paragraphs } from "./define-signal.ts";
import { text } from "./fields.ts";
import { learningKinds, learningScopes } from "./learning-words.ts";

/**
 * The eight verbs (docs/rules.md, The eight verbs). Each definition below gives the event type
 * `signal.<verb>`, the MCP tool of the same name, its timeline text and its docs.
 */
export const severities = ["info", "warning", "blocking"] as const;
export const flagCategories = [
  "bug",
  "stale",
  "contradiction",
  "ambiguity",
  "overlap",
  "performance",
  "security",
  "incomplete_prior",
] as const;
export { learningKinds, learningScopes };
export const suggestionKinds = ["new_task", "split", "refactor", "alternative", "deprecate"] as const;
export const blockerKinds = ["upstream_task", "external"] as const;

const signalDone = defineSignal({
  verb: "done",
  closing: true,
  title: "Task is done",
  description: "Close: complete and tested.",
  arguments: z.strictObject({
    summary: text.describe("With key decisions."),
  }),
  timeline: ({ summary }) => `✓ **Done:** ${summary}`,
  example: { summary: "Lobby channel with join, leave and chat. 14 tests pass." },
});

const signalPartial = defineSignal({
  verb: "partial",
  closing: true,
  title: "Partly done",
  description: "Close: work remains.",
  arguments: z.strictObject({
    summary: text,
    remaining: text.describe("And why you stopped."),
  }),
  timeline: ({ summary, remaining }) =>
    paragraphs(`⊙ **Partial:** ${summary}`, `**Remaining:** ${remaining}`),
  example: { summary: "12 of 18 test cases written.", remaining: "Delete edge cases and bulk operations." },
});

const signalStuck = defineSignal({
  verb: "stuck",
  closing: true,
  title: "No progress",
  description: "Close: no progress is possible.",
  arguments: z.strictObject({
    reason: text,
  }),
  timeline: ({ reason }) => `⚠ **Stuck:** ${reason}`,
  example: { reason: "The config is written, but there is no GPU host to try it on." },
});

const signalAsk = defineSignal({
  verb: "ask",
  title: "Ask a human",
  description: "If it blocks you, also close with partial.",
  arguments: z.strictObject({
    question: text,
    blocking: z.boolean(),
    options: z.array(text).max(50).optional(),
    preferred: text.optional(),
  }),
  timeline: ({ question, blocking, options, preferred }) =>
    paragraphs(
      `❓ **Ask (${blocking ? "blocking" : "non-blocking"}):** ${question}`,
      preferred && `**Preferred:** ${preferred}`,
      options?.length && `**Options:**\n${options.map((option) => `- ${oneLine(option)}`).join("\n")}`,
    ),
  example: {
    question: "Sync or async retries?",
    blocking: true,
    options: ["sync", "async"],
    preferred: "sync",
  },
});

const signalFlag = defineSignal({
  verb: "flag",
  title: "Report a problem",
  description: "A problem you found.",
  arguments: z.strictObject({
    what: text,
    severity: z.enum(severities),
    category: z.enum(flagCategories),
  }),
  timeline: ({ what, severity, category }) =>
    paragraphs(`🚩 **Flag (${severity}):** ${what}`, `**Category:** ${category}`),
  example: { what: "An empty URL passes validation.", severity: "warning", category: "bug" },
});

const signalLearned = defineSignal({
  verb: "learned",
  title: "Record a learning",
  description: "For later tasks: a fact, a judgment or a pattern.",
  arguments: z.strictObject({
    text: text,
    kind: z.enum(learningKinds),
    rationale: text.optional(),
    scope: z.enum(learningScopes).optional(),
  }),
  timeline: ({ text: learning, kind, rationale, scope }) =>
    paragraphs(
      `💡 **Learned (${kind}):** ${learning}`,
      rationale && `**Rationale:** ${rationale}`,
      scope && `**Scope:** ${scope}`,
    ),
  example: {
    text: "localStorage holds 5 MB per origin.",
    kind: "discovery",
    rationale: "It bounds the number of bookmarks.",
    scope: "feature",
  },
});

const signalSuggest = defineSignal({
  verb: "suggest",
  title: "Suggest an action",
  description: "Outside this task. A new_task's first line is its title.",
  arguments: z.strictObject({
    what: text,
    kind: z.enum(suggestionKinds),
    why: text,
    feature: text.optional(),
  }),
  timeline: ({ what, kind, why, feature }) =>
    paragraphs(`💭 **Suggest (${kind}):** ${what}`, `**Why:** ${why}`, feature && `**Feature:** ${feature}`),
  example: {
    what: "Add an endpoint that verifies the audit chain",
    kind: "new_task",
    why: "Streaming millions of rows is a task of its own.",
    feature: "audit-log",
  },
});

const signalBlocked = defineSignal({
  verb: "blocked",
  title: "Report a blocker",
  description: "It holds the task unless you close with done.",
  arguments: z.strictObject({
    on: text.describe("`task 7`, its title, or what is missing."),
    kind: z.enum(blockerKinds),
    detail: text.optional(),
  }),
  timeline: ({ on, kind, detail }) =>
    paragraphs(`🚫 **Blocked (${kind}):** ${on}`, detail && `**Detail:** ${detail}`),
  example: { on: "Redis credentials", kind: "external", detail: "None in .env.example." },
});

/** In the order of docs/rules.md, The eight verbs. */
export const signals = [
  signalDone,
  signalPartial,
  signalStuck,
  signalAsk,
  signalFlag,
  signalLearned,
  signalSuggest,
  signalBlocked,
] as const;

export type Verb = (typeof signals)[number]["verb"];
export const verbs: readonly Verb[] = signals.map((signal) => signal.verb);
/** The verbs that close a session's work; the policy `closing` says which counts (docs/rules.md, Settlement). */
export const closingVerbs = ["done", "partial", "stuck"] as const;
export type ClosingVerb = (typeof closingVerbs)[number];
