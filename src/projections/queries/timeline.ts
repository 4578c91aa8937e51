import { AGENT } from "../../events/actors.ts";
import type { Verb } from "../../events/types/signals.ts";
import { sessions } from "../board/session-tables.ts";
import type { Session } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";

/** Which cards of a task's timeline are wanted; what is absent is not asked for, and all that is given must hold. */
export interface TimelineFilter {
  readonly verbs?: readonly Verb[] | undefined;
  readonly session?: string | undefined;
  /** Whose words: an agent's, or those of anybody else. */
  readonly by?: "agent" | "human" | undefined;
  readonly late?: boolean | undefined;
  /** In what the card says, whatever the letter case. */
  readonly text?: string | undefined;
}

/** Cards that stand together: those from a session's start to its end, or those between two sessions. */
export interface TimelineSection {
  readonly session: SectionSession | null;
  /** The index of its first card among all that the filter lets through, and how many there are. */
  readonly first: number;
  readonly cards: number;
}

type SectionSession = Pick<
  Session,
  | "id"
  | "current_state"
  | "exit"
  | "closing"
  | "inferred"
  | "unverified"
  | "outcome"
  | "started_position"
  | "ended_position"
  | "started_at"
  | "completed_at"
> & { /** Millionths of a US dollar; null where nobody told. */ readonly cost_micro_usd: number | null };

/** How many cards there are of each kind, whatever the filter. */
export interface CardCount {
  readonly verb: Verb | null;
  readonly by: "agent" | "human";
  readonly late: 0 | 1;
  readonly cards: number;
}

/**
 * Comments and signals of a task as one stream (seed 002), in the order of their positions, by the sessions in whose course
 * they came. A late signal stands where it came, after its session.
 */
export function timelineSections(
  readModel: ReadModel,
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
  for (const session of readModel.prepared<[number], SectionSession>(SESSIONS).all(task)) {
    take(null, session.started_position);
    take(session, (session.ended_position ?? Number.POSITIVE_INFINITY) + 1);
  }
  take(null, Number.POSITIVE_INFINITY);
  return sections;
}

/** The positions of the cards that a filter lets through, ascending. */
export function cardPositions(readModel: ReadModel, task: number, filter: TimelineFilter): number[] {
  return readModel
    .prepared<object, { id: number }>(`${CARDS} SELECT id FROM cards ${WHERE} ORDER BY id`)
    .all(parametersOf(task, filter))
    .map(({ id }) => id);
}

export function countTimelineCards(readModel: ReadModel, task: number): CardCount[] {
  return readModel
    .prepared<object, CardCount>(
      `${CARDS} SELECT verb, "by", late, count(*) AS cards FROM cards WHERE :task = :task GROUP BY 1, 2, 3`,
    )
    .all({ task });
}

/** All cards of the task `:task`, as a table expression. Late: by the rule of rules.md, Sessions. */
export const CARDS = `WITH cards AS (
  SELECT id, NULL AS session_id, NULL AS verb, CASE actor WHEN '${AGENT}' THEN 'agent' ELSE 'human' END AS "by", 0 AS late,
    author, actor, body, NULL AS payload, created, updated
  FROM comments WHERE task_id = :task
  UNION ALL
  SELECT s.id, s.session_id, s.verb, CASE s.actor WHEN '${AGENT}' THEN 'agent' ELSE 'human' END,
    coalesce(x.id IS NULL OR x.task_id <> s.task_id OR s.id > x.ended_position, 0),
    NULL, s.actor, s.body, s.payload, s.created, NULL
  FROM signals s LEFT JOIN ${sessions.name} x ON x.id = s.session_id WHERE s.task_id = :task)`;

export const WHERE = `WHERE (:verbs IS NULL OR verb IN (SELECT value FROM json_each(:verbs)))
  AND (:session IS NULL OR session_id = :session)
  AND (:by IS NULL OR "by" = :by)
  AND (:late IS NULL OR late = :late)
  AND (:text IS NULL OR instr(lower(body), :text) > 0)`;

/** What `CARDS` and `WHERE` take. */
export function parametersOf(task: number, { verbs, session, by, late, text }: TimelineFilter) {
  return {
    task,
    verbs: verbs ? JSON.stringify(verbs) : null,
    session: session ?? null,
    by: by ?? null,
    late: late === undefined ? null : Number(late),
    text: text?.toLowerCase() ?? null,
  };
}

const SESSIONS = `SELECT s.id, s.current_state, s.exit, s.closing, s.inferred, s.unverified, s.outcome,
    s.started_position, s.ended_position, s.started_at, s.completed_at, a.cost_micro_usd
  FROM sessions s LEFT JOIN agents a ON a.session_id = s.id
  WHERE s.task_id = ? ORDER BY s.started_position`;
