import { ToldError } from "../../lib/told-error.ts";

/**
 * Why a command was not run. Nothing was started, so there is nothing to record as an attempt.
 *
 * - `folder`: its working folder is not there, is no folder, or lies outside of the project
 * - `isolation`: it was to run isolated, and cannot be here
 * - `not_started`: the system could not start the shell
 */
export type RunnerErrorCode = "folder" | "isolation" | "not_started";

export class RunnerError extends ToldError<RunnerErrorCode> {
  override readonly name = "RunnerError";
  readonly fault = "unusable";
}
