import type { SessionLine } from "../../../../projections/queries/session-list.ts";
import { oneLine } from "../../parts/readable.ts";

/** Where a session got stuck and why, in one line. */
export function failureInWords(
  { phase, reason }: NonNullable<SessionLine["failure"]>,
  outcome: SessionLine["outcome"],
): string {
  return `${outcome === "failure" ? "stuck" : outcome} in ${phase}: ${oneLine(reason)}`;
}
