import { evidenceInWords, type GateEvidence, provenBy } from "../events/types/gate-words.ts";
import type { Gate } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { unsteadyRuns } from "./gate-runs.ts";

/** What a gate's pass proves, and what else people should know of the gate. */
export interface GateProven {
  readonly proven: ReturnType<typeof provenBy>;
  /** The same in words; empty where nothing is known, or the gate is not passed. */
  readonly evidence: string;
}

/** Of these gates of one task, which are all of it. */
export function gatesProven(readModel: ReadView, gates: readonly Gate[]): ReadonlyMap<number, GateProven> {
  const passed = gates.filter(({ state }) => state === "passed");
  const [first] = passed;
  if (!first) return new Map();
  const steps = unsteadyRuns(readModel, first.task_id);
  return new Map(
    passed.map((gate) => {
      const evidence = evidenceOf(gate, steps.findLast((run) => run.gate === gate.gate) ?? null);
      return [gate.gate, { proven: provenBy(evidence), evidence: evidenceInWords(evidence) }];
    }),
  );
}

function evidenceOf(gate: Gate, unsteady: GateEvidence["unsteady"]): GateEvidence {
  const { command, before, without: state, without_files, last_workspace: ran, left_workspace: left } = gate;
  const without = state !== null && without_files !== null ? { ...parseColumn(without_files), state } : null;
  const changes_files = ran !== null && left !== null && ran !== left;
  return { command, before, without, changes_files, unsteady };
}
