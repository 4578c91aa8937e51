import { useEffect, useRef } from "preact/hooks";
import type { Priority } from "../../../../events/types/fields.ts";
import { priorities } from "../../../../events/types/task-words.ts";
import { visible } from "../../../../events/visible.ts";
import type { TaskSummary } from "../../../../projections/queries/task-summary.ts";
import { useAct, useWhyNoActs } from "../../acts.ts";
import { useAnswer } from "../../answers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import type { BoardOf } from "./card.tsx";
import { tell } from "./notice.tsx";
import "./change-task.css";

interface ChangeTaskProps {
  readonly task: number;
  readonly board: BoardOf;
  onClose(): void;
}

/** A small form for what a task says. Only what was changed in it is changed. */
export function ChangeTask({ task, board, onClose }: ChangeTaskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { answer } = useAnswer("task-summary", { task });
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="sheet change-task" aria-label={`Change #${task}`} onClose={onClose}>
      {answer?.card.id === task && <Form was={answer} board={board} onDone={() => dialog.current?.close()} />}
    </dialog>
  );
}

interface FormProps {
  readonly was: TaskSummary;
  readonly board: BoardOf;
  onDone(): void;
}

function Form({ was, board, onDone }: FormProps) {
  const { run, isBusy, problem } = useAct("change_task");
  const whyNot = useWhyNoActs();
  // What it said when the form was opened: what others change meanwhile is not changed back.
  const first = useRef({ ...was.card, description: was.description }).current;
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), []);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? "");
    const changed = (name: "title" | "description" | "feature" | "discipline") =>
      text(name) === first[name] ? undefined : text(name);
    const priority = priorities.find((one) => one === text("priority"));
    const fields = {
      title: changed("title"),
      description: changed("description"),
      feature: changed("feature"),
      discipline: changed("discipline"),
      priority: priority === first.priority ? undefined : priority,
    };
    if (Object.values(fields).every((value) => value === undefined)) return onDone();
    if (await run({ task: first.id, ...fields })) {
      tell(`#${first.id} changed.`);
      onDone();
    }
  };
  return (
    <form onSubmit={send}>
      <h2>Change #{first.id}</h2>
      <label>
        Title
        <input ref={title} name="title" defaultValue={first.title} required maxLength={500} />
      </label>
      <label>
        Description
        <textarea name="description" rows={6} defaultValue={first.description} />
      </label>
      <Choice name="priority" label="Priority" value={first.priority} choices={priorities} />
      <Choice name="feature" label="Feature" value={first.feature} choices={board.features} />
      <Choice name="discipline" label="Discipline" value={first.discipline} choices={board.disciplines} />
      {problem && <p role="alert">{problem}</p>}
      <p class="buttons">
        <ActButton class="main" whyNot={whyNot} isBusy={isBusy}>
          Save
        </ActButton>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: Priority | string;
  readonly choices: readonly string[];
}

function Choice({ name, label, value, choices }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} defaultValue={value}>
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {visible(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
