import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../src/decisions/decide.ts";
import { recording } from "../../src/decisions/reads.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { beginMerge } from "../../src/decisions/rules/merges.ts";
import { type State, stateOf } from "../../src/decisions/state.ts";
import type { Store } from "../../src/decisions/store.ts";
import { meets } from "../../src/events/tags.ts";
import type { Event } from "../../src/events/types/index.ts";
import { createFeature, deleteFeature } from "../../src/operations/features.ts";
import { loseHost } from "../../src/operations/hosts.ts";
import { queueMerge } from "../../src/operations/merges.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import {
  endSession,
  startSession,
  startSessionApart,
  startSessionOn,
} from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { type Command, type History, histories } from "../properties/commands.ts";
import { execute, openMemoryStore } from "../properties/executor.ts";
import { decisionOf } from "../properties/resolve.ts";
import { assertUntil, runs } from "../properties/runs.ts";
import { catalogueCases } from "./catalogue-cases.ts";
import { gateCases } from "./gate-cases.ts";
import { givenProject, type Happens } from "./given.ts";
import { noteCases } from "./note-cases.ts";
import { runCases } from "./run-cases.ts";
import { workCases } from "./work-cases.ts";

/*
 * Catches: an event without a tag of what it changes, a question that notes too little. Either lets a decision be recorded that
 * is impossible by then.
 */

const drawn = fc.infiniteStream(fc.nat());
const cases = [...catalogueCases, ...workCases, ...runCases, ...noteCases, ...gateCases];

test("a decision plans the same after whatever its condition lets pass", async () => {
  const counts = { passed: 0, needed: 0 };
  await assertUntil(
    fc.asyncProperty(histories, drawn, (history, numbers) =>
      beside(history, numbers, (state, decision) => {
        const { planned, read } = plan(state, decision);
        if (planned === undefined) return undefined;
        return (events) => {
          const after = plan(state, decision).planned;
          if (JSON.stringify(after) !== JSON.stringify(planned)) counts.needed += 1;
          if (events.some((event) => meets(event, read))) return;
          counts.passed += 1;
          expect(after, `${typesOf(events)} passed ${[...read].join(" ")}`).toEqual(planned);
        };
      }),
    ),
    20,
    () => Math.min(counts.passed, counts.needed) > 60,
  );
});

test("no question of a decision is answered differently after events that its tags let pass", async () => {
  const changed = new Set<string>();
  await assertUntil(
    fc.asyncProperty(histories, drawn, (history, numbers) =>
      beside(history, numbers, (state, decision) => {
        const questions = questionsOf(state, decision);
        return (events) => {
          for (const { table } of expectMet(state, questions, events)) changed.add(table);
        };
      }),
    ),
    15,
    () => ["tasks", "gates", "sessions"].every((table) => changed.has(table)),
  );
});

test("nor after another decision of any type", async () => {
  const one = fc.constantFrom(...cases);
  await fc.assert(
    fc.asyncProperty(one, one, async (asked, other) => {
      const { store, does, decides } = await givenProject();
      for (const happens of [...(asked.before ?? []), ...(other.before ?? [])])
        await unlessRefused(does(happens));
      const state = stateOf(store.readModel);
      const questions = questionsOf(state, asked.asked);
      const events = await unlessRefused(decides(other.asked));
      expectMet(state, questions, events ?? []);
    }),
    runs(50),
  );
});

test("few decisions read so much that any event stops them", async () => {
  const found: string[] = [];
  for (const { what, before = [], asked } of cases) {
    const { store, does } = await givenProject();
    await does(...before);
    if (plan(stateOf(store.readModel), asked).read.has("*")) found.push(what);
  }
  expect(found).toEqual([
    "an action on a gate by its item: retry",
    "an action on a gate by its item: skip",
    "an action on a gate by its item: abort",
  ]);
});

