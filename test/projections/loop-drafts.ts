import { openMemoryLog } from "../../src/events/memory-log.ts";
import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import type { Draft } from "../../src/events/types/index.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../events/given.ts";
import { givenFreshReadModel } from "./given.ts";

/** A read model in memory of a log with these events, all projections live. */
export async function reduced(...events: readonly Draft[]): Promise<ReadModel> {
  const log = openMemoryLog(environmentAt({ now: NOON }, "reduced"));
  await log.append(events);
  const readModel = givenFreshReadModel();
  await catchUp(readModel, log);
  const stopped = readModel.checkpoints.list().filter(({ state }) => state === "stopped");
  if (stopped.length > 0) throw new Error(JSON.stringify(stopped));
  return readModel;
}

/** Rows of any SELECT on a read model. */
export function rowsIn(readModel: ReadModel, sql: string): unknown[] {
  return readModel.database.prepare(sql).all();
}

export function task(
  id: number,
  fields: Partial<Draft<"task.created">["payload"]> = {},
): Draft<"task.created"> {
  return {
    type: "task.created",
    actor: "human",
    payload: {
      task: id,
      title: `Task ${id}`,
      description: "",
      feature: "general",
      discipline: "general",
      priority: "medium",
      status: "pending",
      depends_on: [],
      accept: "auto",
      gates: [],
      ...fields,
    },
  };
}

export function start(id: number, session: string, driver?: string): Draft<"session.started"> {
  const payload = { task: id, session, forced: false, ...(driver !== undefined && { driver }) };
  return { type: "session.started", actor: "driver", payload };
}

export function end(session: string): Draft<"session.ended"> {
  return { type: "session.ended", actor: "driver", payload: { session, exit: "exited" } };
}

export function partial(
  id: number,
  session: string,
  remaining: string,
  summary = "Half.",
): Draft<"signal.partial"> {
  return { type: "signal.partial", actor: "agent", payload: { task: id, session, summary, remaining } };
}

export function done(id: number, session: string, summary: string): Draft<"signal.done"> {
  return { type: "signal.done", actor: "agent", payload: { task: id, session, summary } };
}

interface AttemptFields {
  readonly exit_code?: number;
  readonly timed_out?: boolean;
  readonly gate?: number;
  readonly stderr?: string;
}

export function attempt(
  id: number,
  stdout: string,
  { stderr, exit_code = 1, ...fields }: AttemptFields = {},
): Draft<"gate.attempted"> {
  return {
    type: "gate.attempted",
    actor: "driver",
    payload: {
      task: id,
      gate: 1,
      ...resultFromElsewhere({ exit_code, duration_ms: 2_300, stdout, stderr }),
      ...fields,
    },
  };
}
