import { ToldError } from "../../lib/told-error.ts";

/** A text that is not a valid point of a log. `message` repeats it and lists the valid forms. */
export class PointError extends ToldError<"no_point"> {
  override readonly name = "PointError";
  readonly fault = "usage";

  constructor(message: string) {
    super("no_point", message);
  }
}
