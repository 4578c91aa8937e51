import { withoutLogUrl } from "../../events/log-location.ts";
import { platform } from "../../lib/platform/here.ts";

/**
 * The environment of a gate's command: the variables for finding programs and for the language, and
 * those that the project allows by name. Nothing else: no NODE_OPTIONS, which would load code into
 * every Node program, and no credentials; the log's URL not even if it is named.
 *
 * @param from the caller's environment
 * @param allowed additional names, case-sensitive but on Windows
 */
export function gateEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] = [],
): Record<string, string> {
  const { variables, variableKey } = platform().programs;
  const names = new Set([...ALWAYS, ...variables, ...allowed].map(variableKey));
  return Object.fromEntries(
    Object.entries(withoutLogUrl(from)).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (names.has(variableKey(entry[0])) || entry[0].startsWith("LC_")),
    ),
  );
}

const ALWAYS = ["PATH", "HOME", "LANG", "TZ", "TERM", "CI"];
