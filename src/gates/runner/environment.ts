/**
 * The environment of a gate's command: what it needs to find programs and to speak a language, and what the project lets through
 * by name. Nothing else: no NODE_OPTIONS, which would load code into every Node program of it, and no credentials.
 *
 * @param from the environment of whoever runs it
 * @param allowed further names, each to the letter
 */
export function gateEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] = [],
): Record<string, string> {
  const names = new Set([...ALWAYS, ...allowed]);
  return Object.fromEntries(
    Object.entries(from).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (names.has(entry[0]) || entry[0].startsWith("LC_")),
    ),
  );
}

const ALWAYS = ["PATH", "HOME", "LANG", "TZ", "TERM", "CI"];
