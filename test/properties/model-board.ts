import type { Priority, TaskStatus } from "../../src/events/types/fields.ts";
import type { Consequence } from "../../src/events/types/policies.ts";
import type { FindingKind } from "../../src/events/types/session-work.ts";
import type { SessionExit, SessionState } from "../../src/events/types/sessions.ts";

/** What the model keeps: plain objects in Maps, so that settlement-model.ts reads like rules.md. */
export interface ModelBoard {
  readonly features: Set<string>;
  readonly tasks: Map<number, ModelTask>;
  readonly sessions: Map<string, ModelSession>;
  readonly questions: Map<number, ModelQuestion>;
  readonly blockers: Map<number, ModelBlocker>;
  readonly suggestions: Map<number, ModelSuggestion>;
  stuckLimit: number;
  noProgress: number;
  partials: number;
  /** What follows from a finding, by its kind. */
  readonly consequences: Map<FindingKind, Consequence>;
  /** What was reported as a learning, each behind where it is compared. */
  readonly learned: Set<string>;
  lastTaskId: number;
}

export interface ModelTask {
  readonly id: number;
  readonly origin: "human" | "agent";
  title: string;
  feature: string;
  priority: Priority;
  status: TaskStatus;
  accept: "auto" | "human";
  /** A verified done waits for a human. */
  awaiting: boolean;
  openSession: string | undefined;
  /** Its last session closed with a done that its gates or its evidence did not bear out. */
  unverified: boolean;
  /** Evidence, of its last session: whether its done is refused, and whether a human is asked. */
  refused: boolean;
  asked: boolean;
  /** How many sessions in a row were refused for a kind. */
  refusals: Map<FindingKind, number>;
  /** Dependencies that somebody declared. */
  declared: Set<number>;
  /** Dependencies that the links of blockers added, until a human takes them back. */
  held: Set<number>;
  readonly gates: ModelGate[];
  stuckCount: number;
  sessions: number;
  inferredStucks: number;
  failedAttempts: number;
  partialsInARow: number;
  unchangedInARow: number;
  /** Stagnation: the two rows, and whether one of them made it wait. */
  notOnInARow: number;
  closedPartialInARow: number;
  stalled: boolean;
}

export interface ModelGate {
  readonly max: number;
  state: "pending" | "passed" | "failed" | "escalated" | "skipped" | "aborted";
  approval: "unneeded" | "waiting" | "approved" | "rejected";
  attempts: number;
}

export interface ModelSession {
  readonly id: string;
  readonly task: number;
  readonly workspace: string | undefined;
  readonly states: SessionState[];
  irregular: number;
  signals: number;
  late: number;
  exit: SessionExit | undefined;
  /** The last closing verb that was said, then the one that counts. */
  closing: "done" | "partial" | "stuck" | undefined;
  inferred: boolean;
  /** It reported a learning that was new. */
  learnedNew: boolean;
  /** What its driver found. */
  found: readonly FindingKind[];
  outcome: "success" | "partial" | "failure" | "timeout" | "cancelled" | undefined;
}

/** `natural` is the state without the human's act, `act` lies over it until it is taken back. */
export interface ModelQuestion {
  readonly task: number;
  readonly session: string;
  readonly blocking: boolean;
  natural: "raised" | "open" | "informational" | "dismissed";
  act: "answered" | "dismissed" | undefined;
}

export interface ModelBlocker {
  readonly task: number;
  readonly session: string;
  readonly on: string;
  readonly kind: "upstream_task" | "external";
  natural: "raised" | "open" | "informational" | "resolved" | "dismissed";
  act: "resolved" | "dismissed" | undefined;
  /** The task that it was linked to or contests. */
  dependsOn: number | undefined;
  contests: boolean;
  /** It was open once, so that it was seen whether a task is meant. */
  lookedAt: boolean;
}

export interface ModelSuggestion {
  readonly task: number;
  readonly session: string;
  readonly what: string;
  readonly kind: string;
  readonly feature: string | undefined;
  readonly late: boolean;
  state: "stored" | "proposed" | "approved" | "rejected";
  proposedTask: number | undefined;
}

export function emptyBoard(): ModelBoard {
  return {
    features: new Set(),
    tasks: new Map(),
    sessions: new Map(),
    questions: new Map(),
    blockers: new Map(),
    suggestions: new Map(),
    stuckLimit: 3,
    noProgress: 3,
    partials: 10,
    consequences: new Map<FindingKind, Consequence>([
      ["left_behind", "refuse"],
      ["gone", "refuse"],
      ["undoes", "refuse"],
      ["no_change", "ask"],
      ["checks_changed", "ask"],
      ["outside", "note"],
    ]),
    learned: new Set(),
    lastTaskId: 0,
  };
}

/** A task as it is when nothing is known of it but its names. */
export function newTask(
  origin: "human" | "agent",
  { id, title, feature }: { id: number; title: string; feature: string },
): ModelTask {
  return {
    id,
    origin,
    title,
    feature,
    priority: "medium",
    status: "draft",
    accept: "auto",
    awaiting: false,
    openSession: undefined,
    unverified: false,
    refused: false,
    asked: false,
    refusals: new Map(),
    declared: new Set(),
    held: new Set(),
    gates: [],
    stuckCount: 0,
    sessions: 0,
    inferredStucks: 0,
    failedAttempts: 0,
    partialsInARow: 0,
    unchangedInARow: 0,
    notOnInARow: 0,
    closedPartialInARow: 0,
    stalled: false,
  };
}

export function stateOf<Natural extends string, Act extends string>(thing: {
  natural: Natural;
  act: Act | undefined;
}): Natural | Act {
  return thing.act ?? thing.natural;
}

export function taskOf(board: ModelBoard, id: number): ModelTask {
  return known(board.tasks.get(id), `task ${id}`);
}

export function known<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new Error(`The model knows no ${what}.`);
  return thing;
}

export function questionsOf(board: ModelBoard, task: number): ModelQuestion[] {
  return [...board.questions.values()].filter((question) => question.task === task);
}

export function blockersOf(board: ModelBoard, task: number): ModelBlocker[] {
  return [...board.blockers.values()].filter((blocker) => blocker.task === task);
}

export function isOver(status: TaskStatus): boolean {
  return status === "done" || status === "skipped";
}

export function dependenciesOf(task: ModelTask): number[] {
  return [...new Set([...task.declared, ...task.held])].sort((a, b) => a - b);
}

/** True if `from` depends on `to`, directly or by others. */
export function reaches(board: ModelBoard, from: number, to: number, seen = new Set<number>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return dependenciesOf(taskOf(board, from)).some((next) => reaches(board, next, to, seen));
}

const ranks: Readonly<Record<Priority, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

/** Pending tasks whose dependencies are all done or skipped and whose gates wait for nobody, the next one first (rules.md, Task statuses). */
export function readyOf(board: ModelBoard): number[] {
  return [...board.tasks.values()]
    .filter(
      (task) =>
        task.status === "pending" &&
        dependenciesOf(task).every((id) => isOver(taskOf(board, id).status)) &&
        task.gates.every(({ approval }) => approval !== "waiting"),
    )
    .sort((a, b) => ranks[a.priority] - ranks[b.priority] || a.id - b.id)
    .map(({ id }) => id);
}
