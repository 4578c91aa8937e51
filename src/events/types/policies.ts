import { z } from "zod";
import { defineEvent } from "../event.ts";
import { projectStream } from "./fields.ts";
import { structural } from "./structure.ts";

/**
 * A rule of the project that a human may set (docs/rules.md, Settlement). Its definition is all that `policy list`, `policy set`, the
 * options of `what-if`, the event and the docs need; the reducers of the board read it by `policyValue`.
 */
interface Policy<Value extends PolicyValue> {
  readonly value: z.ZodType<Value>;
  /** What `value` takes, in words. */
  readonly takes: string;
  /** The value of a policy that was never set. */
  readonly absent: Value;
  /** What it decides. */
  readonly does: string;
  /** A project in which it has this value, as the end of "What if …?". */
  says(value: Value): string;
  /** The projection whose reducers follow it. */
  readonly readBy: "board";
  /** What the log does not tell about another value, as the end of "What-if cannot know …". */
  readonly unknown: string;
}

export type PolicyValue = number | boolean | string;

/** What may follow from a finding (docs/rules.md, Evidence). */
export const consequences = ["note", "ask", "refuse"] as const;
export type Consequence = (typeof consequences)[number];

const UNPROVEN = {
  note: "is noted",
  ask: "is asked about",
  ask_if_alone: "is asked about where its task has no other",
};

/** In the order of the docs. To add one: here, and where a reducer of its projection follows it. */
export const policies = Object.freeze({
  stuck_limit: count({
    absent: 3,
    does: "the stuck count at which a task fails",
    says: (limit) => `the stuck limit is ${limit}`,
    readBy: "board",
    unknown:
      "what sessions would have followed where the task failed, or what a human would have done where it would have failed",
  }),
  waiting_is_stuck: flag({
    does: "count a partial session that leaves a question or blocker open as stuck",
    says: (isStuck) => `waiting is ${isStuck ? "" : "not "}stuck`,
    readBy: "board",
    unknown: "whether agents would have asked less often",
  }),
  partial_resets: flag({
    does: "let a partial session reset the stuck count to 0",
    says: (resets) => `partial resets ${resets ? "the stuck count" : "nothing"}`,
    readBy: "board",
    unknown: "whether agents would have closed with partial more often",
  }),
  partial_with_learnings_resets: flag({
    does: "let a partial session that reported a learning reset the stuck count to 0",
    says: (resets) => `partial with learnings resets ${resets ? "the stuck count" : "nothing"}`,
    readBy: "board",
    unknown: "whether agents would have reported more learnings",
  }),
  no_progress: count({
    absent: 3,
    does: "after how many sessions in a row that did not get on a human is asked",
    says: (limit) =>
      `a human is asked after ${limit} ${limit === 1 ? "session" : "sessions"} that did not get on`,
    readBy: "board",
    unknown:
      "what the human would have answered, or whether a session without fingerprints of its workspace changed anything",
  }),
  partials: count({
    absent: 10,
    does: "after how many partial sessions in a row a human is asked",
    says: (limit) => `a human is asked after ${limit} partial ${limit === 1 ? "session" : "sessions"}`,
    readBy: "board",
    unknown:
      "what the human would have answered, or what sessions would have followed where the human was asked",
  }),
  closing: choice({
    of: ["last", "first", "worst"],
    absent: "last",
    does: "which closing verb of a session counts; worst is stuck, then partial, then done",
    says: (rule) => `the ${rule} closing verb counts`,
    readBy: "board",
    unknown: "which verbs agents would have called if their prompt had named another rule",
  }),
  "evidence.left_behind": consequence({
    absent: "refuse",
    of: "left work behind that its branch does not have",
  }),
  "evidence.gone": consequence({ absent: "refuse", of: "left no workspace or another repository" }),
  "evidence.undoes": consequence({ absent: "refuse", of: "takes back what other work brought" }),
  "evidence.no_change": consequence({
    absent: "ask",
    of: "changed nothing",
    where: " (if no gate passed in the session)",
  }),
  "evidence.checks_changed": consequence({
    absent: "ask",
    of: "changed what decides whether its gates pass",
  }),
  "evidence.outside": consequence({
    absent: "note",
    of: "ran while something outside its worktree changed",
  }),
  "gates.unproven": choice({
    of: ["note", "ask", "ask_if_alone"],
    absent: "ask_if_alone",
    does: "what follows if a gate of a verified done is known to pass without the work: note shows it, ask lets a human accept the done or send it back, ask_if_alone does so where that is known of every passed gate",
    says: (value) => `a gate that passes without the work ${UNPROVEN[value]}`,
    readBy: "board",
    unknown:
      "what the human would have decided, or how gates would have ended that were not run without the work",
  }),
  "artifacts.outside": choice({
    of: ["note", "ask"],
    absent: "note",
    does: "what follows if the session of a verified done changed files outside its task's output_artifacts: note shows them, ask lets a human accept the done or send it back",
    says: (value) =>
      `a change outside a task's output_artifacts is ${value === "ask" ? "asked about" : "noted"}`,
    readBy: "board",
    unknown:
      "what the human would have decided, or whether sessions whose driver did not look changed such files",
  }),
});

