import { openMemoryLog } from "../../src/events/memory-log.ts";
import type { Draft, PayloadOf } from "../../src/events/types/index.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../events/given.ts";
import { attempted, created, ended, event, started } from "./board/history.ts";
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

export const task = (id: number, fields: Partial<PayloadOf<"task.created">> = {}) =>
  created(id, { title: `Task ${id}`, feature: "general", discipline: "general", ...fields });

export const start = (id: number, session: string, driver?: string) =>
  started(session, id, driver === undefined ? {} : { driver });

export const end = (session: string) => ended("exited", session);

export const partial = (task: number, session: string, remaining: string, summary = "Half.") =>
  event("signal.partial", { task, session, summary, remaining }, "agent");

export const done = (task: number, session: string, summary: string) =>
  event("signal.done", { task, session, summary }, "agent");

interface AttemptFields {
  readonly exit_code?: number;
  readonly timed_out?: boolean;
  readonly interrupted?: boolean;
  readonly gate?: number;
  readonly session?: string;
  readonly stderr?: string;
}

export const attempt = (task: number, stdout: string, { exit_code = 1, ...fields }: AttemptFields = {}) =>
  attempted(exit_code, { task, stdout, duration_ms: 2_300, ...fields });
