import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../src/decisions/refusal.ts";
import { type State, stateOf } from "../../src/decisions/state.ts";
import { taskStatuses } from "../../src/events/types/fields.ts";
import { sessionExits } from "../../src/events/types/sessions.ts";
import { OwnSessions } from "../../src/mcp/own-sessions.ts";
import type { Call } from "../../src/mcp/tool.ts";
import { ToolRefusal } from "../../src/mcp/tool-refusal.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import type { Task } from "../../src/projections/board/tables.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { histories } from "./commands.ts";
import { execute, openMemoryStore } from "./executor.ts";
import { runs } from "./runs.ts";

/*
 * Random calls of every tool that writes, between what humans and drivers do. Each call is judged by the board before and after
 * it, by what rules.md says and not by the function that refuses (src/decisions/rules/left-to-human.ts).
 */

type Args = Record<string, unknown>;
interface Numbers {
  readonly n: number;
  readonly m: number;
}

/** Arguments for each tool that writes, of what there is; the recipes have these tools, or some of them. */
const CALLS: Readonly<Record<string, (state: State, numbers: Numbers) => Args>> = {
  set_task_status: (state, { n, m }) => ({ id: taskAt(state, n), status: SETTABLE[m % SETTABLE.length] }),
  delete_task: (state, { n }) => ({ id: taskAt(state, n) }),
  enrich_task: (state, { n }) => ({ id: taskAt(state, n), pseudocode: "for each order: write a line" }),
  update_task: (state, { n, m }) => ({
    id: taskAt(state, n),
    title: "Login form",
    depends_on: m % 2 === 0 ? [] : [taskAt(state, m)],
  }),
  create_task: (_, { n }) => ({
    ...{ feature: "core", discipline: "backend", title: "Export" },
    ...(n % 3 === 0 && { verify: ["npm test"] }),
  }),
  create_ralph_session: (state, { n }) => ({ taskId: taskAt(state, n) }),
  complete_ralph_session: (state, { n, m }) => ({
    sessionId:
      nth(
        state.sessions.scan(({ completed_at }) => completed_at === null),
        n,
      )?.id ?? "s-none",
    exit: sessionExits[m % sessionExits.length],
  }),
  update_session_state: (state, { n }) => ({
    sessionId: nth(state.sessions.scan(), n)?.id ?? "s-none",
    state: "testing",
  }),
  verify: () => ({}),
  done: () => ({ summary: "All of it." }),
  partial: () => ({ summary: "Half.", remaining: "The rest." }),
  stuck: () => ({ reason: "No access." }),
  ask: () => ({ question: "Tabs?", blocking: true }),
  flag: () => ({ what: "Old", severity: "blocking", category: "stale" }),
  learned: () => ({ text: "Times are UTC.", kind: "discovery" }),
  suggest: () => ({ what: "Export as XML", kind: "new_task", why: "Asked for." }),
  blocked: (state, { n }) => ({ on: `task ${taskAt(state, n)}`, kind: "upstream_task" }),
  add_task_comment: (state, { n }) => ({ task_id: taskAt(state, n), author: "backend", body: "Shared." }),
  update_task_comment: (state, { n }) => ({ ...commentAt(state, n), body: "Other words." }),
  delete_task_comment: (state, { n }) => commentAt(state, n),
  create_feature: (_, { n }) => ({ name: `made-${n}`, display_name: "Made" }),
  update_feature: () => ({ name: "core", description: "All." }),
  delete_feature: (_, { n }) => ({ name: n % 2 === 0 ? "core" : `made-${n}` }),
  add_feature_context_file: () => ({ feature_name: "core", file_path: "docs/x.md" }),
  append_feature_learning: () => ({ feature_name: "core", text: "Times are UTC." }),
  create_discipline: (_, { n }) => ({
    ...{ name: `made-${n}`, display_name: "Made", acronym: "MADE", icon: "m", color: "#112233" },
    ...{ system_prompt: "You.", skills: [], conventions: "None." },
  }),
  update_discipline: () => ({ name: "backend", display_name: "Servers" }),
  delete_discipline: (_, { n }) => ({ name: n % 2 === 0 ? "backend" : `made-${n}` }),
  append_learning: () => ({ text: "Times are UTC." }),
  append_progress: () => ({ text: "Half." }),
};
const SETTABLE = taskStatuses.filter((status) => status !== "needs_input" && status !== "failed");

