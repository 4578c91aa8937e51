import { visible } from "../../../events/visible.ts";

interface SelectProps {
  readonly id?: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** What stands for no choice, where that is one. */
  readonly any?: string;
  /** Told what was chosen; empty for none. */
  onChoose(value: string): void;
}

/** One of several. One that is chosen and is not among them stays to be seen, and to be taken away. */
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
