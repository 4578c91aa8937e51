import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { eventAt } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import { openToLook } from "../../events/sqlite-look.ts";
import { LogError } from "../../lib/log-error.ts";
import { projections } from "../../projections/all.ts";
import type { Checkpoint } from "../../read-model/checkpoints.ts";
import { describeKept, type KeptHistory, keptHistories } from "../../read-model/other-history.ts";
import { isOurs, MEND_OWN } from "../../read-model/own.ts";
import type { Given, Question } from "../../read-model/question.ts";
import { ReadModel } from "../../read-model/read-model.ts";
import { hasRoom, noRoom } from "../../read-model/room.ts";
import { READ_MODEL_FORMAT, schemaOf } from "../../read-model/schema.ts";
import { catchUp } from "../../read-model/worker.ts";
import { type Check, type Finding, failed, ok, skipped, warning } from "./check.ts";
import { withLog } from "./log.ts";

const NAME = "read model";

/** Whether the read model is usable and current, or will be once the next command opens it. */
export const readModelCheck: Check = {
  name: NAME,
  async look({ readModelPath }) {
    if (readModelPath === undefined) return [skipped(NAME, "there is no project")];
    const kept = keptHistories(readModelPath).map(historyFinding);
    try {
      return [...(await withLog(readModelPath, (log) => judge(readModelPath, log))), ...kept];
    } catch (error) {
      if (error instanceof LogError)
        return [skipped(NAME, "the log, from which it is built, cannot be read"), ...kept];
      throw error;
    }
  },
};

function historyFinding(kept: KeptHistory): Finding {
  const { found, mend } = describeKept(kept);
  return warning("history", found, mend);
}

/** The file's header and checkpoints. */
export interface ReadModelState {
  readonly format: number;
  readonly checkpoints: readonly Checkpoint[];
}

/** @throws Database.SqliteError: damaged, or not a database */
function stateOf(database: Database.Database): ReadModelState {
  const format = Number(database.pragma("user_version", { simple: true }));
  const checkpoints = database.prepare<[], Checkpoint>(
    "SELECT name, version, schema, position, leaf_hash, head, state, error FROM projections ORDER BY name",
  );
  return { format, checkpoints: checkpoints.all() };
}

/** True if this program version made its tables. */
function isCurrent(state: ReadModelState): boolean {
  return outdatedIn(state).length === 0;
}

/** The names of the projections whose tables this program version did not make. */
export function outdatedIn({ format, checkpoints }: ReadModelState): readonly string[] {
  const outdated = projections.filter((projection) => {
    const made = checkpoints.find(({ name }) => name === projection.name);
    return (
      format !== READ_MODEL_FORMAT ||
      made?.version !== projection.version ||
      made.schema !== schemaOf(projection)
    );
  });
  return outdated.map(({ name }) => name);
}

/** The checkpoints of the projections that this program knows. */
function positionOf(state: ReadModelState): number {
  return Math.min(...known(state).map(({ position }) => position));
}

function known({ checkpoints }: ReadModelState): readonly Checkpoint[] {
  return checkpoints.filter(({ name }) => projections.some((projection) => projection.name === name));
}

/**
 * Runs a check on the read model's file if that is at the head of the log; undefined if the file is
 * missing, old or behind.
 *
 * @throws LogError: the log cannot be read; Database.SqliteError: the read model cannot
 */
export async function atHead<T>(
  readModelPath: string,
  look: (database: Database.Database) => T,
): Promise<T | undefined> {
  const head = await withLog(readModelPath, (log) => log.head());
  if (!existsSync(readModelPath)) return undefined;
  const database = openToLook(readModelPath);
  try {
    const state = stateOf(database);
    return isCurrent(state) && positionOf(state) >= head ? look(database) : undefined;
  } finally {
    database.close();
  }
}

/** Every row of a question's answer, without opening the read model for use. */
export function allIn<Values extends Given, Answer>(
  database: Database.Database,
  question: Question<Values, Answer>,
  values: Values,
): Answer[] {
  return database.prepare<[Values], Answer>(question.sql).all(values);
}

