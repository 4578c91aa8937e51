import fc from "fast-check";
import { priorities, taskStatuses } from "../../src/events/types/fields.ts";
import { gateActions } from "../../src/events/types/gates.ts";
import { consequences, type PolicyName, type PolicyValue } from "../../src/events/types/policies.ts";
import { type FindingKind, findingKinds } from "../../src/events/types/session-work.ts";
import { reportedStates, sessionExits } from "../../src/events/types/sessions.ts";
import type { Verb } from "../../src/events/types/signals.ts";
import { signalArguments } from "./signal-arguments.ts";

/**
 * One thing that somebody does. Tasks, sessions, gates and items are small numbers, which the executor resolves to
 * what there is at that moment (executor.ts), so that many commands are legal and many are not.
 */
export type Command =
  | { do: "start"; session: SessionRef; task: number; force: boolean; workspace: string | undefined }
  | {
      do: "signal";
      session: SessionRef;
      task: number;
      /** Named by mistake: the task of another session, or one that is not there. */
      stray: boolean;
      signal: { verb: Verb; args: Record<string, unknown> };
    }
  | { do: "state"; session: SessionRef; state: (typeof reportedStates)[number] }
  | { do: "gate"; gate: number; session: SessionRef | undefined; exit_code: number; timed_out: boolean }
  | { do: "gate_action"; escalated: boolean; gate: number; action: (typeof gateActions)[number] }
  | { do: "declare"; by: Declarer; task: number; gates: readonly number[] }
  | { do: "gate_approval"; act: "approve" | "reject" | "undo"; waiting: boolean; gate: number }
  | {
      do: "end";
      session: SessionRef;
      exit: (typeof sessionExits)[number];
      workspace: string | undefined;
      findings: readonly FindingKind[];
    }
  | {
      do: "item";
      act: "answer" | "resolve" | "dismiss" | "acknowledge" | "undo" | "approve" | "reject";
      waiting: boolean;
      item: number;
    }
  | { do: "set_status"; task: number; status: (typeof taskStatuses)[number] }
  | { do: "comment"; task: number }
  | { do: "enrich"; task: number; draft: boolean }
  | { do: "delete"; task: number; unneeded: boolean }
  | { do: "accept" | "send_back" | "continue" | "split"; waiting: boolean; task: number }
  | { do: "change"; task: number; change: TaskChange }
  | { do: "policy"; policy: PolicyName; value: PolicyValue }
  | { do: "create"; task: NewTask }
  | { do: "feature"; name: string };

/** Whose gates these are: those of an agent wait for a human. */
export type Declarer = "human" | "agent";

type Do<Name extends Command["do"]> = Extract<Command, { do: Name }>;

/** `open`: the n-th that runs; `any`: the n-th that there ever was; `new`: an id of its own. */
export type SessionRef = { pick: "open" | "any" | "new"; index: number };

interface TaskChange {
  readonly title?: string;
  readonly priority?: (typeof priorities)[number];
  readonly accept?: "auto" | "human";
  readonly depends_on?: readonly number[];
}

export interface NewTask {
  readonly id: number | undefined;
  readonly title: string;
  readonly feature: string;
  readonly discipline: string;
  readonly priority: (typeof priorities)[number];
  readonly status: (typeof taskStatuses)[number];
  readonly accept: "auto" | "human";
  /** How many tasks back each dependency lies. */
  readonly depends_on: readonly number[];
  /** The maximum of attempts of each gate. */
  readonly gates: readonly number[];
  readonly by: Declarer;
}

export interface History {
  readonly project: readonly NewTask[];
  readonly commands: readonly Command[];
}

const titles = ["Export", "Export as CSV", "Login form", "Straße prüfen", "Audit log", "login FORM"];
const index = fc.nat({ max: 7 });
const workspace = fc.constantFrom("w-1", "w-1", "w-2", undefined);
const sessionRef = fc.record<SessionRef>({
  pick: fc.constantFrom("open", "open", "open", "open", "any", "new"),
  index,
});

const maximum = fc.integer({ min: 1, max: 2 });

const newTask: fc.Arbitrary<NewTask> = fc.record({
  id: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 12 })),
  title: fc.constantFrom(...titles),
  feature: fc.constantFrom("core", "reports"),
  discipline: fc.constantFrom("backend", "frontend"),
  priority: fc.constantFrom(...priorities),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant("pending" as const) },
    fc.constantFrom(...taskStatuses),
  ),
  accept: fc.constantFrom("auto", "auto", "human"),
  depends_on: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(index, { maxLength: 2 })),
  gates: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(maximum, { maxLength: 2 })),
  by: fc.constantFrom("human", "human", "human", "agent"),
});

const signal = fc.record<Do<"signal">>({
  do: fc.constant("signal"),
  session: sessionRef,
  task: index,
  stray: fc.integer({ min: 0, max: 39 }).map((n) => n === 39),
  signal: signalArguments,
});

