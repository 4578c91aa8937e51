import { useAnswer } from "../../answers.ts";
import type { WindowQuery } from "./chart.tsx";
import { numberIn } from "./chart-specs.ts";
import { HowCounted } from "./how-counted.tsx";
import { useOpened } from "./opened.ts";

/** How many tasks have which stuck count now. */
export function StuckCounts({ query }: { readonly query: WindowQuery }) {
  const { answer } = useAnswer("chart", { chart: "stuck", ...query });
  const [isHow, toggleHow] = useOpened("how", "stuck");
  if (!answer) return <p class="stuck-counts">Stuck now: …</p>;
  const counts = answer.rows.map((row) => {
    const [count, tasks] = [numberIn(row, "stuck_count") ?? 0, numberIn(row, "tasks") ?? 0];
    return `${tasks.toLocaleString("en")} ${tasks === 1 ? "task" : "tasks"} ${count === 1 ? "once" : `${count} times`}`;
  });
  return (
    <>
      <p class="stuck-counts">
        Stuck now: {counts.length === 0 ? "no task" : counts.join(" · ")}{" "}
        <button type="button" aria-expanded={isHow} onClick={toggleHow}>
          how are stuck tasks counted
        </button>
      </p>
      {isHow && (
        <HowCounted
          words="Stuck sessions of a task since its last done or reset; at 3 it fails, unless the project set another limit."
          sql={answer.sql}
        />
      )}
    </>
  );
}