/** Why a check of the read model was skipped. @throws any other error */
export function unreadable(name: string, error: unknown): Finding {
  if (error instanceof LogError) return skipped(name, "the log, from which it is built, cannot be read");
  if (error instanceof Database.SqliteError) return skipped(name, "the read model cannot be read");
  throw error;
}

export const BEHIND = "the read model is behind; run `signalbox status` to update it";

async function judge(path: string, log: EventLog): Promise<readonly Finding[]> {
  if (!existsSync(path)) return [await tryInMemory("there is none yet; the next command builds it", log)];
  let state: ReadModelState;
  try {
    state = readState(path);
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    const found = `${path} is damaged (${cause.message})`;
    return [warning(NAME, found, "Rebuild it from the log with `signalbox rebuild`.")];
  }
  // The tables of other programs do not make ours unusable.
  const own = state.checkpoints.filter((one) => one.state === "stopped" && !isOurs(one.name));
  return [
    await judgeState(path, state, log),
    ...own.map(({ name, error }) => failed("own tables", `projection ${name} stopped at ${error}`, MEND_OWN)),
  ];
}

/** @throws Database.SqliteError: damaged, or not a database */
export function readState(path: string): ReadModelState {
  const database = openToLook(path);
  try {
    return stateOf(database);
  } finally {
    database.close();
  }
}

async function judgeState(path: string, state: ReadModelState, log: EventLog): Promise<Finding> {
  const head = await log.head();
  if (isNewer(state)) return failed(NAME, "a newer version of signalbox built it", "Update signalbox.");
  if (!isCurrent(state))
    return tryInMemory("an older version of signalbox built it; the next command rebuilds it", log);
  const stopped = known(state).filter(({ state }) => state === "stopped");
  if (stopped.length > 0) {
    const found = stopped.map(({ name, error }) => `projection ${name} stopped at ${error}`).join("; ");
    return failed(NAME, found, "Run `signalbox rebuild`. If it stops again, report it with this line.");
  }
  const position = positionOf(state);
  const hashes = known(state)
    .filter((checkpoint) => checkpoint.position === position)
    .map(({ leaf_hash }) => leaf_hash);
  const event = await eventAt(log, position);
  if (hashes.some((hash) => hash !== (event?.leafHash ?? ""))) {
    return tryInMemory("it belongs to another log; the next command rebuilds it", log);
  }
  if (position === head)
    return ok(NAME, `${known(state).length} projections, all up to date at position ${position}`);
  if (!hasRoom(path)) return failed(NAME, noRoom(path, position).message, "Free some space there.");
  const behind = head - position === 1 ? "1 event" : `${head - position} events`;
  return tryInMemory(`${behind} behind; the next command catches up`, log);
}

/** True if a newer program version made some of its tables. */
export function isNewer({ format, checkpoints }: ReadModelState): boolean {
  const made = new Map(checkpoints.map(({ name, version }) => [name, version]));
  return (
    format > READ_MODEL_FORMAT || projections.some(({ name, version }) => (made.get(name) ?? 0) > version)
  );
}

/** This many events reduce instantly; more would take a while. */
const TRIED_AT_MOST = 20_000;

/** Reduces in memory, as the next command will do in the file. */
async function tryInMemory(found: string, log: EventLog): Promise<Finding> {
  const head = await log.head();
  if (head > TRIED_AT_MOST) return warning(NAME, found, "Run `signalbox status`, then this check again.");
  const readModel = new ReadModel(":memory:");
  try {
    await catchUp(readModel, log);
    const stopped = readModel.checkpoints.stopped();
    if (stopped.length === 0) return ok(NAME, `${found} (tried in memory, up to position ${head})`);
    const errors = stopped.map(({ name, error }) => `projection ${name} stops at ${error}`).join("; ");
    return failed(NAME, `${found}; tried in memory, ${errors}`, "Report it with this line.");
  } finally {
    readModel.close();
  }
}
