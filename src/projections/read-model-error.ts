import { ToldError } from "../told-error.ts";

/** What keeps a read model from being used. */
export class ReadModelError extends ToldError<
  "newer_version" | "stopped" | "no_room" | "unusable" | "damaged"
> {
  override readonly name = "ReadModelError";
  readonly fault = "unusable";
}

export function newerVersion(what: string, made: number, known: number): ReadModelError {
  return new ReadModelError(
    "newer_version",
    `${what} were made by version ${made} of their rules; this signalbox knows version ${known}. ` +
      "A newer signalbox works on this project: update it here.",
  );
}
