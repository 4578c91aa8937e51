import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { type CommandResult, commandResult, outputText } from "../../../src/events/types/command-result.ts";
import { gateEnvironment } from "../../../src/gates/runner/environment.ts";
import { type Command, runCommand } from "../../../src/gates/runner/run-command.ts";
import { freshFolder } from "../../support/project.ts";

/** So long a test waits before it says that something hangs; nothing that is tried here takes a fraction of it. */
const HANGS_MS = 60_000;

/** Runs a command in a folder of its own, with all the time in the world, and holds that its result is as the schema says. */
export async function run(command: string, options: Partial<Command> = {}): Promise<CommandResult> {
  const result = await runCommand({
    command,
    folder: options.folder ?? freshFolder(),
    timeoutMs: HANGS_MS,
    environment: gateEnvironment(process.env),
    ...options,
  });
  expect(commandResult.parse(result)).toEqual(result);
  return result;
}

export function stdoutOf(result: CommandResult): string {
  return outputText(result.stdout);
}

/** Whether a process is there and has not ended. */
export function isThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** Waits until something holds; false if it never does. */
export async function comes(what: () => boolean): Promise<boolean> {
  for (let waited_ms = 0; waited_ms < HANGS_MS; waited_ms += 20) {
    if (what()) return true;
    await delay(20);
  }
  return false;
}
