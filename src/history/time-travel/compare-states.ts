import { shorten } from "../../lib/shorten.ts";
import { type Question, question, valuesIn } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { diffStates, type StateDiff, type TaskDiff } from "./diff.ts";

/** One difference between an earlier and a later state. */
export interface StateChange {
  /** The task that it belongs to; null if none. */
  readonly task: number | null;
  readonly title: string;
  /** The field or part of the task, in words: `status`, `session s-1`, `question: Which zone?`. */
  readonly what: string;
  /** The kind of states that `from` and `to` are, as the tables name them; null for texts. */
  readonly states: "task" | "question" | "blocker" | null;
  /** Null for something new. */
  readonly from: string | null;
  readonly to: string | null;
  /** A question's answer, else null. */
  readonly answer: string | null;
  /** Positions of the events that changed it, ascending, if the read model has them. */
  readonly events: readonly number[];
}

export interface Comparison {
  readonly counts: StateDiff["counts"];
  readonly changes: readonly StateChange[];
}

/**
 * The differences of two states as a list; tasks first, ordered by id.
 *
 * @param range the positions of both states: its events are after `from` and up to `to`
 */
export function compareStates(before: ReadModel, after: ReadModel, range: Range): Comparison {
  const { counts, tasks, learnings } = diffStates(before, after);
  const statuses = positionsOf(after, range, STATUS_CHANGES);
  const sessions = positionsOf(after, range, SESSIONS);
  const acts = positionsOf(after, range, ACTS);
  const edited = tasks.filter(({ fields }) => fields.length > 0).map(({ task }) => task);
  const [earlier, later] = [rowsOf(before, edited), rowsOf(after, edited)];
  const isBetween = (position: number) => position > range.from && position <= range.to;
  const learned = ({ id, text, from, to }: StateDiff["learnings"][number]) => ({
    what: "learned",
    from: from === null ? null : `${text} (said ${timesIn(from)})`,
    to: from === null ? text : `${text} (said ${timesIn(to)})`,
    events: [id].filter(isBetween),
  });
  const changes = tasks.flatMap((diff): StateChange[] => {
    const { task, title } = diff;
    const asked = (id: number) => [id, ...(acts.get(id) ?? [])].filter(isBetween);
    const parts: Part[] = [
      ...statusChange(diff, statuses.get(task) ?? []).map((part) => ({ ...part, states: "task" as const })),
      ...diff.fields.map((field) => ({
        what: field.replaceAll("_", " "),
        from: worded(earlier.get(task)?.[field]),
        to: worded(later.get(task)?.[field]),
        events: [],
      })),
      ...diff.sessions.map(({ session, from, to }) => ({
        what: `session ${session}`,
        from,
        to,
        events: sessions.get(session) ?? [],
      })),
      ...diff.questions.map(({ id, question, from, to, answer }) => ({
        what: `question: ${question}`,
        states: "question" as const,
        from,
        to,
        answer,
        events: asked(id),
      })),
      ...diff.blockers.map(({ id, on, from, to }) => ({
        what: `blocker: ${on}`,
        states: "blocker" as const,
        from,
        to,
        events: asked(id),
      })),
      ...diff.gates.map(({ gate, command, from, to }) => ({
        what: `gate ${gate}: ${command}`,
        from,
        to,
        events: [],
      })),
      ...diff.flags.map(({ id, severity, what }) => ({
        what: `flag (${severity})`,
        from: null,
        to: what,
        events: [id].filter(isBetween),
      })),
      ...diff.learnings.map(learned),
    ];
    return parts.map((part) => ({ task, title, ...TEXTS, ...part }));
  });
  return {
    counts,
    changes: [...changes, ...learnings.map((row) => ({ task: null, title: "", ...TEXTS, ...learned(row) }))],
  };
}

type Part = Pick<StateChange, "what" | "from" | "to" | "events"> & Partial<typeof TEXTS>;
/** The defaults of most lines: no states, and no question. */
const TEXTS: Pick<StateChange, "states" | "answer"> = { states: null, answer: null };

/** An added or deleted task is one line, whatever its status. */
function statusChange({ change, status }: TaskDiff, events: readonly number[]) {
  if (change === "created") return [{ what: "task", from: null, to: status?.to ?? "added", events }];
  if (change === "deleted") return [{ what: "task", from: status?.from ?? "there", to: "deleted", events }];
  return status ? [{ what: "status", from: status.from, to: status.to, events }] : [];
}

type Values = Readonly<Record<string, string | number | null>>;

function rowsOf(readModel: ReadModel, tasks: readonly number[]): ReadonlyMap<number, Values> {
  const rows = readModel.all(TASKS, { tasks: JSON.stringify(tasks) });
  return new Map(rows.map((row) => [row.id, row]));
}

const TASKS = question<{ tasks: string }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .selectAll()
    .where("id", "in", valuesIn<number>(given("tasks"))),
);

function worded(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : shorten(String(value), LONGEST);
}

/** Enough of a text to show what it is about. */
const LONGEST = 300;

function positionsOf(
  readModel: ReadModel,
  range: Range,
  changes: Question<Range, { id: number | string; position: number }>,
): ReadonlyMap<number | string, number[]> {
  const byId = Map.groupBy(readModel.each(changes, range), ({ id }) => id);
  return new Map([...byId].map(([id, found]) => [id, found.map(({ position }) => position)]));
}

type Range = { readonly from: number; readonly to: number };

const STATUS_CHANGES = question<Range>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select(["task_id as id", "position"])
    .distinct()
    .where("position", ">", given("from"))
    .where("position", "<=", given("to"))
    .orderBy("position"),
);
const SESSIONS = question<Range>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select(["id", "started_position as position"])
    .where("started_position", ">", given("from"))
    .where("started_position", "<=", given("to"))
    .unionAll(
      tables
        .selectFrom("sessions")
        .select((eb) => ["id", eb.ref("ended_position").$notNull().as("position")])
        .where("ended_position", ">", given("from"))
        .where("ended_position", "<=", given("to")),
    )
    .orderBy("position"),
);
const ACTS = question<Range>()((tables, given) =>
  tables
    .selectFrom("questions")
    .select((eb) => ["id", eb.ref("acted_at").$notNull().as("position")])
    .where("acted_at", ">", given("from"))
    .where("acted_at", "<=", given("to"))
    .unionAll(
      tables
        .selectFrom("blockers")
        .select((eb) => ["id", eb.ref("acted_at").$notNull().as("position")])
        .where("acted_at", ">", given("from"))
        .where("acted_at", "<=", given("to")),
    )
    .orderBy("position"),
);

function timesIn(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
