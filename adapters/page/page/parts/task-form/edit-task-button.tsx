import { useDisabledReason } from "../../acts.ts";
import { ActButton } from "../act-button.tsx";
import { openTaskForm } from "./open.ts";

/** Opens the form to change a task. */
export function EditTaskButton({ task }: { readonly task: number }) {
  return (
    <ActButton disabledReason={useDisabledReason()} data-act="change" onAct={() => openTaskForm(task)}>
      Edit<span class="hidden-but-read"> #{task}</span>
    </ActButton>
  );
}
