import { question, type RowOf } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import {
  type CardCount,
  type CardValues,
  COUNTS,
  matchingCards,
  parametersOf,
  type TimelineFilter,
} from "./timeline-rows.ts";

/** Cards that stand together: those from a session's start to its end, or those between two sessions. */
export interface TimelineSection {
  readonly session: SectionSession | null;
  /** The index of its first card among all that the filter lets through, and how many there are. */
  readonly first: number;
  readonly cards: number;
}

/** `cost_micro_usd`: millionths of a US dollar; null where nobody told. */
type SectionSession = RowOf<typeof SESSIONS>;

/**
 * The history of a task as one stream of cards, in the order of their positions, by the sessions in whose course
 * they came. A late signal stands where it came, after its session.
 */
export function timelineSections(
  readModel: ReadView,
  task: number,
  filter: TimelineFilter,
): TimelineSection[] {
  const positions = cardPositions(readModel, task, filter);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const sections: TimelineSection[] = [];
  let next = 0;
  const take = (session: SectionSession | null, before: number) => {
    const first = next;
    while (next < positions.length && (positions[next] ?? before) < before) next++;
    if (next > first || (session && !isFiltered)) sections.push({ session, first, cards: next - first });
  };
  for (const session of readModel.all(SESSIONS, { task })) {
    take(null, session.started_position);
    take(session, (session.ended_position ?? Number.POSITIVE_INFINITY) + 1);
  }
  take(null, Number.POSITIVE_INFINITY);
  return sections;
}

/** The positions of the cards that a filter lets through, ascending. */
export function cardPositions(readModel: ReadView, task: number, filter: TimelineFilter): number[] {
  return readModel.all(POSITIONS, parametersOf(task, filter)).map(({ id }) => id);
}

export function countTimelineCards(readModel: ReadView, task: number): CardCount[] {
  return readModel.all(COUNTS, { task });
}

/** The position at which a task was added; 0 where it never was. */
export function firstStatusChange(readModel: ReadView, task: number): number {
  return readModel.get(FIRST, { task })?.position ?? 0;
}

const FIRST = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select("position")
    .where("task_id", "=", given("task"))
    .orderBy("position")
    .limit(1),
);
const POSITIONS = question<CardValues>()((tables, given) =>
  matchingCards(tables, given).select("id").orderBy("id"),
);
const SESSIONS = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("agents as a", "a.session_id", "s.id")
    .select(["s.id", "s.current_state", "s.exit", "s.closing", "s.inferred", "s.unverified", "s.outcome"])
    .select(["s.started_position", "s.ended_position", "s.started_at", "s.completed_at", "s.returns"])
    .select(["s.analyzing_us", "s.implementing_us", "s.testing_us", "s.committing_us", "s.reviewing_us"])
    .select("a.cost_micro_usd")
    .where("s.task_id", "=", given("task"))
    .orderBy("s.started_position"),
);
