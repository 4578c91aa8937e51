import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { counted } from "../../core.ts";
import type { WindowQuery } from "./chart.tsx";
import { numberIn } from "./chart-specs.ts";
import { HowCounted } from "./how-counted.tsx";
import { useOpened } from "./opened.ts";

/** The current number of tasks per stuck count. */
export function StuckCounts({ query }: { readonly query: WindowQuery }) {
  const { answer } = useAnswer("chart", { chart: "stuck", ...query });
  const { with: to } = useAddress();
  const [isHow, toggleHow] = useOpened("how", "stuck");
  if (!answer) return <p class="stuck-counts">Stuck now: …</p>;
  const counts = answer.rows.map((row) => {
    const [count, tasks] = [numberIn(row, "stuck_count") ?? 0, numberIn(row, "tasks") ?? 0];
    return `${counted(tasks, "task")} ${count === 1 ? "once" : `${count} times`}`;
  });
  return (
    <>
      <p class="stuck-counts">
        Stuck now: {counts.length === 0 ? "no tasks" : counts.join(" · ")}{" "}
        <button type="button" aria-expanded={isHow} onClick={toggleHow}>
          How are stuck tasks counted?
        </button>{" "}
        <Link href={to({}, "/policies")}>Policies</Link>
      </p>
      {isHow && (
        <HowCounted
          words="Stuck sessions of each task since it was last done or reset. A task fails at the policy stuck_limit."
          sql={answer.sql}
        />
      )}
    </>
  );
}
