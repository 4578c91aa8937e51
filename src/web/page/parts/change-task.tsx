import { useEffect, useRef, useState } from "preact/hooks";
import { priorities } from "../../../events/types/task-words.ts";
import type { InputOf } from "../../server/acts/index.ts";
import { useAct, useDisabledReason } from "../acts.ts";
import { useDraft } from "../drafts.ts";
import { ActButton } from "./act-button.tsx";
import { Select } from "./select.tsx";
import "./change-task.css";

type Change = InputOf<"change_task">;
type Words = Required<Pick<Change, "title" | "description" | "priority" | "feature" | "discipline">>;

interface ChangeTaskProps {
  readonly task: number;
  /** The task's current texts. */
  readonly words: Readonly<Words>;
  readonly features: readonly string[];
  readonly disciplines: readonly string[];
  /** Called to close the form. */
  onDone(hasChanged: boolean): void;
}

/**
 * A form to edit a task. Edits are kept as a draft until saved or discarded. Only edited fields are
 * sent, so that saving does not revert what others changed meanwhile.
 */
export function ChangeTask({ task, words, features, disciplines, onDone }: ChangeTaskProps) {
  const { run, isBusy, problem } = useAct("change_task");
  const disabledReason = useDisabledReason();
  const [draft, setDraft] = useDraft(`change-${task}`);
  const [first] = useState(words);
  const changes: Partial<Words> = draft === "" ? {} : JSON.parse(draft);
  const shown = { ...first, ...changes };
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), []);

  function write(name: keyof Words, text: string): void {
    const { [name]: _, ...others } = changes;
    const next = text === first[name] ? others : { ...others, [name]: text };
    setDraft(Object.keys(next).length === 0 ? "" : JSON.stringify(next));
  }

  const choice = (name: "priority" | "feature" | "discipline", choices: readonly string[]) => {
    const label = name.charAt(0).toUpperCase() + name.slice(1);
    const id = `change-${task}-${name}`;
    return (
      <label htmlFor={id}>
        {label}
        <Select
          id={id}
          label={label}
          value={shown[name]}
          choices={choices}
          onChoose={(text) => write(name, text)}
        />
      </label>
    );
  };
  return (
    <form
      class="change-task"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onDone(false);
      }}
      onSubmit={async (event) => {
        event.preventDefault();
        if (draft !== "" && !(await run({ task, ...changes }))) return;
        setDraft("");
        onDone(draft !== "");
      }}
    >
      <label>
        Title
        <input
          ref={title}
          value={shown.title}
          required
          maxLength={500}
          onInput={({ currentTarget }) => write("title", currentTarget.value)}
        />
      </label>
      <label>
        Description
        <textarea
          rows={6}
          value={shown.description}
          onInput={({ currentTarget }) => write("description", currentTarget.value)}
        />
      </label>
      {choice("priority", priorities)}
      {choice("feature", features)}
      {choice("discipline", disciplines)}
      {problem !== undefined && (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      <p class="buttons">
        <ActButton class="main" disabledReason={disabledReason} isBusy={isBusy}>
          Save
        </ActButton>
        <button
          type="button"
          onClick={() => {
            setDraft("");
            onDone(false);
          }}
        >
          Discard changes
        </button>
      </p>
    </form>
  );
}
