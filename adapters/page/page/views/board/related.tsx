import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { type Neighbour, visible } from "../../core.ts";
import { stateWords } from "../../parts/status-words.ts";

interface RelatedProps {
  readonly title: string;
  readonly tasks: readonly Neighbour[];
  readonly more: number;
}

/** Linked tasks with their statuses. */
export function Related({ title, tasks, more }: RelatedProps) {
  const { with: to } = useAddress();
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="related">
        {tasks.map((task) => (
          <li key={task.id}>
            <Link href={to({ task: task.id, item: undefined })}>
              #{task.id} {visible(task.title)}
            </Link>{" "}
            <span class="muted">
              {stateWords({ status: task.status, isWaiting: task.waits === 1 }).toLowerCase()}
            </span>
          </li>
        ))}
        {more > 0 && <li class="muted">and {more.toLocaleString("en")} more</li>}
      </ul>
    </section>
  );
}
