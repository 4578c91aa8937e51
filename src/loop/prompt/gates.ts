import { howItEnded } from "../../events/types/gate-runs.ts";
import { lastBaseline } from "../../gates/baseline.ts";
import { type Gate, gates } from "../../projections/board/tables.ts";
import type { GateRunRow } from "../../projections/gate-runs.ts";
import type { Context } from "./context.ts";
import { mustSay } from "./must-say.ts";
import type { Entry } from "./part.ts";
import { quoteAgent, quoteHuman } from "./quote.ts";

/**
 * The gates of the task, each with its command, whether it will run, and whether it failed before
 * the session's work. Commands are quoted in full, unless they would take more than a quarter of
 * the prompt.
 *
 * @throws PromptError `empty_part`: a gate's command is blank
 */
export function gateEntries({ readModel, task, session, limit }: Context): Entry[] {
  const rows = readModel.rowsOf({ gates }).gates.where({ task_id: task.id });
  const whole = rows.reduce((sum, gate) => sum + quoteCommand(gate, Number.POSITIVE_INFINITY).length, 0);
  const each = whole <= limit(1 / 4) ? Number.POSITIVE_INFINITY : limit(1 / 24);
  return rows.map((gate, index) => {
    mustSay(gate.command, `The command of gate ${gate.gate} of task ${task.id}`, "task add --verify");
    const head = index === 0 ? "\nGates, commands that must end with exit code 0:\n" : "";
    const baseline =
      session === undefined
        ? undefined
        : lastBaseline(readModel, { task: task.id, gate: gate.gate, session });
    const failed = baseline?.state === "failed" ? baseline : undefined;
    return {
      text: `${head}- gate ${gate.gate}${stateOf(gate)}${beforeWork(failed)}\n${quoteCommand(gate, each)}`,
      positions: [gate.last_position, failed?.ended_position].filter((position) => position != null),
      why: `gate ${gate.gate} is ${gate.approval === "waiting" ? "not approved" : gate.state}`,
    };
  });
}

/** An agent's command is still an agent's words after a human has approved it. */
function quoteCommand({ command, approval }: Gate, limit: number): string {
  return (approval === "unneeded" ? quoteHuman : quoteAgent)(command, limit);
}

function stateOf({ state, approval, attempts, max_attempts }: Gate): string {
  if (approval === "waiting") return ", which does not run: it waits for a human's approval";
  if (state === "skipped") return ", which a human skipped";
  if (state === "aborted") return ", which a human aborted";
  const failed = attempts > 0 ? `, failed ${attempts} of ${max_attempts} attempts` : "";
  return state === "escalated" ? `${failed}; it does not run: a human decides on it` : failed;
}

function beforeWork(run: GateRunRow | undefined): string {
  if (!run) return "";
  const { exit_code, signal } = run;
  const how = howItEnded({ exit_code, signal, timed_out: run.timed_out === 1, interrupted: false });
  return `; before your work it ${how}`;
}
