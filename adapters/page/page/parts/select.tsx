import type { JSX } from "preact";
import { visible } from "../core.ts";

interface SelectProps
  extends Pick<JSX.HTMLAttributes<HTMLSelectElement>, "id" | "aria-invalid" | "aria-describedby"> {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** How a choice is shown; as it is if absent. */
  nameOf?(choice: string): string;
  /** The label for no choice, if that is allowed. */
  readonly any?: string;
  /** Called with the choice; empty for none. */
  onChoose(value: string): void;
}

/** A select box. A current value that is not among the choices is added, so that it can be removed. */
export function Select({ label, value, choices, nameOf = visible, any, onChoose, ...rest }: SelectProps) {
  const all = value === undefined || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      {...rest}
      aria-label={label}
      value={value ?? ""}
      class={any === undefined || value === undefined ? undefined : "is-set"}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {any !== undefined && <option value="">{any}</option>}
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {nameOf(choice)}
        </option>
      ))}
    </select>
  );
}
