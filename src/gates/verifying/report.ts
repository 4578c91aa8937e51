import type { RecordedOutput, RecordedResult } from "../../events/types/command-result.ts";
import { visibleLines } from "../../lib/visible.ts";
import type { GateRun } from "../run-gates.ts";
import { fenced, longestTicks } from "./fenced.ts";

/**
 * The report of a failed gate for its agent, as Markdown; after the last attempt also that it
 * escalates. Only a human decides on that, so the agent is told to leave it (docs/rules.md, Verify
 * gates).
 *
 * @param before sentences about the same failure before the session's work
 */
export function failureReport(
  { gate, command, state, attempts, max_attempts }: Omit<GateRun, "result">,
  result: RecordedResult,
  before?: string,
): string {
  const escalated = state === "escalated";
  const count = `${attempts}/${max_attempts}`;
  const paragraphs = [
    escalated
      ? "## Shell Verification FAILED - Maximum Attempts Reached"
      : `## Shell Verification FAILED (Attempt ${count})`,
    [
      `**Gate:** ${gate}`,
      `**Command:** ${code(command)}`,
      ...(escalated ? [`**Attempts:** ${count}`] : []),
      `**Exit Code:** ${exitOf(result)}`,
    ].join("\n"),
    result.explanation,
    before,
    ...outputsOf(result),
    escalated ? LEAVE_IT : "Please fix the issues and submit again.",
  ];
  return paragraphs.filter(Boolean).join("\n\n");
}

const LEAVE_IT =
  "It does not run again until a human decides on it: retry, skip or abort. Do not try to get " +
  "around it. Call `partial`, say in `remaining` what fails and what you have tried, and end your " +
  "work.";

function exitOf({ exit_code, signal, timed_out, interrupted }: RecordedResult): string {
  const why = [timed_out && "timed out", interrupted && "interrupted", signal].filter(Boolean).join(", ");
  return [exit_code ?? "none", why && `(${why})`].filter((part) => part !== "").join(" ");
}

/** The end of each existing output. */
function outputsOf({ stdout, stderr }: RecordedResult): string[] {
  const texts = [
    ["### Error Output", endOf(stderr)],
    ["### Output", endOf(stdout)],
  ] as const;
  const said = texts.filter(([, text]) => text.trim() !== "");
  if (said.length === 0) return ["It printed nothing."];
  return said.map(([heading, text]) => `${heading}\n${fenced(text)}`);
}

/** The length of the shown end of an output, in characters. */
const TAIL_LIMIT = 4_000;

/**
 * The last characters, starting at a whole line. Nothing from before an output's gap is shown, so
 * that one mark at the beginning counts everything that is missing.
 */
function endOf({ head, tail, omitted_characters: gap }: RecordedOutput): string {
  const end = [...(gap > 0 ? tail : head + tail).trimEnd()];
  const last = end.slice(-TAIL_LIMIT).join("");
  const newline = end.length > TAIL_LIMIT ? last.indexOf("\n") : -1;
  const kept = newline >= 0 && newline < TAIL_LIMIT / 2 ? last.slice(newline + 1) : last;
  const missing = (gap > 0 ? [...head].length + gap : 0) + end.length - [...kept].length;
  return missing === 0 ? kept : `[… ${missing.toLocaleString("en-US")} characters before …]\n${kept}`;
}

function code(command: string): string {
  const shown = visibleLines(command).join("\n");
  if (shown.includes("\n")) return `\n${fenced(shown)}`;
  const ticks = "`".repeat(longestTicks(shown) + 1);
  const blank = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${ticks}${blank}${shown}${blank}${ticks}`;
}
