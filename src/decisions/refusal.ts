import { ToldError } from "../lib/told-error.ts";

export type RefusalCode =
  | "not_found"
  | "already_exists"
  | "not_ready"
  | "paused"
  | "session_open"
  | "session_ended"
  | "circle"
  | "already_decided"
  | "too_late"
  | "not_possible"
  | "nothing_to_do"
  | "in_gate"
  | "contention";

/**
 * A decision that is not possible now: nothing was recorded. `message` says what would be right.
 */
export class Refusal extends ToldError<RefusalCode> {
  override readonly name = "Refusal";
  readonly fault = "refused";
  readonly about: About;

  constructor(code: RefusalCode, message: string, about: About = {}) {
    super(code, message);
    this.about = about;
  }
}

/** The subject of a refusal, for callers whose own fields have other names. */
interface About {
  /** The wrong field of the decision's input. */
  readonly field?: string | undefined;
  /** What the missing fields would have changed: `task 1`. */
  readonly unchanged?: string | undefined;
}

/** True once a decision is made; false if there was nothing to do, for callers that accept that. */
export async function happened(decided: Promise<unknown>): Promise<boolean> {
  try {
    await decided;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "nothing_to_do") return false;
    throw error;
  }
}
