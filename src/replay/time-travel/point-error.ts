import { ToldError } from "../../lib/told-error.ts";

/** A text that names no point of a log. `message` says what was read, and what can be written. */
export class PointError extends ToldError<"no_point"> {
  override readonly name = "PointError";
  readonly fault = "usage";

  constructor(message: string) {
    super("no_point", message);
  }
}
