import type { EventLog } from "../../events/log.ts";
import type { Event } from "../../events/types/index.ts";
import { tasksIn } from "../../events/types/subject.ts";
import { isSettled } from "../../projections/board/dependencies.ts";
import {
  type Blocker,
  boardTables,
  type Question,
  type Session,
  type Suggestion,
} from "../../projections/board/tables.ts";
import { question, rowsIn, valuesIn } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ascending, type CitedEvent, citationsIn, eventsOfPlan, eventsOfTask } from "./cited-events.ts";
import { RULES, type Rule } from "./rules.ts";
import { type ExplainedChange, explainedChanges, ruleOfEnd } from "./status.ts";

/**
 * A step in the life of a question, blocker or suggestion: a rule, and the events that it
 * evaluated, ascending.
 */
export interface ItemStep {
  readonly means: Rule;
  readonly events: readonly number[];
}

/**
 * Why a question, a blocker or a suggestion has its state. Events are named by their positions and
 * listed in `events`.
 */
export interface ItemReasons {
  readonly kind: "question" | "blocker" | "suggestion";
  /** The position that the answer is about. */
  readonly at: number;
  readonly id: number;
  readonly task: number;
  readonly session: string;
  readonly state: string;
  /** From the current state back to its signal. */
  readonly because: readonly ItemStep[];
  /** The status changes whose rule evaluated it or a human's act on it, newest first. */
  readonly moved: readonly ExplainedChange[];
  /** Sessions whose prompts contain it, with the position of each prompt. */
  readonly prompts: readonly { readonly session: string; readonly position: number }[];
  readonly events: readonly CitedEvent[];
}

/** @param id the position of the signal. @returns undefined if there is none */
export async function whyItem(
  readModel: ReadModel,
  log: EventLog,
  { kind, id }: { readonly kind: ItemReasons["kind"]; readonly id: number },
): Promise<ItemReasons | undefined> {
  const item = itemAt(readModel, kind, id);
  if (!item) return undefined;
  const { row } = item;
  const at = readModel.position();
  const own = [...(await eventsOfTask(log, item.decidedOn, at)), ...(await eventsOfPlan(log, item.plan, at))];
  const acts = own.filter(({ payload }) => item.isNamedBy(payload));
  const because = byLastEvent([
    ...actSteps(readModel, acts, row.acted_at),
    ...item.stepsAfter(acts),
  ]).reverse();
  const named = new Set([id, row.acted_at, ...acts.map(({ position }) => position)]);
  const changes = [
    ...(await explainedChanges(readModel, log, row.task_id)),
    ...(item.decidedOn === row.task_id ? [] : await explainedChanges(readModel, log, item.decidedOn)),
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
    events: await citationsIn(
      readModel,
      log,
    )([
      ...because.flatMap(({ events }) => events),
      ...moved.flatMap(({ causes, counted }) => [...causes, ...counted]),
    ]),
  };
}

/** Sessions whose recorded prompts include an event; only a session's last prompt is known. */
export function promptsWith(readModel: ReadModel, position: number): { session: string; position: number }[] {
  return readModel.all(WITH_EVENT, { position });
}

const WITH_EVENT = question<{ position: number }>()((tables, given) =>
  tables
    .selectFrom("prompts")
    .select(["session_id as session", "position"])
    .where(({ exists, ref, selectFrom }) =>
      exists(
        selectFrom(rowsIn<number>(ref("positions")).as("part"))
          .select("part.key")
          .where("part.value", "=", given("position")),
      ),
    )
    .orderBy("position"),
);

/**
 * How many sessions' recorded prompts include each of some events, as `promptsWith` for one: reads
 * the prompts once for all of them. Absent for an event in no prompt.
 */
export function promptCounts(
  readModel: ReadModel,
  positions: readonly number[],
): ReadonlyMap<number, number> {
  const counts = readModel.all(COUNTS, { positions: JSON.stringify(positions) });
  return new Map(counts.map(({ position, prompts }) => [position, prompts]));
}

const COUNTS = question<{ positions: string }>()((tables, given) =>
  tables
    .selectFrom("prompts as p")
    .innerJoin(
      ({ ref }) => rowsIn<number>(ref("p.positions")).as("e"),
      (join) => join.onTrue(),
    )
    .select(({ fn }) => ["e.value as position", fn.count<number>("p.session_id").distinct().as("prompts")])
    .where("e.value", "in", valuesIn<number>(given("positions")))
    .groupBy("e.value"),
);

interface Item {
  readonly row: Question | Blocker | Suggestion;
  /** The task whose stream has the human acts on it. */
  readonly decidedOn: number;
  /** The plan whose stream has more of them. */
  readonly plan?: number | null;
  /** The state that rules gave it, considering human acts on it. */
  stepsAfter(acts: readonly Event[]): readonly ItemStep[];
  isNamedBy(payload: object): boolean;
}

function itemAt(readModel: ReadModel, kind: ItemReasons["kind"], id: number): Item | undefined {
  const board = readModel.rowsOf(boardTables);
  const isNamedBy = (payload: object) =>
    Object.entries(payload).some(([name, value]) => name === kind && value === id);
  if (kind === "suggestion") {
    const row = board.suggestions.get(id);
    if (!row) return undefined;
    const decidedOn = row.proposed_task ?? row.task_id;
    const isDecision = (payload: object) =>
      isNamedBy(payload) || ("plan" in payload && "tasks" in payload && tasksIn(payload).includes(decidedOn));
    const stepsAfter = () => suggestionSteps(readModel, row);
    return { row, decidedOn, plan: row.plan, isNamedBy: isDecision, stepsAfter };
  }
  const row = kind === "question" ? board.questions.get(id) : board.blockers.get(id);
  return (
    row && { row, decidedOn: row.task_id, isNamedBy, stepsAfter: (acts) => openedSteps(readModel, row, acts) }
  );
}