export type PolicyName = keyof typeof policies;
export type ValueOf<Name extends PolicyName> = z.infer<(typeof policies)[Name]["value"]>;

// Object.keys loses the names' type.
export const policyNames = Object.keys(policies) as [PolicyName, ...PolicyName[]];

type Words<Value extends PolicyValue> = Omit<Policy<Value>, "value" | "takes" | "absent">;

function count(words: Words<number> & { readonly absent: number }): Policy<number> {
  return { ...words, value: z.int().min(1).max(1_000), takes: "a whole number from 1 to 1000" };
}

function flag(words: Words<boolean>): Policy<boolean> {
  return { ...words, value: z.boolean(), takes: "true or false", absent: false };
}

function choice<const Value extends string>({
  of,
  ...words
}: Words<Value> & { readonly of: readonly Value[]; readonly absent: Value }): Policy<Value> {
  return { ...words, value: z.enum(of), takes: `one of ${of.join(", ")}` };
}

/**
 * What follows from what the driver found, where the session closed with done (docs/rules.md, Evidence).
 *
 * @param of what the session did
 * @param where on what its `ask` depends
 */
function consequence({
  absent,
  of,
  where = "",
}: {
  readonly absent: Consequence;
  readonly of: string;
  readonly where?: string;
}): Policy<Consequence> {
  const says = {
    note: `a done that ${of} is noted`,
    ask: `a human is asked about a done that ${of}`,
    refuse: `a done that ${of} is refused`,
  };
  return choice({
    of: consequences,
    absent,
    does: `what follows if a session closed with done and ${of}: note shows it, ask${where} lets a human accept the done or send it back, refuse leaves the done unverified`,
    says: (value) => says[value],
    readBy: "board",
    unknown: "what agents would have done after another answer, or what the human would have decided",
  });
}

/** True if the policy can have this value. */
export function isValueOf(policy: PolicyName, value: unknown): boolean {
  return policies[policy].value.safeParse(value).success;
}

export const policySet = defineEvent({
  type: "policy.set",
  version: 5,
  description: "A policy of the project got another value, for settlements from now on.",
  payload: z
    .strictObject({
      policy: z.enum(policyNames),
      value: z
        .union([z.int(), z.boolean(), structural(z.string().max(40))])
        .describe("What the policy takes: a number, true or false, or a word."),
    })
    .refine(({ policy, value }) => isValueOf(policy, value), {
      path: ["value"],
      error: ({ input }) => {
        const { policy } = input as { policy: PolicyName };
        return `${policy} takes ${policies[policy].takes}`;
      },
    }),
  stream: projectStream,
  timeline: ({ policy, value }) => `Policy ${policy} is ${value}`,
  example: { policy: "stuck_limit", value: 5 },
  upcasters: {
    /** Version 1 had the stuck limit alone. */
    1: (payload) => payload,
    /** Version 2 had none of evidence. */
    2: (payload) => payload,
    /** Version 3 had neither `evidence.checks_changed` nor `evidence.outside`, and none of gates. */
    3: (payload) => payload,
    /** Version 4 had no `artifacts.outside`. */
    4: (payload) => payload,
  },
});

/** Every event of this family, in the order of docs/events.md. */
export const policyEvents = [policySet] as const;
