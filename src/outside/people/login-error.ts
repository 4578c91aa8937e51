import { ToldError } from "../../lib/told-error.ts";

/** Why nobody was logged in; `message` is for the person who tried, and says what to do. */
export class LoginError extends ToldError<LoginErrorCode> {
  override readonly name = "LoginError";

  /** `unusable`: the provider or its settings are at fault, not the person. */
  get fault() {
    return UNUSABLE.has(this.code) ? "unusable" : "refused";
  }
}

export type LoginErrorCode =
  /** The configuration names no provider. */
  | "no_login"
  /** Begun in another browser, too long ago, or used already. */
  | "stale_login"
  /** The provider let nobody in. */
  | "login_refused"
  | "unverified_email"
  | "unknown_person"
  | "wrong_issuer"
  | "wrong_client"
  | "wrong_clock"
  | "provider_down"
  | "provider_fault";

const UNUSABLE: ReadonlySet<LoginErrorCode> = new Set([
  "wrong_issuer",
  "wrong_client",
  "wrong_clock",
  "provider_down",
  "provider_fault",
]);
