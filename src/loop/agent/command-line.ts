/**
 * The line of a client's stderr that names a fault of its command line; undefined if there is none.
 * Covers Claude Code (commander), Codex (clap), Gemini CLI and opencode (yargs); see test/clients.
 */
export function refusedCommandLine(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.trim());
  const at = lines.findIndex((line) => REFUSALS.some((refusal) => refusal.test(line)));
  const line = lines[at];
  if (line === undefined) return undefined;
  // The fault is on the next line.
  if (line.endsWith(":")) return `${line} ${lines[at + 1] ?? ""}`;
  return OPENCODE_HELP.test(line) ? "it printed its help, as for an option that it does not know" : line;
}

const OPENCODE_HELP = /^opencode run \[message/;
const REFUSALS = [
  /^error: (?:unknown (?:option|command)|unexpected argument|invalid value|option .* (?:is invalid|argument missing)|the argument )/,
  /^(?:unknown arguments?|invalid values|not enough arguments following):/i,
  OPENCODE_HELP,
];