/**
 * The effect of its session's end, and of later task changes, on a question or a blocker; once a
 * human has decided, no rule applies any more.
 */
function openedSteps(readModel: ReadModel, row: Question | Blocker, acts: readonly Event[]): ItemStep[] {
  const { id, session_id, late, acted_at } = row;
  if (late) return [{ means: RULES.late, events: [id] }];
  const session = readModel.rowsOf(boardTables).sessions.get(session_id);
  const steps: ItemStep[] = [{ means: RULES.raised, events: [id] }];
  if (!session || session.ended_position === null) return steps;
  const ended = session.ended_position;
  const end = ascending([session.last_closing_position ?? ended, ended]);
  if (session.outcome === "success") steps.push({ means: RULES.done, events: end });
  else if ("question" in row && !row.blocking) steps.push({ means: RULES.informational, events: [ended] });
  else steps.push(...afterPartial(readModel, row, { session, ended, end, acts }));
  return acted_at === null ? steps : steps.filter(({ events }) => (events.at(-1) ?? 0) < acted_at);
}

/**
 * Steps 7 and 10 for an item left open by its session, and step 5 for when its task is done later.
 */
function afterPartial(
  readModel: ReadModel,
  row: Question | Blocker,
  {
    session,
    ended,
    end,
    acts,
  }: { session: Session; ended: number; end: readonly number[]; acts: readonly Event[] },
): ItemStep[] {
  const { statusChanges } = readModel.rowsOf(boardTables);
  const verb = ruleOfEnd(readModel, session);
  const opened = [...(verb ? [{ means: verb, events: end }] : []), { means: RULES.opened, events: end }];
  const without = row.state_without_act ?? row.state;
  const steps = "on" in row ? linkSteps(readModel, row, { ended, opened, acts }) : opened;
  const done = statusChanges
    .where({ task_id: row.task_id })
    .find(({ position, to_status, rule }) => position > ended && isDone(to_status, rule));
  return without === "informational" && done
    ? [...steps, { means: RULES.done, events: [done.position] }]
    : steps;
}

/**
 * Step 10: the task that the blocker was linked to when it opened, or why to none, and the
 * consequences.
 */
function linkSteps(
  readModel: ReadModel,
  row: Blocker,
  { ended, opened, acts }: { ended: number; opened: ItemStep[]; acts: readonly Event[] },
): ItemStep[] {
  if (row.kind !== "upstream_task") return opened;
  // If a human acted on it before its session ended, it is evaluated when that act is undone.
  const wasActedOn = acts.findLast(({ position }) => position < ended)?.type.endsWith(".reopened") === false;
  const takenBack = acts.find(({ position, type }) => position > ended && type.endsWith(".reopened"));
  const at = wasActedOn ? (takenBack?.position ?? ended) : ended;
  const events = [row.id, at];
  if (row.contests) return [...(at === ended ? [] : opened), { means: RULES.contested, events }];
  if (row.circle_with !== null) return [...opened, { means: RULES.circle, events }];
  if (row.depends_on === null) return [...opened, { means: RULES.unnamed, events }];
  const linked = [...opened, { means: RULES.linked, events }];
  const settled = readModel
    .rowsOf(boardTables)
    .statusChanges.where({ task_id: row.depends_on })
    .find(({ position, to_status }) => position > at && isSettled({ status: to_status }));
  const resolvedItself = (row.state_without_act ?? row.state) === "resolved";
  return resolvedItself && settled
    ? [...linked, { means: RULES.released, events: [settled.position] }]
    : linked;
}

/** The effects of a verified done apply before the human accepts it. */
function isDone(to: string, rule: string): boolean {
  return to === "done" || (to === "needs_input" && (rule === "humans: accept" || rule === "evidence: ask"));
}

function suggestionSteps(readModel: ReadModel, row: Suggestion): ItemStep[] {
  const { id, late, kind, session_id } = row;
  if (late) return [{ means: RULES.late, events: [id] }];
  const ended = readModel.rowsOf(boardTables).sessions.get(session_id)?.ended_position ?? null;
  if (kind === "plan") return [{ means: RULES.planned, events: ended === null ? [id] : [id, ended] }];
  const said = { means: kind === "new_task" ? RULES.raised : RULES.stored, events: [id] };
  return kind === "new_task" && ended !== null ? [said, { means: RULES.proposed, events: [ended] }] : [said];
}

/**
 * @param actedAt the position of an act on the whole task: its status set manually, or its deletion; or of the end of a session
 * whose plan replaced it
 */
function actSteps(readModel: ReadModel, acts: readonly Event[], actedAt: number | null): ItemStep[] {
  const steps = acts.map(
    ({ type, position }): ItemStep => ({
      means: type.endsWith(".reopened") ? RULES.undone : RULES.acted,
      events: [position],
    }),
  );
  const isListed = actedAt === null || acts.some(({ position }) => position === actedAt);
  if (isListed) return steps;
  const changes = readModel.rowsOf(boardTables).statusChanges.where({ position: actedAt });
  const isReplaced = changes.some(({ rule }) => rule === "plans: replaced");
  return [...steps, { means: isReplaced ? RULES.replaced : RULES.byHand, events: [actedAt] }];
}

/** Sorted by the last event of each; steps with the same event keep their order. */
function byLastEvent(steps: readonly ItemStep[]): ItemStep[] {
  return [...steps].sort((a, b) => (a.events.at(-1) ?? 0) - (b.events.at(-1) ?? 0));
}
