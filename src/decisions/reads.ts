import { ANYTHING } from "../events/tags.ts";
import { sessionStream, taskStream } from "../events/types/fields.ts";
import { planName } from "../events/types/plans.ts";
import { decidedOn } from "../projections/all.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { Rows } from "../projections/rows.ts";
import type { Row, Table } from "../projections/table.ts";
import type { State } from "./state.ts";

type Tables = typeof decidedOn;

/*
 * What a decision has read, as tags of the events that could make it read otherwise (docs/decisions/0050-what-a-decision-has-read.md).
 * No decision says what it reads: it is handed a state that notes each question. Each table says here once what its rows and its
 * questions stand for; one that says nothing stands for anything.
 */

/** A state that notes in `read` the tags of the events that could change what it has answered. */
export function recording(state: State): { readonly state: State; readonly read: ReadonlySet<string> } {
  const read = new Set<string>();
  const note = (tags: readonly string[]) => {
    for (const tag of tags) read.add(tag);
  };
  const names = Object.keys(decidedOn) as (keyof Tables)[];
  const tables = names.map((name) => [name, notingOf(name, state, note)]);
  // The same tables under the same names.
  return { state: Object.fromEntries(tables) as State, read };
}

/** One table of many has one type, which the compiler cannot follow through a name. */
function notingOf(name: keyof Tables, state: State, note: Note): Rows {
  return noting(
    state[name] as unknown as Rows,
    decidedOn[name],
    reads[name] as Reads<Table> | undefined,
    note,
  );
}

type Note = (tags: readonly string[]) => void;

/** What is known of a row before it is found: the key, or the columns that are asked for. */
type AskedColumns<T extends Table> = { readonly [Name in keyof Row<T>]?: unknown };

interface Reads<T extends Table> {
  /** The tags of the events that may change or remove a row. */
  row(row: Row<T>): readonly string[];
  /** The tags of the events that may bring a row to where this is asked for. */
  asked(asked: AskedColumns<T>): readonly string[];
}

const STRUCTURE = "structure";
const task = (id: number) => taskStream({ task: id });
const session = (id: string) => sessionStream({ session: id });
/** Of a session without a task there is none. */
const ofTask = (id: number | null) => (id === null ? [] : [task(id)]);
/** Ids and positions are given once: no later event brings a row to a position that the log has passed. */
const PAST: readonly string[] = [];

/** What is found stands for its task and its session; so does a question after the items of one. */
const ofItem = {
  row: (item: { readonly task_id: number | null; readonly session_id: string }) => [
    ...ofTask(item.task_id),
    session(item.session_id),
  ],
  asked: ofSubject,
};

/** By an id, its task or its session; `*` where a question names none of them. */
function ofSubject({ id, task_id, session_id }: { id?: unknown; task_id?: unknown; session_id?: unknown }) {
  if (typeof task_id === "number") return [task(task_id)];
  if (typeof session_id === "string") return [session(session_id)];
  return id === undefined ? [ANYTHING] : PAST;
}

const learned = { row: () => ["learned"], asked: () => ["learned"] };
const structural = { row: () => [STRUCTURE], asked: () => [STRUCTURE] };

