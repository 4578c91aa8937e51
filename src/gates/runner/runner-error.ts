import { ToldError } from "../../lib/told-error.ts";

/**
 * Why a command did not run. Nothing was started, so there is no attempt to record.
 *
 * - `folder`: its working folder is missing, not a folder, or outside the project
 * - `isolation`: the requested isolation is not available here
 * - `not_started`: the system could not start the shell
 */
export type RunnerErrorCode = "folder" | "isolation" | "not_started";

export class RunnerError extends ToldError<RunnerErrorCode> {
  override readonly name = "RunnerError";
  readonly fault = "unusable";
}
