import { z } from "zod";
import { fingerprint, longText } from "./fields.ts";
import { structural } from "./structure.ts";

/**
 * Characters kept of the beginning of an output, and as many of its end, in UTF-16 units
 * (docs/gates.md).
 */
export const OUTPUT_LIMIT = 5_000;

/** The longest explanation, in UTF-16 units. */
export const EXPLANATION_LIMIT = 1_000;

/** The most leftover processes that are named. */
export const LEFT_BEHIND_LIMIT = 50;

/** The kept part of a command's stdout or stderr. */
const keptOutput = z.strictObject({
  /** Its first characters, made visible; the whole output if it is short. */
  head: z.string().max(OUTPUT_LIMIT),
  /** Its last characters, made visible; empty if the head has the whole output. */
  tail: z.string().max(OUTPUT_LIMIT),
  /** Characters dropped between head and tail. */
  omitted_characters: z.int().min(0),
  /**
   * U+FFFD characters in the whole output that replace invalid UTF-8, including a truncated
   * sequence at its end.
   */
  invalid_sequences: z.int().min(0),
  bytes: z.int().min(0),
  /** SHA-256 of all raw bytes, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KeptOutput = z.infer<typeof keptOutput>;

/** A process that a command started and that was still running when the command ended. */
const leftBehind = z.strictObject({
  pid: z.int().min(1),
  /** The name of its program, at most 15 characters, made visible. */
  name: z.string().max(200),
  /** False if it could not be killed. */
  ended: z.boolean(),
});
export type LeftBehind = z.infer<typeof leftBehind>;

const isolationWays = ["none", "bwrap", "unshare"] as const;
export type IsolationWay = (typeof isolationWays)[number];

/** The result of a command as plain data (docs/gates.md). */
export const commandResult = z.strictObject({
  /** Null if a signal ended the shell, or nothing could end it. */
  exit_code: z.int().min(0).max(255).nullable(),
  /** The signal that ended the shell, such as SIGKILL. */
  signal: structural(z.string().max(20)).nullable(),
  timed_out: z.boolean(),
  /** True if the command was aborted, by its caller or by the death of its runner. */
  interrupted: z.boolean(),
  /** Until the shell ended. */
  duration_ms: z.int().min(0),
  stdout: keptOutput,
  stderr: keptOutput,
  /** For people: what the exit code, signal or timeout means, if that is not obvious. */
  explanation: z.string().max(EXPLANATION_LIMIT).nullable(),
  isolation: z.enum(isolationWays),
  /** The first leftover processes; all were killed if possible. */
  left_behind: z.array(leftBehind).max(LEFT_BEHIND_LIMIT),
});
export type CommandResult = z.infer<typeof commandResult>;

/**
 * An output in an event: for a command that was run elsewhere only its text is known, shortened by
 * the reporter.
 */
const recordedOutput = z.strictObject({
  ...keptOutput.partial({ invalid_sequences: true, bytes: true, sha256: true }).shape,
  head: longText,
});
export type RecordedOutput = z.infer<typeof recordedOutput>;

/** A result in an event; absent fields are unknown. */
export const recordedResult = z.strictObject({
  ...commandResult.partial({ isolation: true }).shape,
  stdout: recordedOutput,
  stderr: recordedOutput,
  /** A fingerprint of the workspace's files, before and after the command. */
  workspace_before: fingerprint.optional(),
  workspace_after: fingerprint.optional(),
});
export type RecordedResult = z.infer<typeof recordedResult>;

/** Exit code 0 without a timeout passes (docs/rules.md, Verify gates). */
export function passes(result: Pick<CommandResult, "exit_code" | "timed_out" | "interrupted">): boolean {
  return result.exit_code === 0 && !result.timed_out && !result.interrupted;
}

/** An output that is known only as text. */
export function textAsOutput(text: string): RecordedOutput {
  return { head: text, tail: "", omitted_characters: 0 };
}

/** What is known of a command that was run elsewhere. */
export function resultFromElsewhere({
  exit_code,
  timed_out = false,
  duration_ms = 0,
  stdout = "",
  stderr = "",
}: {
  readonly exit_code: number;
  readonly timed_out?: boolean | undefined;
  readonly duration_ms?: number | undefined;
  /** Its output, shortened by the reporter. */
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}): RecordedResult {
  return {
    exit_code,
    signal: null,
    timed_out,
    interrupted: false,
    duration_ms,
    stdout: textAsOutput(stdout),
    stderr: textAsOutput(stderr),
    explanation: null,
    left_behind: [],
  };
}

/** Head, marker and tail of an output as one text. Without a gap there is no marker. */
export function outputText({
  head,
  tail,
  omitted_characters,
}: Pick<RecordedOutput, "head" | "tail" | "omitted_characters">): string {
  if (omitted_characters === 0) return head + tail;
  const newline = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${newline}[… ${omitted_characters} characters left out …]\n${tail}`;
}

/** The line that `outputText` puts in place of the dropped middle of an output. */
export const outputGap = /^\[… \d+ characters left out …\]$/;
