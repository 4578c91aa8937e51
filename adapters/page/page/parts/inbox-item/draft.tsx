import { visible } from "../../core.ts";
import { draftOf } from "../../drafts.ts";
import { useStore } from "../../store.ts";
import { ActButton } from "../act-button.tsx";
import { draftName, openTaskForm, taskForm } from "../task-form/open.ts";
import type { WholeItem } from "./handling.ts";

interface DraftProps {
  /** The draft's id. */
  readonly task: number;
  readonly draft: NonNullable<WholeItem["draft"]>;
  /** The fields that were edited since the agent proposed it. */
  readonly changed: readonly string[];
  readonly disabledReason: string | undefined;
}

/** The proposed task, which can be edited before it is approved. */
export function Draft({ task, draft, changed, disabledReason }: DraftProps) {
  // The form may leave an unsaved draft.
  useStore(taskForm);
  return (
    <section class="draft" aria-label="Proposed draft">
      <dl>
        {(["priority", "feature", "discipline"] as const).map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visible(draft[name])}</dd>
          </div>
        ))}
      </dl>
      {changed.length > 0 && <p class="muted">Edited since it was proposed: {changed.join(", ")}.</p>}
      <p>
        <ActButton disabledReason={disabledReason} data-act="change" onAct={() => openTaskForm(task)}>
          Edit …
        </ActButton>{" "}
        {draftOf(draftName(task)) !== "" && <span class="muted">Unsaved draft kept</span>}
      </p>
    </section>
  );
}