/** Most calls are of the tools that move tasks: the others have little to undo. */
const MOVING = ["set_task_status", "set_task_status", "set_task_status", "delete_task", "enrich_task"];
const RUNNING = [
  "create_ralph_session",
  "done",
  "done",
  "complete_ralph_session",
  "partial",
  "ask",
  "blocked",
];

const call = fc.record({
  tool: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...MOVING) },
    { weight: 5, arbitrary: fc.constantFrom(...RUNNING) },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(CALLS)) },
  ),
  n: fc.nat({ max: 7 }),
  m: fc.nat({ max: 7 }),
});
/** After how many steps of a history an agent makes these calls, one list after another. */
const calls = fc.array(fc.array(call, { maxLength: 3 }), { minLength: 40, maxLength: 40 });

test("the tools that an agent is tried with are all that write", () => {
  const writing = tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(Object.keys(CALLS).sort()).toEqual(writing.toSorted());
  const nothing = stateOf(openMemoryStore().readModel);
  for (const { name, input } of tools) {
    const args = CALLS[name]?.(nothing, { n: 0, m: 0 });
    if (args) expect(input.safeParse(args).error, name).toBeUndefined();
  }
});

test("no sequence of an agent's calls removes a question to a human or changes a human's decision", async () => {
  const seen = { open: 0, decided: 0, refused: 0, taken: 0 };
  await fc.assert(
    fc.asyncProperty(histories, calls, async (history, lists) => {
      const store = openMemoryStore();
      const sessions = new OwnSessions("c-1");
      const state = stateOf(store.readModel);
      let step = 0;
      await execute(store, history, async (perform) => {
        const performed = await perform();
        for (const { tool, ...numbers } of lists[step++ % lists.length] ?? []) {
          await catchUp(store.readModel, store.log);
          const before = humansPart(state, store.readModel);
          const args = CALLS[tool]?.(state, numbers) ?? {};
          const accepted = await accepts({ store, sessions }, tool, args);
          await catchUp(store.readModel, store.log);
          const after = humansPart(state, store.readModel);
          expect(lost(before, after, state), `${tool} ${JSON.stringify(args)}`).toEqual([]);
          expect(wronglyMoved(tool, before, state), `${tool} ${JSON.stringify(args)}`).toEqual([]);
          seen.open += before.open.size;
          seen.decided += before.decided.size;
          seen[accepted ? "taken" : "refused"] += 1;
        }
        return performed;
      });
      store.readModel.close();
    }),
    runs(15),
  );
  expect(Object.values(seen).filter((times) => times === 0)).toEqual([]);
});

/** One call of a server whose client has the tools of the recipe `all`. */
async function accepts(server: Pick<Call, "store" | "sessions">, name: string, args: Args): Promise<boolean> {
  const tool = tools.find((one) => one.name === name);
  const call = { ...server, eventId: server.store.environment.newId(), key: undefined };
  try {
    await tool?.run(tool.input.parse(args), call);
    return true;
  } catch (error) {
    if (error instanceof Refusal || error instanceof ToolRefusal) return false;
    throw error;
  }
}

/** All that is a human's at a moment: what is asked, by the task on which, and what was decided, in words that say all of it. */
interface HumansPart {
  readonly head: number;
  readonly tasks: ReadonlyMap<number, Task>;
  /** Tasks with an open question or blocker, or with a gate that is not passed or skipped. */
  readonly held: ReadonlySet<number>;
  /** What is asked, each with the tasks whose own done answers it: that on which it was asked, and that which it is linked to. */
  readonly open: ReadonlyMap<string, readonly number[]>;
  /** What was decided, each with the task whose next session may go on from there. */
  readonly decided: ReadonlyMap<string, number | null>;
}

