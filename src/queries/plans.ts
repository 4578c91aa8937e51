import { counted } from "../lib/readable.ts";
import { visible, visibleLines } from "../lib/visible.ts";
import { goesWithPlan } from "../projections/board/gate-approval.ts";
import { boardTables, type Plan } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A plan with the drafts of it that no human has decided on, as they are now, and what is wrong with it. */
export interface PlanView extends Omit<Plan, "text" | "confirmed"> {
  readonly text: string;
  readonly proposed: readonly PlannedTask[];
  /** What it proposed that was a draft already, and the plan that has that draft. */
  readonly confirmed: readonly { readonly task: number; readonly plan: number | null }[];
  readonly faults: readonly { readonly kind: string; readonly task: number | null; readonly says: string }[];
}

export interface PlannedTask {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly feature: string;
  readonly discipline: string;
  readonly priority: string;
  readonly depends_on: readonly number[];
  readonly criteria: readonly string[];
  readonly context_files: readonly string[];
  readonly output_artifacts: readonly string[];
  /** Those that are approved with it. */
  readonly gates: readonly string[];
  readonly estimated_turns: number | null;
  /** How often a later plan proposed the same. */
  readonly confirmed: number;
}

export function findPlan(readModel: ReadView, id: number): PlanView | undefined {
  const rows = readModel.rowsOf(boardTables);
  const plan = rows.plans.get(id);
  if (!plan) return undefined;
  const proposed = rows.suggestions
    .where({ plan: id, state: "proposed" })
    .flatMap(({ proposed_task, confirmed }) => {
      const task = rows.tasks.get(proposed_task ?? 0);
      if (!task) return [];
      const { title, description, feature, discipline, priority, depends_on, criteria, estimated_turns } =
        task;
      return [
        {
          ...{ id: task.id, title, description, feature, discipline, priority, estimated_turns, confirmed },
          depends_on: parseColumn(depends_on),
          criteria: parseColumn(criteria),
          context_files: parseColumn(task.context_files),
          output_artifacts: parseColumn(task.output_artifacts),
          gates: rows.gates
            .where({ task_id: task.id }, (gate) => goesWithPlan(gate, plan))
            .map(({ command }) => command),
        },
      ];
    });
  const faults = rows.planFaults
    .where({ plan: id })
    .filter(({ task_id }) => task_id === null || proposed.some((task) => task.id === task_id))
    .map(({ kind, task_id, says }) => ({ kind, task: task_id, says }));
  const again: number[] = parseColumn(plan.confirmed);
  const confirmed = again.map((task) => ({
    task,
    plan: rows.suggestions.where({ proposed_task: task }, (draft) => draft.plan !== null)[0]?.plan ?? null,
  }));
  return { ...plan, proposed, confirmed, faults };
}

/** The plan that a session began. */
export function planOfSession(readModel: ReadView, session: string): PlanView | undefined {
  const [plan] = readModel.rowsOf(boardTables).plans.where({ session_id: session });
  return plan && findPlan(readModel, plan.plan);
}

/** The words of a plan's item in the inbox: its first line, and in markdown what it proposes. */
export function planInWords(readModel: ReadView, id: number): { text: string; detail: string } {
  const plan = findPlan(readModel, id);
  if (!plan) return { text: "", detail: "" };
  const title = plan.text.split("\n").find((line) => line.trim() !== "") ?? "";
  const lines = plan.proposed.flatMap((task) => [
    taskLine(task),
    ...task.gates.map((gate) => `  gate: ${visibleLines(gate).join("\n        ")}`),
  ]);
  const faults = plan.faults.map(({ says }) => `! ${visible(says)}`);
  return {
    text: `${counted(plan.drafts, "task")}: ${title.replace(/^#+\s*/, "")}`,
    detail: [...lines, ...faults].join("\n"),
  };
}

function taskLine({ id, title, feature, depends_on, confirmed }: PlannedTask): string {
  const after = depends_on.length === 0 ? "" : ` · after ${depends_on.join(", ")}`;
  const again = confirmed === 0 ? "" : ` · proposed ${confirmed + 1} times`;
  return `- ${id} ${visible(title)} · ${feature}${after}${again}`;
}
