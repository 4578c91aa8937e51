import { useEffect, useState } from "preact/hooks";
import type { Acted } from "../../server/acts/act.ts";
import { useDisabledReason } from "../acts.ts";
import { useAddress } from "../address.ts";
import { EVERYWHERE, useKeys } from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Notice } from "../parts/notice.tsx";
import { Loading } from "../parts/states.tsx";
import { openTaskForm, taskForm } from "../parts/task-form/open.ts";
import { useStore } from "../store.ts";

const TaskForm = lazily(
  async () => (await import("../parts/task-form/form.tsx")).TaskForm,
  () => <Loading what="the form" />,
);

/** The dialog for a new task, on `c`, or to change one; then a notice of it in the view that shows the task. */
export function TaskDialog() {
  const open = useStore(taskForm);
  const address = useAddress();
  const disabledReason = useDisabledReason();
  const [saved, setSaved] = useState<{ readonly text: string; readonly path: string }>();
  // Who comes back later needs no old notice.
  useEffect(() => {
    if (saved?.path !== address.path) setSaved(undefined);
  }, [address.path]);
  useKeys(
    EVERYWHERE,
    disabledReason === undefined ? [{ key: "c", does: "new task", run: () => openTaskForm() }] : [],
  );
  const task = open?.task;
  const name = task === undefined ? "New task" : `Edit #${task}`;
  const report = (acted: Acted) => {
    if (task !== undefined) return setSaved({ text: `#${acted.task} saved.`, path: address.path });
    setSaved({ text: `#${acted.task} created.`, path: "/board" });
    address.go({ task: acted.task ?? undefined }, { path: "/board" });
  };
  return (
    <>
      <Notice>{saved?.path === address.path && saved.text}</Notice>
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
    </>
  );
}
