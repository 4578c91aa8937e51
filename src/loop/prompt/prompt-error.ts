import { ToldError } from "../../lib/told-error.ts";

/**
 * - `empty_part`: a required part is blank, so that the prompt would mislead;
 * - `too_large`: the required parts do not fit into the budget;
 * - `not_found`: there is no such task.
 */
export type PromptErrorCode = "empty_part" | "too_large" | "not_found";

/** A prompt that cannot be built. `message` says what was wrong and what to do. */
export class PromptError extends ToldError<PromptErrorCode> {
  override readonly name = "PromptError";

  get fault() {
    return this.code === "too_large" ? "usage" : "refused";
  }
}
