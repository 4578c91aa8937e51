import type { Metrics } from "./metrics.ts";

/** What each table and each column of `metrics` means, in the order in which they are printed; docs/metrics.md is made from it. */
export const metricMeanings: Meanings = {
  sessions: {
    about: "Sessions by outcome, and their length from start to end; an open one has lasted until now.",
    columns: {
      sessions: "all sessions",
      open: "sessions that have not ended",
      success: "sessions with this outcome",
      partial: "the same",
      failure: "the same",
      timeout: "the same",
      cancelled: "the same",
      total_s: "length, in total",
      median_s: "length, median",
      p90_s: "length, 90th percentile",
    },
  },
  phases: {
    about:
      "The time that sessions spent in each phase. A state lasts until the next one or the session's end, so a session's phases add up to its length.",
    columns: {
      phase: "the state",
      sessions: "sessions that were in it",
      total_s: "time in it, in total",
      median_s: "time of one session in it, all visits together, median",
      p90_s: "the same, 90th percentile",
      share: "share of the time of all sessions in the group, 0 to 1",
    },
  },
  rework: {
    about: "Sessions that were in testing, and their steps from there straight back to implementing.",
    columns: {
      sessions_that_tested: "sessions that were in testing",
      went_back: "sessions that returned at least once",
      returns: "steps from testing to implementing",
      median: "returns of a session, median",
      most: "returns of a session, maximum",
      testing_s: "time in testing",
    },
  },
  costs: {
    about:
      "Known if a driver ran the agent and its client reported it. The figures per verified task divide the whole group's cost, failed sessions included, by its verified tasks.",
    columns: {
      sessions: "all sessions",
      cost_usd: "reported cost",
      cost_unknown:
        "sessions that reported no cost; unless it is 0, `cost_usd` and `usd_per_verified` are too low",
      tokens: "reported input and output tokens, cached ones included",
      tokens_unknown: "sessions that reported no tokens",
      done_tasks: "tasks done by their last session, not by hand",
      done_without_gates: "done tasks without gates: only the agent says that they are done",
      verified_tasks: "done tasks with gates, all passed or skipped",
      sessions_per_verified: "sessions per verified task",
      usd_per_verified: "cost per verified task",
      tokens_per_verified: "tokens per verified task",
    },
  },
  closings: {
    about: "How sessions closed, by the day or week (`--every`) in which they ended.",
    columns: {
      period: "its first day, in UTC; of a week its Monday",
      ended: "sessions that ended",
      done: "closed with a done that stands",
      unverified: "closed with a done that its gates or what was found in the workspace did not confirm",
      partial: "closed with partial",
      stuck: "closed with stuck",
      inferred_stuck: "ended without a closing verb, which counts as stuck",
      none: "cancelled without a closing verb",
    },
  },
  dones: {
    about:
      "What became of the sessions that closed with done, by the agent that a driver ran and the model that it named, and by when they ended. Each is in one of the columns from `stood` to `waiting`.",
    columns: {
      agent: "its name in the configuration",
      model: "as its client reported it last",
      claimed: "sessions that closed with done",
      stood: "what was found in the workspace and the gates confirmed it, and no human took it back",
      refused_by_evidence: "refused for what was found in the workspace, whatever the gates said",
      refused_by_gates: "otherwise unverified: at its end a gate was neither passed nor skipped",
      sent_back:
        "verified, and sent back by a human, who may also have set the task to another status than done before its next session ended",
      waiting: "verified, and a human has not accepted it yet",
      share: "`stood` as a share of those that do not wait, 0 to 1",
      repeated:
        "of all these, sessions that said done more than once, as agents do that are told what their work lacks",
    },
  },
  questions: {
    about: "A question waits from the `ask` to its answer or dismissal; an undone act does not count.",
    columns: {
      kind: "blocking or other",
      asked: "all questions",
      answered: "answered by a human",
      dismissed: "dismissed by a human",
      informational: "not answered, and nothing waits for it any more",
      waited_s: "time until the human's act, in total",
      median_s: "time until the human's act, median",
      p90_s: "time until the human's act, 90th percentile",
      waiting: "still waiting: open, or asked in a running session",
      waiting_median_s: "how long these have waited, median",
      waiting_longest_s: "how long these have waited, maximum",
    },
  },
  gates: {
    about: "Runs of gates, also of deleted tasks.",
    columns: {
      gates: "gates that ran",
      attempts: "attempts, a running one included",
      passed: "attempts that passed",
      failed: "attempts that failed",
      interrupted: "attempts that were interrupted",
      attempts_until_passed:
        "attempts from one pass to the next, the passing one included and interrupted ones not, median",
      attempts_at_most: "the same, maximum",
      never_passed: "gates without a pass",
      time_s: "run time of attempts",
      baselines: "runs before a session's work, which are no attempts",
      baseline_s: "run time of baselines",
    },
  },
  learnings: {
    about:
      "Learnings with the same words are one. A confirmation is each report after the first; the read model's column `confirmations` counts the first too.",
    columns: {
      learnings: "learnings",
      confirmed: "learnings reported again",
      confirmations: "confirmations, in total",
      most: "confirmations of one learning, maximum",
    },
  },
  most_confirmed: {
    about: "The ten learnings with the most confirmations.",
    columns: {
      text: "its words in the first report",
      learning: "its id, the position of the first report",
      confirmations: "its confirmations",
    },
  },
};

/** The compiler holds that every table and every column is here. */
type Meanings = {
  readonly [Table in keyof Metrics]: {
    readonly about: string;
    readonly columns: Readonly<Record<Exclude<keyof Metrics[Table][number], "group">, string>>;
  };
};
