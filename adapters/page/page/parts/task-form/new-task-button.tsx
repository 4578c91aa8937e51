import { useDisabledReason } from "../../acts.ts";
import { ActButton } from "../act-button.tsx";
import { openTaskForm } from "./open.ts";

export function NewTaskButton() {
  return (
    <ActButton
      class="main new-task"
      title="New task (c)"
      disabledReason={useDisabledReason()}
      onAct={() => openTaskForm()}
    >
      New task
    </ActButton>
  );
}
