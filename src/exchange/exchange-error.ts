import { ToldError } from "../lib/told-error.ts";

export type ExchangeErrorCode = "malformed" | "damaged" | "differs" | "not_found" | "refused_file";

/**
 * A file that cannot be imported, or a place where nothing can be exported to. `message` says where in it, what is wrong
 * and what would be right.
 *
 * `malformed`: it is not of the format; `damaged`: of an exported log, an event is not as it was appended, or is
 * missing; `differs`: the project has another history; `not_found`: it is not there, or cannot be read;
 * `refused_file`: a symbolic link, something that is no file, or one that is in the way.
 */
export class ExchangeError extends ToldError<ExchangeErrorCode> {
  override readonly name = "ExchangeError";

  get fault() {
    return this.code === "not_found" ? "usage" : "refused";
  }
}
