import { z } from "zod";
import { defineSignal, paragraphs } from "./define-signal.ts";
import { text } from "./fields.ts";

/**
 * The eight verbs (rules.md, The eight verbs; seed 000). Each definition below gives the event type
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
export const learningKinds = ["discovery", "decision", "convention"] as const;
export const learningScopes = ["project", "feature", "task"] as const;
export const suggestionKinds = ["new_task", "split", "refactor", "alternative", "deprecate"] as const;
export const blockerKinds = ["upstream_task", "external"] as const;

const signalDone = defineSignal({
  verb: "done",
  closing: true,
  title: "Task is done",
  description: "Close the session: the task is complete and tested. The last closing verb counts.",
  arguments: z.strictObject({
    summary: text.describe("What was accomplished, with key decisions and outcomes."),
  }),
  timeline: ({ summary }) => `✓ **Done:** ${summary}`,
  example: { summary: "Lobby channel with join, leave and chat. 14 tests pass." },
});

const signalPartial = defineSignal({
  verb: "partial",
  closing: true,
  title: "Task is partly done",
  description: "Close the session: progress was made, work remains for a later session.",
  arguments: z.strictObject({
    summary: text.describe("What was accomplished so far."),
    remaining: text.describe("What still needs to be done and why you stopped. Be specific."),
  }),
  timeline: ({ summary, remaining }) =>
    paragraphs(`⊙ **Partial:** ${summary}`, `**Remaining:** ${remaining}`),
  example: { summary: "12 of 18 test cases written.", remaining: "Delete edge cases and bulk operations." },
});

const signalStuck = defineSignal({
  verb: "stuck",
  closing: true,
  title: "No progress possible",
  description: "Close the session: you cannot make meaningful progress on this task.",
  arguments: z.strictObject({
    reason: text.describe("What exactly keeps you from working."),
  }),
  timeline: ({ reason }) => `⚠ **Stuck:** ${reason}`,
  example: { reason: "The config is written, but there is no GPU host to try it on." },
});

const signalAsk = defineSignal({
  verb: "ask",
  title: "Ask a human",
  description: "Ask what you need to know. If it blocks you, also close with partial.",
  arguments: z.strictObject({
    question: text.describe("The specific question."),
    blocking: z.boolean().describe("true if you cannot go on without the answer."),
    options: z.array(text).max(50).optional().describe("Possible answers, if you know some."),
    preferred: text.optional().describe("The answer that you recommend."),
  }),
  timeline: ({ question, blocking, options, preferred }) =>
    paragraphs(
      `❓ **Ask (${blocking ? "blocking" : "non-blocking"}):** ${question}`,
      preferred && `**Preferred:** ${preferred}`,
      options?.length && `**Options:**\n${options.map((option) => `- ${option}`).join("\n")}`,
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
  description: "Report a problem that you found during this task.",
  arguments: z.strictObject({
    what: text.describe("The problem."),
    severity: z
      .enum(severities)
      .describe(
        "info: no action now; warning: should be looked at; blocking: this task cannot be completed.",
      ),
    category: z.enum(flagCategories),
  }),
  timeline: ({ what, severity, category }) =>
    paragraphs(`🚩 **Flag (${severity}):** ${what}`, `**Category:** ${category}`),
  example: { what: "An empty URL passes validation.", severity: "warning", category: "bug" },
});

const signalLearned = defineSignal({
  verb: "learned",
  title: "Record a learning",
  description: "Record knowledge that helps with later tasks on this project.",
  arguments: z.strictObject({
    text: text.describe("Specific enough to help another developer on another task."),
    kind: z
      .enum(learningKinds)
      .describe("discovery: a fact about the code; decision: a judgment; convention: a pattern to follow."),
    rationale: text.optional().describe("For decisions: why, and what was rejected."),
    scope: z
      .enum(learningScopes)
      .optional()
      .describe("Who should know: everybody, this feature's tasks (default), this task's next sessions."),
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
  description: "Recommend something outside the scope of this task. new_task becomes a draft for a human.",
  arguments: z.strictObject({
    what: text.describe("What should be done. For new_task the first line is the title."),
    kind: z.enum(suggestionKinds),
    why: text.describe("Why it is needed."),
    feature: text.optional().describe("For new_task: the name of the feature that it belongs to."),
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
  description: "Something outside your control is missing. It holds the task unless you close with done.",
  arguments: z.strictObject({
    on: text.describe("What blocks you; name a task as `task 7` or by its title."),
    kind: z
      .enum(blockerKinds)
      .describe("upstream_task: another task is incomplete; external: credentials, services, people."),
    detail: text.optional(),
  }),
  timeline: ({ on, kind, detail }) =>
    paragraphs(`🚫 **Blocked (${kind}):** ${on}`, detail && `**Detail:** ${detail}`),
  example: { on: "Redis credentials", kind: "external", detail: "None in .env.example." },
});

/** In the order of rules.md. */
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
/** The verbs that say how a session's work ended; the last one counts (rules.md, Settlement). */
export const closingVerbs = ["done", "partial", "stuck"] as const;
export type ClosingVerb = (typeof closingVerbs)[number];
