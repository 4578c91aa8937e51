import { visible } from "../../../events/visible.ts";

interface SelectProps {
  readonly id?: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** The label for no choice, if that is allowed. */
  readonly any?: string;
  /** Called with the choice; empty for none. */
  onChoose(value: string): void;
}

/** A select box. A current value that is not among the choices is added, so that it can be removed. */
export function Select({ id, label, value, choices, any, onChoose }: SelectProps) {
  const all = value === undefined || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      id={id}
      aria-label={label}
      value={value ?? ""}
      class={any === undefined || value === undefined ? undefined : "is-set"}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {any !== undefined && <option value="">{any}</option>}
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {visible(choice)}
        </option>
      ))}
    </select>
  );
}
