import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { visible } from "../../core.ts";
import { SELECTED_TASK, useKeys } from "../../keys.ts";
import { oneLine } from "../../parts/readable.ts";
import { Robot } from "../../parts/robot.tsx";
import { StatusMenu } from "../../parts/status-menu.tsx";
import { statusWords } from "../../parts/status-words.ts";
import { EditTaskButton } from "../../parts/task-form/edit-task-button.tsx";
import { openTaskForm } from "../../parts/task-form/open.ts";
import { Why } from "../../parts/why.tsx";

/** The task's title and status, with its explanation. */
export function TaskHead({ id, answer }: { readonly id: number; readonly answer: AnswerOf<"timeline"> }) {
  const { with: to } = useAddress();
  const { task } = answer;
  const disabledReason = useDisabledReason();
  useKeys(
    SELECTED_TASK,
    task && disabledReason === undefined
      ? [{ key: "e", does: "edit the task", run: () => openTaskForm(id) }]
      : [],
  );
  if (!task) {
    return (
      <header class="task-head">
        <h1>Task {id}</h1>
        <p class="muted">Deleted. Its history is kept.</p>
      </header>
    );
  }
  const session = task.open_session === null ? null : { id: task.open_session };
  return (
    <header class="task-head">
      <h1>
        <span class="muted">#{id}</span> {visible(task.title)}
        {task.origin === "agent" && <Robot />}
      </h1>
      {answer.in_short !== null && <p class="task-in-short">{oneLine(answer.in_short)}</p>}
      <p class="task-state">
        <Why of={{ kind: "task", id }}>{task.ready ? "Ready" : statusWords[task.status]}</Why>
        <StatusMenu card={{ id, status: task.status, session }}>Set status</StatusMenu>
        <EditTaskButton task={id} />
        <span class="muted">
          {task.priority} · {visible(task.feature)} · {visible(task.discipline)}
        </span>
        <Link href={to({ task: id }, "/board")}>Show on the board</Link>
        <Link href={to({ task: id }, "/log")}>Show all events</Link>
      </p>
    </header>
  );
}
