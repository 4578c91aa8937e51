import { useState } from "preact/hooks";
import { useAnswer } from "../../answers.ts";
import { visible } from "../../core.ts";
import { Combobox } from "../combobox.tsx";
import { useFoundTasks } from "../found-tasks.ts";
import type { ControlProps } from "./field.tsx";
import { idsIn } from "./texts.ts";

interface DependenciesProps {
  readonly control: ControlProps;
  /** The task itself, which cannot depend on itself. */
  readonly task: number | undefined;
  readonly value: string;
  onChange(value: string): void;
}

/** The tasks that must be done first: chosen by number or title, removed by a button. */
export function Dependencies({ control, task, value, onChange }: DependenciesProps) {
  const [text, setText] = useState("");
  const ids = idsIn(value);
  const titles = useAnswer(
    "task_titles",
    { tasks: ids.join(",") },
    { at: undefined, enabled: ids.length > 0 },
  );
  const { tasks, isWaiting } = useFoundTasks(text, { at: undefined });
  const set = (next: readonly number[]) => onChange(next.join(","));
  const titleOf = (id: number) => titles.answer?.find((one) => one.id === id)?.title ?? "";
  return (
    <>
      {ids.length > 0 && (
        <ul class="chosen">
          {ids.map((id) => (
            <li key={id}>
              #{id} {visible(titleOf(id))}{" "}
              <button
                type="button"
                aria-label={`Do not depend on #${id}`}
                onClick={() => set(ids.filter((one) => one !== id))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        {...control}
        label="Depends on"
        placeholder="title or number"
        text={text}
        isWaiting={isWaiting}
        none={text.trim() === "" || isWaiting ? undefined : "No other task matches."}
        options={tasks
          .filter(({ id }) => id !== task && !ids.includes(id))
          .map(({ id, title }) => ({
            id: String(id),
            group: "Tasks",
            content: `#${id} ${visible(title)}`,
            choose() {
              set([...ids, id]);
              setText("");
            },
          }))}
        onText={setText}
      />
    </>
  );
}
