import { ToldError } from "../../lib/told-error.ts";

export type FleetErrorCode =
  /** The project has a log of its own, or its log is on a server already. */
  | "other_log"
  /** The other place has events that this log does not have. */
  | "not_empty"
  /** A password stands where files of the project would keep it. */
  | "password"
  /** The server is not as a log needs it. */
  | "server"
  /** The login does not own the log. */
  | "rights"
  /** A variable of the environment leads to another place than the configuration will. */
  | "variable";

/** What keeps a project from joining or leaving a fleet; nothing was changed. */
export class FleetError extends ToldError<FleetErrorCode> {
  override readonly name = "FleetError";

  get fault() {
    return this.code === "password" || this.code === "variable" ? "usage" : "refused";
  }
}
