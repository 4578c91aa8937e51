import { constants } from "node:os";
import type { CommandResult } from "../../events/types/command-result.ts";
import { GRACE_MS } from "./limits.ts";

/**
 * The meaning of an end that is not obvious, for people and agents; null if the exit code is the
 * command's own.
 */
export function explain(
  {
    exit_code,
    signal,
    timed_out,
    interrupted,
  }: Pick<CommandResult, "exit_code" | "signal" | "timed_out" | "interrupted">,
  timeoutMs: number,
): string | null {
  const stopped = timed_out
    ? `Timed out after ${timeoutMs / 1_000} s: its process group received SIGTERM, and SIGKILL for ` +
      `what was left after ${GRACE_MS / 1_000} s.`
    : interrupted
      ? "Ended early, because its run was cancelled."
      : undefined;
  if (exit_code === null && signal === null) {
    return [stopped, "Its shell could not be ended and may still be running."].filter(Boolean).join(" ");
  }
  if (stopped !== undefined) return stopped;
  if (signal !== null) return `The shell was ended by ${signal}.${hintFor(signal)}`;
  if (exit_code === 126) {
    return (
      "Exit code 126: the command was found but cannot be executed. Is it a folder, or a file without " +
      "execute permission (chmod +x)?"
    );
  }
  if (exit_code === 127) {
    return (
      "Exit code 127: a command was not found; stderr names it. Is it installed, and on the PATH of " +
      "the process that runs the gates?"
    );
  }
  const name = exit_code === null ? undefined : signalName(exit_code - 128);
  return name === undefined
    ? null
    : `Exit code ${exit_code} is 128+${Number(exit_code) - 128}: a program was ended by ${name}.${hintFor(name)}`;
}

function hintFor(signal: string): string {
  return signal === "SIGKILL" ? " signalbox did not send it; a machine that runs out of memory does." : "";
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
