import { z } from "zod";
import { fingerprint, longText } from "./fields.ts";
import { structural } from "./structure.ts";

/** How much is kept of the beginning of an output, and as much of its end, in UTF-16 units (docs/gates.md). */
export const OUTPUT_LIMIT = 5_000;

/** The longest explanation, in UTF-16 units. */
export const EXPLANATION_LIMIT = 1_000;

/** How many processes that a command left behind are named. */
export const LEFT_BEHIND_LIMIT = 50;

/** What is kept of one of the two outputs of a command. */
const keptOutput = z.strictObject({
  /** Its first characters, made visible; all of it where it is short. */
  head: z.string().max(OUTPUT_LIMIT),
  /** Its last characters, made visible; empty where the head has all. */
  tail: z.string().max(OUTPUT_LIMIT),
  /** Characters between head and tail that were not kept. */
  omitted_characters: z.int().min(0),
  /** U+FFFD in the whole output that stand for bytes that are no UTF-8; one stands for a sequence that was broken off, too. */
  invalid_sequences: z.int().min(0),
  bytes: z.int().min(0),
  /** Of all its bytes, as they came; hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KeptOutput = z.infer<typeof keptOutput>;

/** A process that a command had started and that was still there when the command had ended. */
const leftBehind = z.strictObject({
  pid: z.int().min(1),
  /** Of its program, at most 15 characters, made visible. */
  name: z.string().max(200),
  /** False where it could not be ended. */
  ended: z.boolean(),
});
export type LeftBehind = z.infer<typeof leftBehind>;

const isolationWays = ["none", "bwrap", "unshare"] as const;
export type IsolationWay = (typeof isolationWays)[number];

/** What became of a command: plain data (docs/gates.md). */
export const commandResult = z.strictObject({
  /** Null where a signal ended the shell, or nothing could. */
  exit_code: z.int().min(0).max(255).nullable(),
  /** The signal that ended the shell, such as SIGKILL. */
  signal: structural(z.string().max(20)).nullable(),
  timed_out: z.boolean(),
  /** True where it was given up, by whoever had it run or by the death of its runner. */
  interrupted: z.boolean(),
  /** Until the shell had ended. */
  duration_ms: z.int().min(0),
  stdout: keptOutput,
  stderr: keptOutput,
  /** For people: what the exit code, the signal or the time-out means, where that is not plain. */
  explanation: z.string().max(EXPLANATION_LIMIT).nullable(),
  isolation: z.enum(isolationWays),
  /** The first of them; all were ended, as far as they could be. */
  left_behind: z.array(leftBehind).max(LEFT_BEHIND_LIMIT),
});
export type CommandResult = z.infer<typeof commandResult>;

/** An output as an event has it: of what was run elsewhere only the text is known, shortened by whoever ran it. */
const recordedOutput = z.strictObject({
  ...keptOutput.partial({ invalid_sequences: true, bytes: true, sha256: true }).shape,
  head: longText,
});
export type RecordedOutput = z.infer<typeof recordedOutput>;

/** A result as an event has it; what is absent is not known. */
export const recordedResult = z.strictObject({
  ...commandResult.partial({ isolation: true }).shape,
  stdout: recordedOutput,
  stderr: recordedOutput,
  /** Of the workspace's files before it was run, and after. */
  workspace_before: fingerprint.optional(),
  workspace_after: fingerprint.optional(),
});
export type RecordedResult = z.infer<typeof recordedResult>;

/** Rules.md, Verify gates: exit code 0 without a time-out passes. */
export function passes(result: Pick<CommandResult, "exit_code" | "timed_out" | "interrupted">): boolean {
  return result.exit_code === 0 && !result.timed_out && !result.interrupted;
}

/** An output of which only a text is known. */
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
  /** What it printed, shortened by whoever ran it. */
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

/** The line that `outputText` puts where the middle of an output was not kept. */
export const outputGap = /^\[… \d+ characters left out …\]$/;
