import { platform } from "../../lib/platform/here.ts";
import type { Platform } from "../../lib/platform/platform.ts";
import { type Check, type Finding, warning } from "./check.ts";

/** Whether the system tells by whom a command was called; nothing where it does. */
export const callersCheck: Check = { name: "callers", look: () => judgeCallers(platform()) };

export function judgeCallers({
  system,
  processes,
}: Pick<Platform, "system" | "processes">): readonly Finding[] {
  // Windows tells an agent by the command line of what started it, not by its environment.
  const tells =
    system === "win32"
      ? processes.table().length > 0
      : processes.variables("PATH")(process.pid) !== undefined;
  return tells
    ? []
    : [
        warning(
          "callers",
          "This system does not tell what started a command: an agent is known by its own environment alone.",
          "Keep agents in a sandbox, or their shells from signalbox: one without RALPH_SESSION_ID acts as a human.",
        ),
      ];
}
