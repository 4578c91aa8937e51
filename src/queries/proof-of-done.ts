import { bearsOut } from "../projections/board/settlement.ts";
import { type Gate, gates, type Task } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type GateProven, gatesProven } from "./gate-evidence.ts";
import { type SessionWork, sessionWorkOf } from "./session-work.ts";

/**
 * What is known of the work that a task's last session did: four facts, of which none follows from another
 * (docs/gates.md). A task that no session has worked on has none.
 */
export interface ProofOfDone {
  readonly session: string;
  /** The done with which its agent closed; null where it has closed with something else, or not yet. */
  readonly claimed: { readonly position: number } | null;
  /** What its driver found in the repository at its end; null while it is open, or where nobody could look. */
  readonly worked: SessionWork | null;
  /** Whether every gate is passed since the session began, or skipped. Without gates nobody but the agent has said anything. */
  readonly verified: "yes" | "no" | "no_gates";
  readonly gates: readonly GateProof[];
  /** Who is to accept a verified done: nobody but the rules, or a human, by the task or by what was found in the workspace. */
  readonly accept: Task["accept"];
  /** The human's acceptance. */
  readonly accepted: Acceptance | null;
}

interface GateProof extends Pick<Gate, "gate" | "state">, GateProven {
  /** Of the attempt that passed it, or of the human's act that skipped it; null while it is neither. */
  readonly position: number | null;
  /** The fingerprint of the files for which its pass counts; null where it is not passed, or they are not known. */
  readonly workspace: string | null;
}

interface Acceptance {
  readonly by: string;
  readonly position: number;
  readonly created: string;
  /** The kinds of what was found in the workspace, which the human has seen. */
  readonly findings: string[];
}

type OfTask = Pick<Task, "id" | "last_start" | "accept" | "awaiting_acceptance">;

/** @returns null where no session of the task has started */
export function proofOfDone(
  readModel: ReadView,
  { id, last_start, accept, awaiting_acceptance }: OfTask,
): ProofOfDone | null {
  if (last_start === 0) return null;
  const session = readModel.get(SESSION, { started: last_start, task: id });
  if (!session) return null;
  const all = readModel.rowsOf({ gates }).gates.where({ task_id: id });
  const proven = gatesProven(readModel, all);
  const proofs = all.map((gate) => ({ ...proofOf(gate), ...(proven.get(gate.gate) ?? UNKNOWN) }));
  const { last_closing, last_closing_position } = session;
  const worked = sessionWorkOf(readModel, session.id) ?? null;
  const isAsked = awaiting_acceptance === 1 || worked?.findings.some(({ led_to }) => led_to === "ask");
  const acceptance = readModel.get(ACCEPTANCE, { task: id, started: last_start });
  return {
    session: session.id,
    claimed:
      last_closing === "done" && last_closing_position !== null ? { position: last_closing_position } : null,
    worked,
    verified: proofs.length === 0 ? "no_gates" : proofs.every(bearsOut) ? "yes" : "no",
    gates: proofs,
    accept: isAsked ? "human" : accept,
    accepted: acceptance ? { ...acceptance, findings: parseColumn(acceptance.findings) } : null,
  };
}

const UNKNOWN: GateProven = { proven: null, evidence: "" };

function proofOf({
  gate,
  state,
  approval_position,
  last_position,
  last_workspace,
  last_action,
}: Gate): Omit<GateProof, keyof GateProven> {
  switch (state) {
    case "passed":
      return { gate, state, position: last_position, workspace: last_workspace };
    case "skipped":
      // A gate is skipped by an action, or by the rejection of one that waited for approval.
      return {
        gate,
        state,
        position: last_action === "skip" ? last_position : approval_position,
        workspace: null,
      };
    default:
      return { gate, state, position: null, workspace: null };
  }
}

const SESSION = question<{ started: number; task: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select(["id", "last_closing", "last_closing_position"])
    .where("started_position", "=", given("started"))
    .where("task_id", "=", given("task")),
);
const ACCEPTANCE = question<{ task: number; started: number }>()((tables, given) =>
  tables
    .selectFrom("acceptances")
    .select(["actor as by", "position", "created", "findings"])
    .where("task_id", "=", given("task"))
    .where("position", ">", given("started"))
    .orderBy("position", "desc")
    .limit(1),
);
