import type { EventLog } from "../../events/log.ts";
import type { Event } from "../../events/types/index.ts";
import { type Blocker, boardTables, type Question, type Suggestion } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { eventsOfTask, type Fact, factsIn } from "./fact.ts";
import { RULES, type Rule } from "./rules.ts";
import { type StatusReason, statusReasons } from "./status.ts";

/** A step in the life of something that a session raised: a rule, and the events that it looked at, ascending. */
export interface ItemStep {
  readonly means: Rule;
  readonly events: readonly number[];
}

/** Why a question, a blocker or a suggestion is as it is. Events are named by their positions and stand in `events`. */
export interface ItemReasons {
  readonly kind: "question" | "blocker" | "suggestion";
  /** The position as of which this is the answer. */
  readonly at: number;
  readonly id: number;
  readonly task: number;
  readonly session: string;
  readonly state: string;
  /** From the present state back to when it was said. */
  readonly because: readonly ItemStep[];
  /** The changes of statuses for which a rule looked at it or at a human's act on it, the last one first. */
  readonly moved: readonly StatusReason[];
  /** Sessions whose prompts say it, with the position of each prompt. */
  readonly prompts: readonly { readonly session: string; readonly position: number }[];
  readonly events: readonly Fact[];
}

/** @param id the position of the signal. @returns undefined where there is no such thing */
export async function whyItem(
  readModel: ReadModel,
  log: EventLog,
  { kind, id }: { readonly kind: ItemReasons["kind"]; readonly id: number },
): Promise<ItemReasons | undefined> {
  const item = itemAt(readModel, kind, id);
  if (!item) return undefined;
  const { row } = item;
  const at = readModel.position();
  const own = await eventsOfTask(log, item.decidedOn, at);
  const acts = own.filter(({ payload }) => item.isNamedBy(payload));
  const because = ascending([...item.steps, ...actSteps(acts, row.acted_at)]).reverse();
  const named = new Set([id, ...acts.map(({ position }) => position)]);
  const changes = [
    ...(await statusReasons(readModel, log, row.task_id)),
    ...(item.decidedOn === row.task_id ? [] : await statusReasons(readModel, log, item.decidedOn)),
  ];
  const moved = changes.filter(({ causes }) => causes.some((cause) => named.has(cause)));
  return {
    kind,
    at,
    id,
    task: row.task_id,
    session: row.session_id,
    state: row.state,
    because,
    moved,
    prompts: promptsWith(readModel, id),
    events: await factsIn(readModel, log).at([
      ...because.flatMap(({ events }) => events),
      ...moved.flatMap(({ causes, counted }) => [...causes, ...counted]),
    ]),
  };
}

/** Sessions whose recorded prompts have an event in them; only the last prompt of a session is known. */
export function promptsWith(readModel: ReadModel, position: number): { session: string; position: number }[] {
  return readModel
    .prepared<[number], { session: string; position: number }>(
      `SELECT session_id AS session, position FROM prompts
       WHERE EXISTS (SELECT 1 FROM json_each(positions) WHERE value = ?) ORDER BY position`,
    )
    .all(position);
}

interface Item {
  readonly row: Question | Blocker | Suggestion;
  /** The task in whose stream humans' acts on it are. */
  readonly decidedOn: number;
  readonly steps: readonly ItemStep[];
  isNamedBy(payload: object): boolean;
}

function itemAt(readModel: ReadModel, kind: ItemReasons["kind"], id: number): Item | undefined {
  const board = readModel.rowsOf(boardTables);
  const isNamedBy = (payload: object) =>
    Object.entries(payload).some(([name, value]) => name === kind && value === id);
  if (kind === "suggestion") {
    const row = board.suggestions.get(id);
    const decidedOn = row?.proposed_task ?? row?.task_id ?? 0;
    return row && { row, decidedOn, isNamedBy, steps: suggestionSteps(readModel, row) };
  }
  const row = kind === "question" ? board.questions.get(id) : board.blockers.get(id);
  return row && { row, decidedOn: row.task_id, isNamedBy, steps: openedSteps(readModel, row) };
}

/** What the end of its session, and what happened to tasks since, made of a question or a blocker. */
function openedSteps(readModel: ReadModel, row: Question | Blocker): ItemStep[] {
  const { id, task_id, session_id } = row;
  if (row.late) return [{ means: RULES.late, events: [id] }];
  const { sessions, statusChanges } = readModel.rowsOf(boardTables);
  const session = sessions.get(session_id);
  const ended = session?.ended_position ?? null;
  const raised = { means: RULES.raised, events: [id] };
  if (ended === null) return [raised];
  const closed = session?.last_closing_position;
  const end = closed == null ? [ended] : [closed, ended];
  if (session?.outcome === "success") return [raised, { means: RULES.done, events: end }];
  if ("question" in row && !row.blocking) return [raised, { means: RULES.informational, events: [ended] }];
  const steps: ItemStep[] = [raised, { means: RULES.opened, events: end }];
  if ("depends_on" in row && row.depends_on !== null) {
    steps.push({ means: row.contests ? RULES.contested : RULES.linked, events: [id, ended] });
    const settled = statusChanges
      .where({ task_id: row.depends_on }, ({ to_status }) => to_status === "done" || to_status === "skipped")
      .find(({ position }) => position > ended);
    const resolvedItself = !row.contests && (row.state_without_act ?? row.state) === "resolved";
    if (resolvedItself && settled) steps.push({ means: RULES.released, events: [settled.position] });
  }
  const done = statusChanges
    .where({ task_id })
    .find(({ position, to_status, rule }) => position > ended && isDone(to_status, rule));
  const isInformation = (row.state_without_act ?? row.state) === "informational";
  return isInformation && done ? [...steps, { means: RULES.done, events: [done.position] }] : steps;
}

/** A verified done that a human is to accept has its effects before the human does. */
function isDone(to: string, rule: string): boolean {
  return to === "done" || (to === "needs_input" && rule === "humans: accept");
}

function suggestionSteps(readModel: ReadModel, row: Suggestion): ItemStep[] {
  const { id, late, kind, session_id } = row;
  if (late) return [{ means: RULES.late, events: [id] }];
  const ended = readModel.rowsOf(boardTables).sessions.get(session_id)?.ended_position ?? null;
  const said = { means: kind === "new_task" ? RULES.raised : RULES.stored, events: [id] };
  return kind === "new_task" && ended !== null ? [said, { means: RULES.proposed, events: [ended] }] : [said];
}

/** @param actedAt where the act is on the whole task: its status set by hand, or its deletion */
function actSteps(acts: readonly Event[], actedAt: number | null): ItemStep[] {
  const steps = acts.map(
    ({ type, position }): ItemStep => ({
      means: type.endsWith(".reopened") ? RULES.undone : RULES.acted,
      events: [position],
    }),
  );
  const isListed = actedAt === null || acts.some(({ position }) => position === actedAt);
  return isListed ? steps : [...steps, { means: RULES.byHand, events: [actedAt] }];
}

/** By the last event of each; steps of one event stay as they are. */
function ascending(steps: readonly ItemStep[]): ItemStep[] {
  return [...steps].sort((a, b) => (a.events.at(-1) ?? 0) - (b.events.at(-1) ?? 0));
}