const end = fc.record<Do<"end">>({
  do: fc.constant("end"),
  session: sessionRef,
  exit: fc.constantFrom("exited", "exited", ...sessionExits),
  workspace,
  findings: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...findingKinds), { minLength: 1, maxLength: 2 }) },
  ),
});

const gate = fc.record<Do<"gate">>({
  do: fc.constant("gate"),
  gate: index,
  session: fc.option(sessionRef, { nil: undefined }),
  exit_code: fc.constantFrom(0, 0, 1, 137),
  timed_out: fc.constantFrom(false, false, false, true),
});

const change: fc.Arbitrary<TaskChange> = fc.oneof(
  fc.record({ depends_on: fc.array(index, { maxLength: 3 }) }),
  fc.record(
    {
      title: fc.constantFrom(...titles, "Renamed"),
      priority: fc.constantFrom(...priorities),
      accept: fc.constantFrom("auto" as const, "human" as const),
      depends_on: fc.array(index, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
);

const start = fc.record<Do<"start">>({
  do: fc.constant("start"),
  session: fc.record<SessionRef>({ pick: fc.constantFrom("new", "new", "new", "any"), index }),
  task: index,
  force: fc.constantFrom(true, true, false),
  workspace,
});

const human: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record<Do<"item">>({
      do: fc.constant("item"),
      act: fc.constantFrom(
        "answer",
        "resolve",
        "dismiss",
        "acknowledge",
        "undo",
        "undo",
        "approve",
        "reject",
      ),
      waiting: fc.constantFrom(true, true, false),
      item: index,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record<Do<"gate_action">>({
      do: fc.constant("gate_action"),
      escalated: fc.constantFrom(true, true, true, false),
      gate: index,
      action: fc.constantFrom(...gateActions),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record<Do<"declare">>({
      do: fc.constant("declare"),
      by: fc.constantFrom("agent", "agent", "human"),
      task: index,
      gates: fc.array(maximum, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record<Do<"gate_approval">>({
      do: fc.constant("gate_approval"),
      act: fc.constantFrom("approve", "approve", "reject", "undo"),
      waiting: fc.constantFrom(true, true, true, false),
      gate: index,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record<Do<"set_status">>({
      do: fc.constant("set_status"),
      task: index,
      status: fc.constantFrom(...taskStatuses),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record<Do<"accept" | "send_back" | "continue" | "split">>({
      do: fc.constantFrom("accept", "send_back", "continue", "split"),
      waiting: fc.constantFrom(true, true, false),
      task: index,
    }),
  },
  { weight: 3, arbitrary: fc.record<Do<"change">>({ do: fc.constant("change"), task: index, change }) },
  { weight: 1, arbitrary: fc.record<Do<"comment">>({ do: fc.constant("comment"), task: index }) },
  {
    weight: 2,
    arbitrary: fc.record<Do<"enrich">>({
      do: fc.constant("enrich"),
      task: index,
      draft: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record<Do<"delete">>({
      do: fc.constant("delete"),
      task: index,
      unneeded: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record<Do<"policy">>({
        do: fc.constant("policy"),
        policy: fc.constantFrom("stuck_limit", "no_progress", "partials"),
        value: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record<Do<"policy">>({
        do: fc.constant("policy"),
        policy: fc.constantFrom(...findingKinds).map((kind) => `evidence.${kind}` as const),
        value: fc.constantFrom(...consequences),
      }),
    ),
  },
  { weight: 1, arbitrary: fc.record<Do<"create">>({ do: fc.constant("create"), task: newTask }) },
  {
    weight: 1,
    arbitrary: fc.record<Do<"feature">>({
      do: fc.constant("feature"),
      name: fc.constantFrom("later", "core"),
    }),
  },
);

const agent: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: signal },
  { weight: 2, arbitrary: gate },
  {
    weight: 1,
    arbitrary: fc.record<Do<"state">>({
      do: fc.constant("state"),
      session: sessionRef,
      state: fc.constantFrom(...reportedStates),
    }),
  },
);

/** A start, some work, an end: what a driver does. */
const run: fc.Arbitrary<Command[]> = fc
  .tuple(start, fc.array(agent, { maxLength: 6 }), end)
  .map(([first, work, last]) => [first, ...work, last]);

/** A small project, then sessions with humans, late signals and second sessions between. */
export const histories: fc.Arbitrary<History> = fc.record({
  project: fc.array(newTask, { minLength: 2, maxLength: 6 }),
  // Without a bias towards short lists: what is long goes further, and shrinks all the same.
  commands: fc.noBias(
    fc
      .array(
        fc.oneof(
          { weight: 4, arbitrary: run },
          { weight: 9, arbitrary: human.map((command) => [command]) },
          { weight: 2, arbitrary: agent.map((command) => [command]) },
          { weight: 1, arbitrary: fc.oneof(start, end).map((command): Command[] => [command]) },
        ),
        { maxLength: 28, size: "max" },
      )
      .map((parts) => parts.flat()),
  ),
});