function humansPart(state: State, readModel: ReadModel): HumansPart {
  const open = new Map<string, readonly number[]>();
  const decided = new Map<string, number | null>();
  const held = new Set<number>();
  const asked = [
    ...state.questions.scan().map((row) => ({ ...row, is: "question", link: [] as number[] })),
    ...state.blockers
      .scan()
      .map((row) => ({ ...row, is: "blocker", link: row.depends_on === null ? [] : [row.depends_on] })),
  ];
  for (const { is, id, task_id, state: now, state_without_act: behind, acted_at, link } of asked) {
    if (!state.tasks.get(task_id)) continue;
    if (now === "open") open.set(`${is} ${id}`, [task_id, ...link]);
    if (now === "open") held.add(task_id);
    if (acted_at === null) continue;
    decided.set(`${is} ${id} ${now} at ${acted_at}`, null);
    // Until the next session starts: what is final then is not asked again.
    if (behind === "open" && (state.tasks.get(task_id)?.last_start ?? 0) < acted_at)
      open.set(`${is} ${id} behind ${acted_at}`, [task_id, ...link]);
  }
  for (const { id, state: now, proposed_task } of state.suggestions.scan()) {
    if (now === "proposed") decided.set(`${id} undecided, draft ${proposed_task}`, null);
    else if (now !== "stored") decided.set(`${id} ${now}`, null);
  }
  for (const row of state.gates.scan()) {
    const { task_id, gate, state: now, approval, approval_position } = row;
    const words = `gate ${task_id}/${gate}`;
    if (now !== "passed" && now !== "skipped") held.add(task_id);
    if (approval !== "unneeded") decided.set(`${words} ${approval} ${approval_position}`, null);
    if (["escalated", "aborted", "skipped"].includes(now)) decided.set(`${words} ${now}`, null);
  }
  const tasks = new Map(state.tasks.scan().map((task) => [task.id, task]));
  for (const { id, status, awaiting_acceptance, suggestion, open_session } of tasks.values()) {
    if (awaiting_acceptance) decided.set(`task ${id} waits to be accepted`, null);
    const last = state.statusChanges.where({ task_id: id }).at(-1);
    const rule = last?.rule ?? "";
    const isProposal = suggestion !== null && state.suggestions.get(suggestion)?.acted_at === last?.position;
    const isDecision =
      isProposal ||
      // By the same rule a done waits to be accepted, which decides nothing yet.
      (rule === "humans: accept" && last?.to_status === "done") ||
      ["humans: send back", "humans: approved", "humans: rejected", "gates: skip"].includes(rule);
    if (isDecision && !awaiting_acceptance && open_session === null)
      decided.set(`task ${id} ${status} by ${last?.position}`, id);
  }
  for (const { id, actor, body, task_id } of state.comments.scan()) {
    if (actor !== "agent" && tasks.has(task_id)) decided.set(`comment ${id} on ${task_id}: ${body}`, null);
  }
  for (const { id, task, read_by } of undoableActs(readModel, 1_000)) {
    if (read_by === null) decided.set(`${id} can be taken back`, task);
  }
  return { head: readModel.position(), tasks, held, open, decided };
}

/**
 * What was a human's before a call and is not afterwards, but by the own session's done, or where a session started. A done is also
 * what makes the decision on a gate final.
 */
function lost(before: HumansPart, after: HumansPart, state: State): string[] {
  const sessions = state.sessions.scan();
  const isDone = (id: number) =>
    sessions.some(
      ({ task_id, outcome, ended_position: at }) =>
        task_id === id && outcome === "success" && (at ?? 0) > before.head,
    );
  const isStarted = (id: number) =>
    sessions.some(({ task_id, started_position: at }) => task_id === id && at > before.head);
  const commentsOf = [...after.decided.keys()];
  return [
    ...[...before.open]
      .filter(([words, tasks]) => !after.open.has(words) && !tasks.some(isDone))
      // An act is final once the next session has started.
      .filter(([words, [task = 0]]) => !(words.includes(" behind ") && isStarted(task)))
      .map(([words]) => words),
    ...[...before.decided]
      .filter(
        ([words, task]) =>
          !commentsOf.includes(words) && !(task !== null && (isStarted(task) || isDone(task))),
      )
      .map(([words]) => words),
  ];
}

/** rules.md to the letter: tasks with something open, or with gates in the way, that a call finished, freed or deleted. */
function wronglyMoved(tool: string, before: HumansPart, state: State): number[] {
  if (tool !== "set_task_status" && tool !== "delete_task") return [];
  return [...before.held].filter((id) => {
    const [was, is] = [before.tasks.get(id)?.status, state.tasks.get(id)?.status ?? "deleted"];
    return was !== is && ["done", "pending", "skipped", "deleted"].includes(is);
  });
}

function taskAt(state: State, index: number): number {
  return nth(state.tasks.scan(), index)?.id ?? 9_999;
}

function commentAt(state: State, index: number): Args {
  const comment = nth(state.comments.scan(), index);
  return { task_id: comment?.task_id ?? 1, comment_id: comment?.id ?? 1 };
}

function nth<T>(things: readonly T[], index: number): T | undefined {
  return things.length > 0 ? things[index % things.length] : undefined;
}
