import type { SessionLine } from "../../core.ts";
import { oneLine } from "../../parts/readable.ts";

/** Where and why a session got stuck, on one line. */
export function failureInWords(
  { phase, reason }: NonNullable<SessionLine["failure"]>,
  outcome: SessionLine["outcome"],
): string {
  return `${outcome === "failure" ? "stuck" : outcome} in ${phase}: ${oneLine(reason)}`;
}
