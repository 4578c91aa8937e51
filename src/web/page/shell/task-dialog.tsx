import type { Acted } from "../../server/acts/act.ts";
import { useDisabledReason } from "../acts.ts";
import { useAddress } from "../address.ts";
import { EVERYWHERE, useKeys } from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Loading } from "../parts/states.tsx";
import { openTaskForm, taskForm } from "../parts/task-form/open.ts";
import { useStore } from "../store.ts";
import { notify } from "../views/board/notice.tsx";

const TaskForm = lazily(
  async () => (await import("../parts/task-form/form.tsx")).TaskForm,
  () => <Loading what="the form" />,
);

/** The dialog for a new task, on `c`, or to change one. */
export function TaskDialog() {
  const open = useStore(taskForm);
  const address = useAddress();
  const disabledReason = useDisabledReason();
  useKeys(
    EVERYWHERE,
    disabledReason === undefined ? [{ key: "c", does: "new task", run: () => openTaskForm() }] : [],
  );
  const task = open?.task;
  const name = task === undefined ? "New task" : `Edit #${task}`;
  const report = (acted: Acted) => {
    notify(`#${acted.task} ${task === undefined ? "created" : "saved"}.`);
    if (task === undefined) address.go({ task: acted.task ?? undefined }, { path: "/board" });
  };
  return (
    <Dialog
      label={name}
      isOpen={open !== undefined}
      class="task-dialog"
      onClose={() => taskForm.set(undefined)}
    >
      {(close) => (
        <>
          <h2>{name}</h2>
          <TaskForm
            task={task}
            onDone={(acted) => {
              close();
              if (acted) report(acted);
            }}
          />
        </>
      )}
    </Dialog>
  );
}
