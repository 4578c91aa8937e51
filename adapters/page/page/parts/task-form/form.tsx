import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Acted } from "../../../server/acts/act.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAct, useDisabledReason } from "../../acts.ts";
import { useAnswer } from "../../answers.ts";
import { priorities } from "../../core.ts";
import { useDraft } from "../../drafts.ts";
import { ActButton } from "../act-button.tsx";
import { readable } from "../readable.ts";
import { Select } from "../select.tsx";
import { Fault, Loading } from "../states.tsx";
import { Dependencies } from "./dependencies.tsx";
import { Field } from "./field.tsx";
import { draftName } from "./open.ts";
import { fieldNames, inputOf, type Texts, textsOf } from "./texts.ts";
import "./task-form.css";

interface TaskFormProps {
  /** The task to change; undefined for a new one. */
  readonly task: number | undefined;
  /** Called to close the form. @param acted what was recorded; undefined if nothing was */
  onDone(acted?: Acted): void;
}

/** A form for a new task, or to change one. */
export function TaskForm(props: TaskFormProps) {
  const { task } = props;
  const { answer, error, isOld } = useAnswer("task_form", { task }, { at: undefined });
  if (error && !answer) return <Fault error={error} />;
  if (!answer || isOld) return <Loading what="the form" />;
  const { fields, ...choices } = answer;
  if (!fields) return <p>Task #{task} does not exist. It may have been deleted.</p>;
  return <Form key={task} {...props} {...choices} fields={fields} />;
}

interface FormProps extends TaskFormProps, Omit<AnswerOf<"task_form">, "fields"> {
  readonly fields: NonNullable<AnswerOf<"task_form">["fields"]>;
}

/**
 * Edits are kept as a draft until they are saved or discarded. Only edited fields are sent, so that
 * saving does not revert what others changed meanwhile.
 */
function Form({ task, fields, features, disciplines, onDone }: FormProps) {
  const isNew = task === undefined;
  const creation = useAct("create_task");
  const change = useAct("change_task");
  const { isBusy, problem, fields: faults = {} } = isNew ? creation : change;
  const disabledReason = useDisabledReason();
  const [draft, setDraft] = useDraft(draftName(task));
  const changes: Partial<Texts> = draft === "" ? {} : JSON.parse(draft);
  const saved = textsOf(fields);
  const shown = { ...saved, ...changes };
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEffect(
    () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    [problem, faults],
  );

  function write(name: keyof Texts, text: string): void {
    // A successful save drops the draft, and with it what it did not send.
    if (isBusy) return;
    const { [name]: _, ...others } = changes;
    const next = text === saved[name] ? others : { ...others, [name]: text };
    setDraft(Object.keys(next).length === 0 ? "" : JSON.stringify(next));
  }

  async function save(): Promise<void> {
    if (disabledReason !== undefined || isBusy) return;
    if (!isNew && draft === "") return onDone();
    const input = inputOf(changes);
    const acted = await (isNew
      ? creation.run({ ...input, title: shown.title })
      : change.run({ ...input, task }));
    if (!acted) return;
    setDraft("");
    onDone(acted);
  }

  const area = (name: keyof Texts, label: string, rows: number, hint?: string) => (
    <Field label={label} hint={hint} fault={faults[name]}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          readOnly={isBusy}
          value={shown[name]}
          onInput={({ currentTarget }) => write(name, currentTarget.value)}
        />
      )}
    </Field>
  );
  const choice = (name: "priority" | "feature" | "discipline", label: string, choices: readonly string[]) => (
    <Field label={label} fault={faults[name]}>
      {(control) => (
        <Select
          {...control}
          label={label}
          value={shown[name]}
          choices={choices}
          onChoose={(text) => write(name, text)}
        />
      )}
    </Field>
  );
  const isMoreOpen = useRef(false);
  // It stays open when its only value is deleted: it must not fold under the cursor.
  isMoreOpen.current ||= (["tags", "hints", "accept"] as const).some(
    (name) => faults[name] !== undefined || shown[name] !== (name === "accept" ? "auto" : ""),
  );
  return (
    <form
      ref={form}
      class="task-form"
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        form.current?.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Title" fault={faults.title}>
        {(control) => (
          <input
            {...control}
            value={shown.title}
            readOnly={isBusy}
            onInput={({ currentTarget }) => write("title", currentTarget.value)}
          />
        )}
      </Field>
      {area("description", "Description", 6, "Markdown")}
      <div class="field-row">
        {choice("priority", "Priority", priorities)}
        {choice("feature", "Feature", features)}
        {choice("discipline", "Discipline", disciplines)}
      </div>
      {fields.gates.length > 0 && (
        <ul class="gates-there" aria-label="Gates of the task">
          {fields.gates.map(({ gate, command, max_attempts, timeout_s }) => (
            <li key={gate}>
              <pre>{readable(command)}</pre>
              <span class="muted">
                {max_attempts} attempts of {timeout_s} s
              </span>
            </li>
          ))}
        </ul>
      )}
      {area("gates", isNew ? "Gates" : "More gates", 2, GATES_HINT)}
      <Field label="Depends on" fault={faults.depends_on}>
        {(control) => (
          <Dependencies
            control={control}
            task={task}
            value={shown.depends_on}
            onChange={(value) => write("depends_on", value)}
          />
        )}
      </Field>
      {area("criteria", "Criteria", 2, "One on each line: what must be true of the work")}
      <details open={isMoreOpen.current}>
        <summary>More</summary>
        {area("tags", "Tags", 2, "One on each line")}
        {area("hints", "Hints for the agent", 2)}
        <label class="accept">
          <input
            type="checkbox"
            checked={shown.accept === "human"}
            onChange={({ currentTarget }) => write("accept", currentTarget.checked ? "human" : "auto")}
          />{" "}
          A human accepts the result
        </label>
      </details>
      {problem !== undefined && !fieldNames.some((name) => faults[name] !== undefined) && (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      <p class="buttons">
        <ActButton class="main" disabledReason={disabledReason} isBusy={isBusy} title="Ctrl-Enter">
          {isNew ? "Create" : "Save"}
        </ActButton>
        <button
          type="button"
          onClick={() => {
            setDraft("");
            onDone();
          }}
        >
          {isNew ? "Discard draft" : "Discard changes"}
        </button>
        <span class="muted">Esc keeps the draft</span>
      </p>
    </form>
  );
}

const GATES_HINT =
  'Commands that must pass before done, one on each line: npm test, or with options :: verify:"npm test" :fast max:3';
