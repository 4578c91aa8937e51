import { ToldError } from "./core.ts";

export type TelemetryErrorCode =
  /** No endpoint is configured, or it is no URL that can be used. */
  | "no_endpoint"
  /** The endpoint could not be reached, did not answer in time, or did not take the traces. */
  | "not_sent";

/** Traces could not be sent; nothing else is wrong. */
export class TelemetryError extends ToldError<TelemetryErrorCode> {
  override readonly name = "TelemetryError";

  get fault() {
    return this.code === "no_endpoint" ? "usage" : "refused";
  }
}
