import type { EventLog } from "../../events/log.ts";
import { sessionStream, taskStream } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { question, valuesIn } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { LogFilter } from "./filter.ts";
import { type LogOrder, type LogRange, readLog, readPositions } from "./read-log.ts";

/**
 * The events of a range that can match a filter; apply `matching` to them. If the filter names a
 * task or a session, these are hardly more than its matches; otherwise all events.
 *
 * @param readModel must have reached the end of the range
 */
export async function* readFiltered(
  log: EventLog,
  readModel: ReadModel,
  filter: LogFilter,
  range: LogRange,
  order?: LogOrder,
): AsyncGenerator<readonly Event[]> {
  const positions = await subjectPositions(log, readModel, filter, range);
  yield* positions ? readPositions(log, positions, order) : readLog(log, range, order);
}

/**
 * The positions in a range, ascending, of the events of a filter's task or session. A few events of
 * others are included; `matching` removes them.
 *
 * @param readModel must have reached the end of the range
 * @returns undefined if the filter names neither task nor session
 */
export async function subjectPositions(
  log: EventLog,
  readModel: ReadModel,
  { task, session }: Pick<LogFilter, "task" | "session">,
  { from, to }: LogRange,
): Promise<readonly number[] | undefined> {
  // The session is the narrower filter.
  const subjects = session !== undefined ? [sessionStream({ session })] : streamsOfTask(readModel, task);
  if (!subjects) return undefined;
  const found = readModel.all(ELSEWHERE, { subjects: JSON.stringify(subjects), from, to });
  const elsewhere = found.map(({ position }) => position);
  const streams = session === undefined ? subjects : [...subjects, ...streamOfItsTask(readModel, session)];
  const positions = await log.positionsIn(streams, from, to);
  if (elsewhere.length === 0) return positions;
  return [...new Set([...positions, ...elsewhere])].sort((a, b) => a - b);
}

const ELSEWHERE = question<{ subjects: string; from: number; to: number }>()((tables, given) =>
  tables
    .selectFrom("subject_events")
    .select("position")
    .where("subject", "in", valuesIn<string>(given("subjects")))
    .where((eb) => eb.between("position", given("from"), given("to"))),
);

/** A task's own stream and those of its sessions. */
function streamsOfTask(readModel: ReadModel, task: number | undefined): string[] | undefined {
  if (task === undefined) return undefined;
  const sessions = readModel.all(SESSIONS, { task });
  return [taskStream({ task }), ...sessions.map(({ id }) => sessionStream({ session: id }))];
}

const SESSIONS = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("sessions").select("id").where("task_id", "=", given("task")),
);

/** Gate runs and workspace reports happen in a session, but are in the stream of its task. */
function streamOfItsTask(readModel: ReadModel, session: string): string[] {
  return readModel
    .all(ITS_TASK, { session })
    .flatMap(({ task }) => (task === null ? [] : [taskStream({ task })]));
}

const ITS_TASK = question<{ session: string }>()((tables, given) =>
  tables.selectFrom("sessions").select("task_id as task").where("id", "=", given("session")),
);
