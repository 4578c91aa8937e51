import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { type Neighbours, visible } from "../../core.ts";
import { lazily } from "../../parts/lazily.tsx";
import { useIsNarrow } from "../../parts/narrow.ts";
import { Empty, Fault, Loading } from "../../parts/states.tsx";
import { Related } from "./related.tsx";
import "./graph.css";

/** A task's dependencies and dependents as a drawing and as a list; on a phone only the list. */
export function Graph({ task }: { readonly task: number | undefined }) {
  const { with: to } = useAddress();
  const { answer, error } = useAnswer("task-summary", { task: task ?? 0 }, { enabled: task !== undefined });
  if (task === undefined) {
    return (
      <Empty>
        The graph shows a task and its direct neighbours. Select one of the{" "}
        <Link href={to({ show: undefined })}>cards</Link> first.
      </Empty>
    );
  }
  if (error) return <Fault error={error} />;
  if (answer === null) return <Empty>Task #{task} does not exist here.</Empty>;
  if (answer?.card.id !== task) return <Loading what="the graph" />;
  return <Shown neighbours={answer.neighbours} />;
}

function Shown({ neighbours }: { readonly neighbours: Neighbours }) {
  const isNarrow = useIsNarrow();
  const { with: to } = useAddress();
  const { tasks, more_dependencies, more_dependents } = neighbours;
  const itself = tasks.find(({ is }) => is === "itself");
  const of = (is: "dependency" | "dependent") => tasks.filter((task) => task.is === is);
  return (
    <div class="graph scroll">
      {!isNarrow && <Drawing neighbours={neighbours} />}
      <section class="graph-list" aria-label="The graph as a list">
        <ul>
          <li>
            <h2>
              #{itself?.id} {visible(itself?.title ?? "")}
            </h2>
            {isNarrow && (
              <p>
                <Link href={to({ show: undefined })}>Details of #{itself?.id}</Link>
              </p>
            )}
            {tasks.length === 1 && <p class="muted">No dependencies</p>}
            <Related title="Depends on" tasks={of("dependency")} more={more_dependencies} />
            <Related title="Needed by" tasks={of("dependent")} more={more_dependents} />
          </li>
        </ul>
      </section>
    </div>
  );
}

/** Loaded with the first graph. */
const Drawing = lazily(
  async () => (await import("../others.ts")).GraphDrawing,
  () => <Loading what="the graph" />,
);
