import { useState } from "preact/hooks";
import { visible } from "../../../../events/visible.ts";
import { useAct } from "../../acts.ts";
import { ActButton } from "../../parts/act-button.tsx";
import type { WholeItem } from "./handling.ts";

type Draft = NonNullable<WholeItem["draft"]>;
const WORDS = ["title", "description", "priority", "feature", "discipline"] as const;

interface ChangeProps {
  /** The draft's id. */
  readonly task: number;
  readonly draft: Draft;
  /** What is not as the agent proposed it. */
  readonly changed: readonly string[];
  readonly whyNot: string | undefined;
}

/** What approval would make a task: its words, which can be changed before. */
export function ChangeForm({ task, draft, changed, whyNot }: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="draft" aria-label="The draft">
      <dl>
        {(["priority", "feature", "discipline"] as const).map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visible(draft[name])}</dd>
          </div>
        ))}
      </dl>
      {changed.length > 0 && <p class="muted">Changed since it was proposed: {changed.join(", ")}.</p>}
      {isOpen ? (
        <Form task={task} draft={draft} whyNot={whyNot} onClose={() => setOpen(false)} />
      ) : (
        <ActButton whyNot={whyNot} onAct={() => setOpen(true)}>
          Change …
        </ActButton>
      )}
    </section>
  );
}

function Form({
  task,
  draft,
  whyNot,
  onClose,
}: Pick<ChangeProps, "task" | "draft" | "whyNot"> & { onClose(): void }) {
  const { run, isBusy, problem } = useAct("change_task");
  const [words, setWords] = useState(draft);
  const write = (change: Partial<Draft>) => setWords({ ...words, ...change });
  const changes = Object.fromEntries(
    WORDS.filter((name) => words[name] !== draft[name]).map((name) => [name, words[name]]),
  );
  return (
    <form
      class="change"
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
      onSubmit={async (event) => {
        event.preventDefault();
        if (Object.keys(changes).length === 0 || (await run({ task, ...changes }))) onClose();
      }}
    >
      <label>
        Title
        <input value={words.title} onInput={({ currentTarget }) => write({ title: currentTarget.value })} />
      </label>
      <label>
        Description
        <textarea
          rows={5}
          value={words.description}
          onInput={({ currentTarget }) => write({ description: currentTarget.value })}
        />
      </label>
      <Choice
        label="Priority"
        value={words.priority}
        among={draft.priorities}
        onChoose={(priority) => write({ priority })}
      />
      <Choice
        label="Feature"
        value={words.feature}
        among={draft.features}
        onChoose={(feature) => write({ feature })}
      />
      <Choice
        label="Discipline"
        value={words.discipline}
        among={draft.disciplines}
        onChoose={(discipline) => write({ discipline })}
      />
      {problem !== undefined && (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      <p>
        <ActButton class="main" whyNot={whyNot} isBusy={isBusy}>
          Save
        </ActButton>{" "}
        <button type="button" onClick={onClose}>
          Leave it as it is
        </button>
      </p>
    </form>
  );
}

function Choice<Value extends string>({
  label,
  value,
  among,
  onChoose,
}: {
  readonly label: string;
  readonly value: Value;
  readonly among: readonly Value[];
  onChoose(value: Value): void;
}) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = among[currentTarget.selectedIndex];
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {among.map((one) => (
          <option key={one} value={one}>
            {visible(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
