import { ToldError } from "../lib/told-error.ts";

/** Why a read model cannot be used. */
export class ReadModelError extends ToldError<
  "newer_version" | "outdated" | "stopped" | "no_room" | "unusable" | "damaged"
> {
  override readonly name = "ReadModelError";
  readonly fault = "unusable";
}

export function newerVersion(what: string, made: number, known: number): ReadModelError {
  return new ReadModelError(
    "newer_version",
    `${what} were built by version ${made} of their rules, but this signalbox knows only version ` +
      `${known}. A newer signalbox works on this project: update signalbox here.`,
  );
}

/** @param position the checkpoint of the old tables */
export function outdated(path: string, position: number, head: number): ReadModelError {
  return new ReadModelError(
    "outdated",
    `This is the state up to event ${position} of ${head}, built by an older version of signalbox; ` +
      `${path} is being rebuilt from the log.`,
  );
}
