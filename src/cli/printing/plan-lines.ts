import { quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { visibleLines } from "../../lib/visible.ts";
import type { PlanView } from "../../queries/plans.ts";

/** What a plan proposes, as a table: each task, and below it its gates, whole. */
export function planLines({ proposed }: Pick<PlanView, "proposed">): string[] {
  const lines = tableLines(
    ["task", "title", "feature", "after"],
    proposed.map(({ id, title, feature, depends_on }) => [
      ...[String(id), quoteLine(title, 60), quoteLine(feature, 20), depends_on.join(", ")],
    ]),
  );
  return lines.flatMap((line, nth) => [
    line,
    ...(proposed[nth - 1]?.gates ?? []).map(
      (gate) => `      gate: ${visibleLines(gate).join("\n            ")}`,
    ),
  ]);
}
