import { useEffect, useRef } from "preact/hooks";
import { visible } from "../../../../events/visible.ts";
import { draftOf } from "../../drafts.ts";
import { ActButton } from "../act-button.tsx";
import { ChangeTask } from "../change-task.tsx";
import type { WholeItem } from "./handling.ts";

interface DraftProps {
  /** The draft's id. */
  readonly task: number;
  readonly draft: NonNullable<WholeItem["draft"]>;
  /** The fields that were edited since the agent proposed it. */
  readonly changed: readonly string[];
  readonly disabledReason: string | undefined;
  readonly isChanging: boolean;
  onChanging(isChanging: boolean): void;
}

/** The proposed task, which can be edited before it is approved. */
export function Draft({ task, draft, changed, disabledReason, isChanging, onChanging }: DraftProps) {
  const closed = useRef<HTMLParagraphElement>(null);
  const wasChanging = useRef(false);
  useEffect(() => {
    if (wasChanging.current && !isChanging) closed.current?.querySelector("button")?.focus();
    wasChanging.current = isChanging;
  }, [isChanging]);
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
      {isChanging ? (
        <ChangeTask
          task={task}
          words={draft}
          features={draft.features}
          disciplines={draft.disciplines}
          onDone={() => onChanging(false)}
        />
      ) : (
        <p ref={closed}>
          <ActButton disabledReason={disabledReason} data-act="change" onAct={() => onChanging(true)}>
            Edit …
          </ActButton>{" "}
          {draftOf(`change-${task}`) !== "" && <span class="muted">Unsaved draft kept</span>}
        </p>
      )}
    </section>
  );
}