const reads: { readonly [Name in keyof Tables]?: Reads<Tables[Name]> } = {
  tasks: {
    row: ({ id, depends_on }) => [id, ...(parseColumn(depends_on) as number[])].map(task),
    asked: ({ id, status }) => [
      STRUCTURE,
      ...(typeof id === "number" ? [task(id)] : []),
      ...(status === undefined ? [] : ["started"]),
    ],
  },
  dependencies: structural,
  taskIds: structural,
  sessions: {
    row: ({ id, task_id }) => [session(id), ...ofTask(task_id)],
    asked({ id, task_id, ended_position }) {
      if (typeof id === "string") return [session(id)];
      if (typeof task_id === "number") return [task(task_id)];
      return ended_position === undefined ? [ANYTHING] : PAST;
    },
  },
  sessionTimes: {
    row: ({ session_id, task_id }) => [session(session_id), ...ofTask(task_id)],
    asked: ({ started_position, ended_position }) =>
      started_position === undefined && ended_position === undefined ? [ANYTHING] : PAST,
  },
  sessionStates: { row: ({ session_id }) => [session(session_id)], asked: ofSubject },
  questions: ofItem,
  blockers: {
    row: (blocker) => [
      ...ofItem.row(blocker),
      ...(blocker.depends_on === null ? [] : [task(blocker.depends_on)]),
    ],
    asked: (asked) => (asked.depends_on === undefined ? ofSubject(asked) : [STRUCTURE]),
  },
  suggestions: {
    row: (one) => [...ofItem.row(one), ...(one.proposed_task === null ? [] : [task(one.proposed_task)])],
    // A plan's drafts come and go with tasks.
    asked: (asked) => ("plan" in asked || "digest" in asked ? [STRUCTURE] : ofSubject(asked)),
  },
  plans: {
    row: ({ plan }) => [planName(plan), STRUCTURE],
    asked: ({ plan }) => (typeof plan === "number" ? [planName(plan)] : ["plans"]),
  },
  gates: {
    row: ({ task_id }) => [task(task_id)],
    asked: ({ task_id, declared }) => (declared === undefined ? ofSubject({ task_id }) : PAST),
  },
  sessionFindings: ofItem,
  policies: { row: () => ["policies"], asked: () => ["policies"] },
  statusChanges: {
    row: () => PAST,
    // Of a task that waits for another, its status follows that one's.
    asked: ({ task_id, position }) =>
      position === undefined ? [...ofSubject({ task_id }), STRUCTURE] : PAST,
  },
  features: {
    row: ({ name }) => [`feature-${name}`],
    asked: ({ name }) => (typeof name === "string" ? [`feature-${name}`] : ["features"]),
  },
  disciplines: { row: ({ name }) => [`discipline-${name}`], asked: ({ name }) => named("discipline", name) },
  featureNames: { row: ({ name }) => [`feature-${name}`], asked: ({ name }) => named("feature", name) },
  disciplineNames: {
    row: ({ name }) => [`discipline-${name}`],
    asked: ({ name }) => named("discipline", name),
  },
  comments: { row: ({ task_id }) => [task(task_id)], asked: ofSubject },
  flags: ofItem,
  learnings: learned,
  learningSources: learned,
  prompts: {
    row: ({ session_id, task_id }) => [session(session_id), ...ofTask(task_id)],
    asked: ofSubject,
  },
  merges: {
    row: ({ task_id }) => [task(task_id)],
    asked: ({ task_id }) => (typeof task_id === "number" ? [task(task_id)] : ["merges"]),
  },
  loops: { row: ({ driver }) => [`loop-${driver}`], asked: ({ driver }) => named("loop", driver) },
  pause: { row: () => ["work"], asked: () => ["work"] },
  notices: { row: () => ["notices"], asked: () => ["notices"] },
  noticeItems: { row: () => ["notices"], asked: () => ["notices"] },
  hosts: { row: ({ host }) => [`host-${host}`], asked: ({ host }) => named("host", host) },
};

function named(kind: "feature" | "discipline" | "host" | "loop", name: unknown): readonly string[] {
  return [typeof name === "string" ? `${kind}-${name}` : ANYTHING];
}

function noting<T extends Table>(
  rows: Rows<T>,
  table: T,
  { row: tagsOfRow, asked }: Reads<T> = { row: () => [], asked: () => [ANYTHING] },
  note: Note,
): Rows<T> {
  const found = (all: Row<T>[]) => {
    for (const row of all) note(tagsOfRow(row));
    return all;
  };
  return {
    ...rows,
    get(...key) {
      const row = rows.get(...key);
      if (row) note(tagsOfRow(row));
      else
        note(
          asked(
            Object.fromEntries(table.key.map((column, index) => [column, key[index]])) as AskedColumns<T>,
          ),
        );
      return row;
    },
    where(match, test) {
      note(asked(match as AskedColumns<T>));
      const all = found(rows.where(match));
      return test ? all.filter(test) : all;
    },
    scan(test) {
      note(asked({}));
      const all = found(rows.scan());
      return test ? all.filter(test) : all;
    },
    first(limit, match) {
      note(asked(match as AskedColumns<T>));
      return found(rows.first(limit, match));
    },
  };
}
