import { Project } from "../../api/project.ts";
import { locationOf } from "../../config/locate-log.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { openLog } from "../../events/open-log.ts";
import { asHistoryError } from "../../history/time-travel/history/state-in-history.ts";
import { pastStore } from "../../history/time-travel/past-store.ts";
import { pastCache } from "./past-cache.ts";

interface PastOptions {
  /** The read model's file. */
  readonly path: string;
  readonly at: string;
  readonly actor: string;
  /** Prints a sentence on stderr. */
  readonly warn: (sentence: string) => void;
}

/** `withProject` for the project as it was `at` a point: the read model of the present is not opened, and nothing is appended. */
export async function withPast<T>(
  { path, at, actor, warn }: PastOptions,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const environment = launchedEnvironment(process.env);
  const log = await openLog(await locationOf(path), environment);
  try {
    const { store, point } = await pastStore({ log, environment }, at, pastCache(path, warn));
    try {
      return await work(new Project(store, actor, { asOf: point }));
    } catch (error) {
      throw asHistoryError(error, store.readModel);
    } finally {
      store.readModel.close();
    }
  } finally {
    await log.close();
  }
}
