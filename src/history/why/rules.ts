import type { StatusRule } from "../../projections/board/status-rules.ts";

/** A rule: its place in docs/rules.md, and its text. */
export interface Rule {
  /** The heading in docs/rules.md, and the step or row below it where there is one. */
  readonly section: string;
  readonly step?: string;
  readonly sentence: string;
}

/**
 * Every rule that can change a task's status, by its name in `status_changes`. The only place for
 * these sentences.
 */
export const STATUS_RULES: Readonly<Record<StatusRule, Rule>> = {
  created: {
    section: "Task statuses",
    sentence: "A task starts with the status it was added with.",
  },
  enriched: {
    section: "What an agent may do to a status",
    sentence: "Pseudocode makes a draft pending, unless an agent proposed it and no human has decided yet.",
  },
  "sessions: start": {
    section: "Sessions",
    sentence: "Starting a session puts its task in progress.",
  },
  "settlement 5": {
    section: "Settlement, when a session ends",
    step: "5",
    sentence: "The session closed with done and every gate is passed or skipped: the task is done.",
  },
  "settlement 7a": {
    section: "Settlement, when a session ends",
    step: "7a",
    sentence: "The stuck count has reached its limit, or a gate was aborted: the task has failed.",
  },
  "settlement 7b": {
    section: "Settlement, when a session ends",
    step: "7b",
    sentence:
      "A gate is escalated, a question is open, or its sessions did not get on, or ended with partial each time: the task waits for a human.",
  },
  "settlement 7c": {
    section: "Settlement, when a session ends",
    step: "7c",
    sentence: "No question is open, but a blocker is: the task is blocked.",
  },
  "settlement 7d": {
    section: "Settlement, when a session ends",
    step: "7d",
    sentence: "Nothing blocks the task, and it is not done: it is pending.",
  },
  "settlement 9": {
    section: "Settlement, when a session ends",
    step: "9",
    sentence: "A suggestion of a new task becomes a draft when its session ends, whatever the closing verb.",
  },
  "evidence: ask": {
    section: "Evidence",
    sentence:
      "The session closed with done, and a human is asked about what its driver found in the workspace, about files outside its output artifacts, or about gates that pass without the work.",
  },
  "humans: set a status": {
    section: "Humans",
    step: "set a status by hand",
    sentence: "The status was set by hand.",
  },
  "humans: accept": {
    section: "Humans",
    step: "accept / send back",
    sentence: "The task needs a human's acceptance: a verified done waits for it, then the task is done.",
  },
  "humans: send back": {
    section: "Humans",
    step: "accept / send back",
    sentence: "A human sent the work back with a comment: the task is pending.",
  },
  "humans: approved": {
    section: "Humans",
    step: "approve / reject an agent's task",
    sentence: "A human approved the task that an agent proposed: it is pending.",
  },
  "humans: rejected": {
    section: "Humans",
    step: "approve / reject an agent's task",
    sentence: "A human rejected the task that an agent proposed: it is skipped.",
  },
  "humans: undo": {
    section: "Humans",
    step: "take back (undo)",
    sentence: "A human undid a decision on a proposal: the task is a draft again.",
  },
  "plans: replaced": {
    section: "Humans",
    step: "approve / reject an agent's task",
    sentence: "Another plan, begun to replace that of the draft, ended with tasks: the draft is skipped.",
  },
  "merges: reopen": {
    section: "Merges",
    sentence:
      "The task was done but its merge stopped, so it was reopened for an agent to merge it. Its stuck count stays, and tasks that depend on it stay ready.",
  },
  "gates: abort": {
    section: "Verify gates",
    sentence: "A human aborted an escalated gate: the task has failed.",
  },
  "gates: skip": {
    section: "Verify gates",
    sentence: "A human skipped the last gate in the way of a done: the done stands.",
  },
};

/** Rules for sessions, questions, blockers, suggestions and learnings. */
export const RULES = {
  implicit: {
    section: "Sessions",
    sentence: "The first signal of an unknown session starts it, even if the task is not ready.",
  },
  started: { section: "Sessions", sentence: "A session is one run of one agent on one task." },
  late: {
    section: "Sessions",
    sentence:
      "A signal that arrives when its session is not open is late: it is recorded, but has no effect.",
  },
  closing: {
    section: "Settlement, when a session ends",
    step: "2",
    sentence:
      "The closing verb is the last of done, partial and stuck, unless the policy `closing` names another.",
  },
  inferred: {
    section: "Settlement, when a session ends",
    step: "3",
    sentence: "A session that ends without a closing verb is stuck.",
  },
  cancelled: {
    section: "Settlement, when a session ends",
    step: "3",
    sentence: "A cancelled session without a closing verb counts as partial, and nothing is inferred.",
  },
  withoutTask: {
    section: "Sessions",
    sentence: "It worked on no task, and settles none.",
  },
  unverified: {
    section: "Settlement, when a session ends",
    step: "4",
    sentence: "A done stands only if every gate is passed or skipped; otherwise it counts as partial.",
  },
  refused: {
    section: "Evidence",
    sentence: "A done is unverified if what was found in the workspace is refused by its policy.",
  },
  verified: {
    section: "Settlement, when a session ends",
    step: "4",
    sentence: "Every gate is passed or skipped: the done stands.",
  },
  settled: {
    section: "Sessions",
    sentence: "The closing verb decides the outcome; after stuck, the session's exit does.",
  },
  raised: {
    section: "Settlement, when a session ends",
    step: "1",
    sentence: "Questions and blockers take effect when their session ends.",
  },
  opened: {
    section: "Settlement, when a session ends",
    step: "7",
    sentence: "After partial and stuck, the blocking questions and the blockers of the session are open.",
  },
  informational: {
    section: "Settlement, when a session ends",
    step: "8",
    sentence: "A non-blocking question is only information once its session has ended.",
  },
  done: {
    section: "Settlement, when a session ends",
    step: "5",
    sentence: "When the task is done, its questions and blockers are information.",
  },
  linked: {
    section: "Settlement, when a session ends",
    step: "10",
    sentence: "A blocker of kind upstream_task is linked to the task that its text names.",
  },
  unnamed: {
    section: "Settlement, when a session ends",
    step: "10",
    sentence: "It names no other existing task, so it is not linked and waits for a human.",
  },
  circle: {
    section: "Settlement, when a session ends",
    step: "10",
    sentence: "A link to the task that it names would close a circle of dependencies, so it is not linked.",
  },
  contested: {
    section: "Settlement, when a session ends",
    step: "10",
    sentence:
      "The task that the blocker names is done or skipped already: so the blocker is resolved and the done is contested.",
  },
  released: {
    section: "Settlement, when a session ends",
    step: "10",
    sentence: "A linked blocker resolves by itself when its task is done or skipped.",
  },
  proposed: {
    section: "Settlement, when a session ends",
    step: "9",
    sentence: "A suggestion of a new task becomes a draft when its session ends.",
  },
  planned: {
    section: "Humans",
    step: "approve / reject an agent's task",
    sentence: "A draft of a plan waits for a human, with the plan, once the plan's session has ended.",
  },
  stored: {
    section: "Settlement, when a session ends",
    step: "9",
    sentence: "A suggestion of another kind is stored for a human.",
  },
  replaced: STATUS_RULES["plans: replaced"],
  acted: { section: "Humans", sentence: "A human acted on it." },
  undone: { section: "Humans", step: "take back (undo)", sentence: "A human undid that." },
  byHand: {
    section: "Humans",
    step: "set a status by hand",
    sentence: "A decision on the whole task decided this too.",
  },
} as const satisfies Readonly<Record<string, Rule>>;
