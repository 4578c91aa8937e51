import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { readable } from "../../parts/readable.ts";

/** What the task is, its status, and why it has it. */
export function TaskHead({ id, answer }: { readonly id: number; readonly answer: AnswerOf<"timeline"> }) {
  const { with: to } = useAddress();
  const { task, because } = answer;
  if (!task) {
    return (
      <header class="task-head">
        <h1>Task {id}</h1>
        <p class="muted">It was deleted; its history stays.</p>
      </header>
    );
  }
  return (
    <header class="task-head">
      <h1>
        <span class="muted">#{id}</span> {readable(task.title)}
        {task.origin === "agent" && <span title="An agent proposed it."> 🤖</span>}
      </h1>
      <p>
        <strong>{task.ready ? "ready" : task.status.replace("_", " ")}</strong>
        <span class="muted">
          {" "}
          · {task.priority} · {readable(task.feature)} · {readable(task.discipline)}
        </span>{" "}
        {because && <Because because={because} />} <Link href={to({ task: id }, "/log")}>all events</Link>
      </p>
    </header>
  );
}

function Because({ because }: { readonly because: NonNullable<AnswerOf<"timeline">["because"]> }) {
  const { with: to } = useAddress();
  return (
    <details class="because">
      <summary>why?</summary>
      <p>{because.means?.sentence ?? because.rule}</p>
      <p>
        Events:{" "}
        {because.causes.map((position, nth) => (
          <>
            {nth > 0 && ", "}
            <Link href={to({ event: position }, "/log")}>#{position.toLocaleString("en")}</Link>
          </>
        ))}
      </p>
    </details>
  );
}
