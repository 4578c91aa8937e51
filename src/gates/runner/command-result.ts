import { z } from "zod";
import { LEFT_BEHIND_LIMIT, OUTPUT_LIMIT } from "./limits.ts";

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

/** What became of a command: plain data, fit for the payload of an event (docs/gates.md). */
export const commandResult = z.strictObject({
  /** Null where a signal ended the shell, or nothing could. */
  exit_code: z.int().min(0).max(255).nullable(),
  /** The signal that ended the shell, such as SIGKILL. */
  signal: z.string().max(20).nullable(),
  timed_out: z.boolean(),
  /** True where whoever had it run gave it up. */
  aborted: z.boolean(),
  /** Until the shell had ended. */
  duration_ms: z.int().min(0),
  stdout: keptOutput,
  stderr: keptOutput,
  /** For people: what the exit code, the signal or the time-out means, where that is not plain. */
  explanation: z.string().max(1_000).nullable(),
  isolation: z.enum(isolationWays),
  /** The first of them; all were ended, as far as they could be. */
  left_behind: z.array(leftBehind).max(LEFT_BEHIND_LIMIT),
});
export type CommandResult = z.infer<typeof commandResult>;

/** Rules.md, Verify gates: exit code 0 without a time-out passes. What was aborted is no attempt at all. */
export function passes(result: Pick<CommandResult, "exit_code" | "timed_out" | "aborted">): boolean {
  return result.exit_code === 0 && !result.timed_out && !result.aborted;
}
