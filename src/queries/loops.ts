import type { LoopEnding, PauseKind } from "../events/types/loops.ts";
import { question, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A driver that started and has not said that it stopped. */
export interface RunningLoop {
  readonly driver: string;
  readonly agent: string;
  readonly jobs: number;
  /** Null in what older programs recorded. */
  readonly host: string | null;
  /** Of its start. */
  readonly position: number;
  readonly started_at: string;
  /** Why it starts no session for a while, and until when; null while it does not wait. */
  readonly waits_for: PauseKind | null;
  readonly waits_until: string | null;
  readonly waits_reason: string | null;
  /** Who asked it to stop after the sessions that run; null if nobody did. */
  readonly stop_asked_by: string | null;
  readonly budget_micro_usd: number | null;
  readonly budget_tokens: number | null;
  /** How many sessions it runs now. */
  readonly running: number;
  /** What its sessions have used, as far as their agents told; null if none did. */
  readonly cost_micro_usd: number | null;
  readonly tokens: number | null;
  /** How many of its ended sessions the cost leaves out. */
  readonly unknown: number;
}

/** A driver that said that it stopped. */
export interface StoppedLoop {
  readonly driver: string;
  readonly agent: string;
  readonly stopped_at: string;
  /** Of its end. */
  readonly stopped_position: number;
  readonly ending: LoopEnding;
  readonly reason: string;
}

/** In the order in which they started. */
export function runningLoops(readModel: ReadView): RunningLoop[] {
  return readModel.all(RUNNING, {});
}

/** The driver that stopped last; undefined if none has. */
export function lastStoppedLoop(readModel: ReadView): StoppedLoop | undefined {
  return readModel.get(STOPPED, {});
}

const RUNNING = question()((tables) =>
  tables
    .selectFrom("loops as l")
    // All sessions of a driver are later than its own start.
    .leftJoin("sessions as s", (join) =>
      join.onRef("s.driver", "=", "l.driver").onRef("s.started_position", ">", "l.position"),
    )
    .leftJoin("agents as a", "a.session_id", "s.id")
    .where("l.stopped_at", "is", null)
    .groupBy("l.driver")
    .select(["l.driver", "l.agent", "l.jobs", "l.host", "l.position", "l.started_at"])
    .select(["l.waits_for", "l.waits_until", "l.waits_reason", "l.stop_asked_by"])
    .select(["l.budget_micro_usd", "l.budget_tokens"])
    .select(({ fn, eb }) => [
      fn.count<number>("s.id").filterWhere("s.completed_at", "is", null).as("running"),
      fn.sum<number | null>("a.cost_micro_usd").as("cost_micro_usd"),
      eb(fn.sum<number | null>("a.input_tokens"), "+", fn.sum<number | null>("a.output_tokens")).as("tokens"),
      fn
        .count<number>("s.id")
        .filterWhere("s.completed_at", "is not", null)
        .filterWhere("a.cost_micro_usd", "is", null)
        .as("unknown"),
    ])
    .orderBy("l.position"),
);

/** The driver that stopped at a position; undefined if none did. */
export function loopEndedAt(readModel: ReadView, position: number): StoppedLoop | undefined {
  return readModel.get(STOPPED_AT, { position });
}

const stopped = (tables: Tables) =>
  tables
    .selectFrom("loops")
    .select(["driver", "agent"])
    .select(({ fn, val }) => [
      fn.coalesce("stopped_at", val("")).as("stopped_at"),
      fn.coalesce("stopped_position", val(0)).as("stopped_position"),
      fn.coalesce("ending", val<LoopEnding>("error")).as("ending"),
      fn.coalesce("reason", val("")).as("reason"),
    ])
    .where("stopped_at", "is not", null);

const STOPPED = question()((tables) => stopped(tables).orderBy("stopped_position", "desc").limit(1));

const STOPPED_AT = question<{ position: number }>()((tables, given) =>
  stopped(tables).where("stopped_position", "=", given("position")),
);
