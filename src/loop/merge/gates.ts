import type { Config } from "../../config/config.ts";
import type { CommandResult } from "../../events/types/command-result.ts";
import { passes } from "../../events/types/command-result.ts";
import { gateCommand } from "../../gates/gate-command.ts";
import { runCommand } from "../../gates/runner/run-command.ts";
import { isRunnable } from "../../projections/board/gates.ts";
import { type Gate, gates } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/**
 * Runs a task's gates on the merged result, one after another, until one fails. These runs are no
 * attempts and change no gate's state (docs/rules.md, Merges).
 *
 * @returns the gate that fails; undefined if all pass
 * @throws RunnerError: one could not be started; the abort reason of `signal`
 */
export async function runGatesOnMerge(
  readModel: ReadModel,
  task: number,
  {
    record,
    prepare,
    onStart,
    signal,
    ...where
  }: {
    readonly folder: string;
    readonly runFolder: string;
    readonly config: Pick<Config, "gates" | "log">;
    readonly signal: AbortSignal;
    /** Called before the first one; not where there is none. */
    prepare(): Promise<void>;
    onStart(gate: Gate): void;
    record(gate: Gate, result: CommandResult): Promise<unknown>;
  },
): Promise<Gate | undefined> {
  const wanted = readModel.rowsOf({ gates }).gates.where({ task_id: task }, isRunnable);
  if (wanted.length > 0) await prepare();
  for (const gate of wanted) {
    onStart(gate);
    const result = await runCommand({ ...gateCommand(gate, where), signal });
    // An aborted run says nothing about the work.
    signal.throwIfAborted();
    await record(gate, result);
    if (!passes(result)) return gate;
  }
  return undefined;
}
