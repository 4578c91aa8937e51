import { type LogGuard, logGuard } from "../config/known-log.ts";
import { locationOf } from "../config/locate-log.ts";
import { projectMac } from "../config/project-key.ts";
import type { EventLog } from "../events/log.ts";
import type { LogLocation } from "../events/log-location.ts";
import { openLog } from "../events/open-log.ts";
import { type Host, ownHost } from "../events/own-host.ts";
import { traceOf } from "../events/sqlite-in-place.ts";
import type { Environment } from "../lib/environment.ts";
import { LogError } from "../lib/log-error.ts";
import type { Projection } from "../projections/projection.ts";
import { ReadModel } from "../read-model/read-model.ts";
import { ReadModelError } from "../read-model/read-model-error.ts";

/** A project's log and its read model, opened together; all work on a project needs both. */
export interface Store {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly environment: Environment;
  /**
   * True where a question is answered from the tables as they are while the log's server does not answer: for readers who show how far
   * behind they are.
   */
  readonly mayLag?: boolean;
  /** The host that works in this project's folder; absent where there is no folder. @throws LogError `disk` */
  readonly ownHost?: () => Host;
  /** Lets nothing be recorded in a log that nobody here knows; absent where the log was made for this store. */
  readonly guard?: LogGuard;
}

/**
 * Opens the log and the read model of a project; the read model is not yet brought up to date.
 *
 * @param path the read model's file (`.ralph/db/ralph.db`, RALPH_DB_PATH); `locationOf` says where its log is
 * @param options.projections ours, if absent
 * @param options.mayLag see `Store`
 * @throws LogError `disk`: there is no log; `damaged`; `newer_schema`; `bad_location`; `no_driver`
 * @throws ReadModelError `newer_version`
 */
export async function openStore(
  path: string,
  environment: Environment,
  options: StoreOptions = {},
): Promise<Store> {
  return openStoreAt(await locationOf(path), path, environment, { ...options, isGuarded: true });
}

interface StoreOptions {
  readonly projections?: readonly Projection[];
  readonly mayLag?: boolean;
}

/**
 * The same, for a caller that decides where the log is: a replay never works on a log that the environment names.
 *
 * @param options.isGuarded false: what is there was made for this store alone
 */
export async function openStoreAt(
  location: LogLocation,
  path: string,
  environment: Environment,
  { projections, mayLag = false, isGuarded = false }: StoreOptions & { readonly isGuarded?: boolean } = {},
): Promise<Store> {
  const guard = isGuarded ? logGuard(path) : undefined;
  const log = await openLog(location, environment, { unasked: mayLag, permit: guard?.permit });
  try {
    const readModel = openReadModel(path, projections, isGuarded ? sealOf(path) : undefined);
    return { log, readModel, environment, mayLag, ownHost: hostAt(path), ...(guard && { guard }) };
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** The host is looked up when something starts, and once: most of what opens a project starts nothing. */
function hostAt(path: string): () => Host {
  let own: Host | undefined;
  return () => (own ??= ownHost(path));
}

/**
 * The read model is a cache: if its file cannot be opened or written, as in another user's project,
 * an in-memory one is filled from the log instead. The same where nobody can tell whether it is ours.
 */
function openReadModel(
  path: string,
  projections: readonly Projection[] | undefined,
  seal: ((path: string) => number) | undefined,
): ReadModel {
  try {
    return new ReadModel(path, projections, undefined, seal);
  } catch (error) {
    const isUnusable = error instanceof ReadModelError && error.code === "unusable";
    if (isUnusable || (error instanceof LogError && error.code === "no_state"))
      return new ReadModel(":memory:", projections);
    throw error;
  }
}

/** A number in the header of the read model's file, which git cannot bring: it is of this very file, by a key of the state folder. */
function sealOf(readModelPath: string): (path: string) => number {
  const mac = projectMac(readModelPath);
  return (path) => mac(`read model ${traceOf(path)}`).readInt32BE();
}

export async function closeStore(store: Store): Promise<void> {
  await store.guard?.leave(store.log);
  await store.log.close();
  store.readModel.close();
}
