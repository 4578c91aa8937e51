import type { Store } from "../../decisions/store.ts";
import type { EventLog } from "../../events/log.ts";
import { signOf } from "./registry.ts";

/** Work that a driver began. */
export interface Begun {
  readonly driver: string;
  /** Where it runs; null in what older programs and programs without a folder recorded. */
  readonly host: string | null;
  /** True if that was before its host was declared lost. */
  readonly isLost: boolean;
}

/**
 * What is known here of a driver. `gone`: its host can tell, and it is dead. `lost`: its host was declared lost. `elsewhere`: only its
 * own host can tell.
 */
export type Standing = "alive" | "gone" | "lost" | "elsewhere";

/** Who judges. */
export interface Judge {
  readonly readModelPath: string;
  /** The judging host; undefined if its folder has never started anything. */
  readonly own: string | undefined;
  /** True if the log is a file of this machine, so that no other host can be at work. */
  readonly isAlone: boolean;
}

export function judgeIn(readModelPath: string, { log, ownHost }: Pick<Store, "log" | "ownHost">): Judge {
  return { readModelPath, own: ownHost?.().host, isAlone: isAlone(log) };
}

/** True for a log that is a file of this machine. */
export function isAlone({ hosts }: Pick<EventLog, "hosts">): boolean {
  return hosts === undefined;
}

/**
 * Judges a driver by its file, if it is this host's to judge. That a file is missing says something of drivers of this host alone:
 * of another host's, it is always missing.
 */
export function standingOf(
  { driver, host, isLost }: Begun,
  { readModelPath, own, isAlone }: Judge,
): Standing {
  if (isLost) return "lost";
  const sign = signOf(readModelPath, driver);
  const isOwn = host !== null && host === own;
  // A folder that was moved, or a container that was made anew, has another id, and the files of its drivers still.
  const wasOwn = isAlone && (host === null || sign !== undefined);
  if (!isOwn && !wasOwn) return "elsewhere";
  return sign?.alive ? "alive" : "gone";
}