const started = [createTask({ title: "Free" }), startSession({ task: 1, session: "s-2", force: true })];
const work = { branch: "b", commit: "a40c1e7", base: "main" };
const queuedTwice = [4, 5].flatMap((task) => [
  createTask({ title: "A" }),
  setTaskStatus({ task, status: "done" }),
  queueMerge({ ...work, task }),
]);
const HOST = { host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11", name: "build-1" };

/** One for each rule that events tell more than their task and session. */
const meetings: readonly (readonly [
  what: string,
  before: readonly Happens[],
  asked: Decision,
  other: Decision,
])[] = [
  ["two tasks of one id", [], createTask({ title: "A" }), createTask({ title: "B" })],
  [
    "two tasks that would wait for each other",
    [createTask({ title: "A" }), createTask({ title: "B" })],
    changeTask({ task: 4, depends_on: [5] }),
    changeTask({ task: 5, depends_on: [4] }),
  ],
  [
    "a task that is started by force, and waits for one whose session ends",
    [...started, setTaskStatus({ task: 2, status: "pending" })],
    startSession({ task: 2, session: "s-3", force: true }),
    endSession({ session: "s-2", exit: "exited" }),
  ],
  [
    "one policy that two set",
    [],
    setPolicy({ policy: "stuck_limit", value: 2 }),
    setPolicy({ policy: "stuck_limit", value: 2 }),
  ],
  [
    "two merges at once",
    queuedTwice,
    beginMerge({ ...work, task: 4, driver: "d-1", insteadOf: undefined }),
    beginMerge({ ...work, task: 5, driver: "d-2", insteadOf: undefined }),
  ],
  [
    "a host that is declared lost, and starts a session",
    [],
    loseHost({ host: HOST.host, epoch: 1 }),
    startSessionOn(HOST, { task: 1, session: "s-2", force: true }),
  ],
  [
    "two tasks that make the same files",
    [4, 5].map((task) => createTask({ title: `Task ${task}`, output_artifacts: ["src"] })),
    startSessionApart(undefined, { task: 4, session: "s-4" }),
    startSessionApart(undefined, { task: 5, session: "s-5" }),
  ],
  [
    "a host that is declared lost twice",
    [],
    loseHost({ host: HOST.host, epoch: 1 }),
    loseHost({ host: HOST.host, epoch: 1 }),
  ],
  [
    "a feature that is deleted, and named by a new one",
    [createFeature({ name: "core" })],
    deleteFeature({ name: "core" }),
    createFeature({ name: "web", dependencies: ["core"] }),
  ],
];

test.each(meetings)("of %s the second is planned again", async (_what, before, asked, other) => {
  const { store, does, decides } = await givenProject();
  await does(...before);
  const state = stateOf(store.readModel);
  const { read } = plan(state, asked);
  const events = await decides(other);
  expect(events.some((event) => meets(event, read))).toBe(true);
});

/**
 * Executes a history. Before each step some decisions are looked at that are possible just then; what `look` returns is told the
 * events of the step.
 */
async function beside(
  history: History,
  numbers: fc.Stream<number>,
  look: (state: State, decision: Decision) => ((events: readonly Event[]) => void) | undefined,
): Promise<void> {
  const store = openMemoryStore();
  const state = stateOf(store.readModel);
  const creations = history.project.map((task): Command => ({ do: "create", task }));
  const commands = [...creations, ...history.commands].filter(decides);
  await execute(store, history, async (perform) => {
    await catchUp(store.readModel, store.log);
    const before = store.readModel.position();
    const drawn = Array.from({ length: 6 }, () => commands[(numbers.next().value ?? 0) % commands.length]);
    const looks = drawn.map((command) => command && look(state, decisionOf(state, command)));
    const step = await perform();
    const events = await eventsAfter(store, before);
    for (const tell of looks) tell?.(events);
    return step;
  });
  store.readModel.close();
}

async function eventsAfter({ log, readModel }: Store, position: number): Promise<readonly Event[]> {
  await catchUp(readModel, log);
  return log.read(position, 1_000);
}

function decides(command: Command): command is Exclude<Command, { do: "signal" | "state" }> {
  return command.do !== "signal" && command.do !== "state";
}

/** What a decision plans, undefined if it is refused; a refusal is recorded on no condition. */
function plan(state: State, decision: Decision) {
  const { state: noting, read } = recording(state);
  return { planned: plannedBy(decision, noting), read };
}

function plannedBy(decision: Decision, state: State) {
  try {
    return decision.plan(state);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

async function unlessRefused<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

interface Question {
  readonly table: string;
  readonly words: string;
  readonly ask: (state: State) => unknown;
  readonly answer: string;
  readonly read: ReadonlySet<string>;
}

/** @returns the questions that are answered differently now */
function expectMet(state: State, questions: readonly Question[], events: readonly Event[]): Question[] {
  const changed = questions.filter(({ ask, answer }) => JSON.stringify(ask(state)) !== answer);
  for (const { words, read } of changed) {
    const isMet = events.some((event) => meets(event, read));
    expect(isMet, `${typesOf(events)} changed ${words}, and bears none of: ${[...read].join(" ")}`).toBe(
      true,
    );
  }
  return changed;
}

function typesOf(events: readonly Event[]): string {
  return events.map(({ type, payload }) => `${type} ${JSON.stringify(payload)}`).join(", ");
}

/** The questions of a decision, each with its own tags; none of one that is refused. */
function questionsOf(state: State, decision: Decision): Question[] {
  const asked: Pick<Question, "table" | "words" | "ask">[] = [];
  const tables = Object.entries(state).map(([table, rows]) => {
    const noting = ["get", "where", "first", "scan"].map((method) => [
      method,
      (...args: unknown[]) => {
        // Without the decision's own test of rows: all that are found count.
        const given = args.filter((arg) => typeof arg !== "function");
        const words = `${table}.${method}(${JSON.stringify(given)})`;
        asked.push({ table, words, ask: (of) => call(of, table, method, given) });
        return call(state, table, method, args);
      },
    ]);
    return [table, { ...(rows as object), ...Object.fromEntries(noting) }];
  });
  if (!plannedBy(decision, Object.fromEntries(tables))) return [];
  return asked.map((question) => {
    const { state: noting, read } = recording(state);
    return { ...question, answer: JSON.stringify(question.ask(noting)), read };
  });
}

/** By names that are known at run time alone. */
function call(state: State, table: string, method: string, args: readonly unknown[]): unknown {
  const rows = state[table as keyof State] as unknown as Record<
    string,
    (...args: readonly unknown[]) => unknown
  >;
  return rows[method]?.(...args);
}
