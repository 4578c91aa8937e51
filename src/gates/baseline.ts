import { outputGap } from "../events/types/command-result.ts";
import { shorten } from "../lib/shorten.ts";
import { comparable } from "../projections/comparable.ts";
import type { GateRunRow } from "../projections/gate-runs.ts";
import { gateRunOutput, gateRunsOf } from "../queries/gate-runs.ts";
import type { ReadModel } from "../read-model/read-model.ts";

/** A comparison of an attempt with its session's baseline: the earlier failure, and what is new. */
export interface BaselineComparison {
  /** The gate failed before the work. */
  readonly failed_before: boolean;
  /** Same end and same output, ignoring times, process ids and temporary paths. */
  readonly same: boolean;
  /**
   * Lines of the attempt that are not in the baseline, in order; the first 20, each of at most 200
   * characters.
   */
  readonly new_lines: readonly string[];
  /** How many more of them there are. */
  readonly more: number;
  /** The middle of the baseline's output was dropped, and may have contained a new line. */
  readonly baseline_cut: boolean;
}

/**
 * Compares an attempt with the last completed baseline of its gate in its session, or on the base of its task.
 *
 * @returns undefined if there is none: earlier failures are then unknown
 */
export function compareWithBaseline(
  readModel: ReadModel,
  { task, gate, session }: { readonly task: number; readonly gate: number; readonly session: string },
  attempt: Pick<GateRunRow, "exit_code" | "stdout" | "stderr">,
): BaselineComparison | undefined {
  const baseline = lastBaseline(readModel, { task, gate, session });
  if (!baseline) return undefined;
  const [before, now] = [outputsOf(baseline), outputsOf(attempt)];
  const known = new Set(before.flatMap(({ lines }) => lines.map(masked)));
  const fresh = now.flatMap(({ lines }) => lines).filter((line) => !known.has(masked(line)));
  const failed_before = baseline.state === "failed";
  return {
    failed_before,
    same: failed_before && baseline.exit_code === attempt.exit_code && textOf(before) === textOf(now),
    new_lines: fresh.slice(0, LINES_LIMIT).map((line) => shorten(line.trimEnd(), LINE_LIMIT)),
    more: Math.max(0, fresh.length - LINES_LIMIT),
    baseline_cut: before.some(({ cut }) => cut),
  };
}

/** The last baseline of a gate in a session, or on the base of its task, with its output; ignoring interrupted ones. */
export function lastBaseline(
  readModel: ReadModel,
  { session, ...of }: { readonly task: number; readonly gate: number; readonly session: string },
): GateRunRow | undefined {
  const last = gateRunsOf(readModel, of, "baseline").findLast(
    ({ session_id, base, state }) =>
      (session_id === session || base !== null) && (state === "passed" || state === "failed"),
  );
  const { stdout, stderr } =
    (last?.repeats != null && gateRunOutput(readModel, last.repeats)) || (last ?? {});
  return last && { ...last, stdout: stdout ?? null, stderr: stderr ?? null };
}

const LINES_LIMIT = 20;
const LINE_LIMIT = 200;

interface Output {
  /** The non-blank lines, as printed. */
  readonly lines: readonly string[];
  readonly cut: boolean;
}

/**
 * Stdout and stderr. The lines next to a gap may be incomplete, and are left out with it; carriage
 * returns are escaped there (docs/gates.md, What is recorded).
 */
function outputsOf({ stdout, stderr }: Pick<GateRunRow, "stdout" | "stderr">): Output[] {
  return [stdout ?? "", stderr ?? ""].map((text) => {
    const lines = text.split(/(?:\r|\\u\{d\})?\n|\r|\\u\{d\}/);
    const gap = lines.findIndex((line) => outputGap.test(line));
    if (gap >= 0) lines.splice(Math.max(0, gap - 1), gap === 0 ? 2 : 3);
    return { lines: lines.filter((line) => masked(line) !== ""), cut: gap >= 0 };
  });
}

function textOf(outputs: readonly Output[]): string {
  return outputs.map(({ lines, cut }) => [...lines.map(masked), cut ? "cut" : "whole"].join("\n")).join("\n");
}

/** A line without run-specific parts: colours, temporary paths, process ids, addresses, times. */
function masked(line: string): string {
  return comparable(
    line
      .replace(COLOUR, "")
      .replace(/(?:\/private)?(?:\/var\/tmp|\/var\/folders|\/dev\/shm|\/tmp)\/[^\s:'"`)\]}>,;]+/g, "<temp>")
      .replace(/\b(pid|process|worker|thread)([\s:=#([]+)\d+/gi, "$1$2<pid>")
      .replace(/==\d+==/g, "==<pid>==")
      .replace(/\[\d+\](?=[:\s])/g, "[<pid>]")
      .replace(/\b0x[0-9a-f]{6,}\b/gi, "<address>"),
  );
}

/** In stored outputs, control characters are escapes. */
const COLOUR = /\\u\{1b\}\[[\d;]*m/gi;
