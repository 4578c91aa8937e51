import { ToldError } from "../../lib/told-error.ts";

export type ExchangeErrorCode = "malformed" | "damaged" | "differs" | "not_found" | "refused_file";

/**
 * A file that cannot be imported, or a target that cannot be exported to. `message` says where,
 * what is wrong and what would be right.
 *
 * `malformed`: not of the format; `damaged`: an exported log has a changed or missing event;
 * `differs`: the project has another history; `not_found`: missing or unreadable; `refused_file`: a
 * symbolic link, not a file, or an existing file in the way.
 */
export class ExchangeError extends ToldError<ExchangeErrorCode> {
  override readonly name = "ExchangeError";

  get fault() {
    return this.code === "not_found" ? "usage" : "refused";
  }
}
