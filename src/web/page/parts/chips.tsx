import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { visible } from "../../../events/visible.ts";
import { type Changes, useAddress } from "../address.ts";
import { useKeys } from "../keys.ts";
import "./chips.css";

interface FilterBarProps {
  /** The view whose list is filtered. */
  readonly view: string;
  /** What takes the filters out of the address; undefined while there are none. */
  readonly clear: Changes | undefined;
  readonly children: ComponentChildren;
  /** Stands at the end: what is shown, and how. */
  readonly after?: ComponentChildren;
}

/** What filters a list: it all stands in the address. `/` goes to its search. */
export function FilterBar({ view, clear, children, after }: FilterBarProps) {
  const address = useAddress();
  const bar = useRef<HTMLElement>(null);
  const search = () => bar.current?.querySelector<HTMLInputElement>("input[name=text]")?.focus();
  useKeys(view, [{ key: "/", does: "search", run: search }]);
  return (
    <search ref={bar} class="filter-bar" aria-label="Filters">
      {children}
      {clear && (
        <button type="button" onClick={() => address.go(clear)}>
          Clear
        </button>
      )}
      {after}
    </search>
  );
}

interface ChipProps {
  readonly isChosen: boolean;
  readonly count?: number;
  readonly children: ComponentChildren;
  onChoose(): void;
}

/** A filter to switch on and off, with how much it lets through. */
export function Chip({ isChosen, count, children, onChoose }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isChosen} onClick={onChoose}>
      {children} {count?.toLocaleString("en")}
    </button>
  );
}

interface ChoiceProps {
  /** Its name in the address. */
  readonly name: string;
  readonly label?: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** What stands for no choice. */
  readonly any: string;
}

/** One of several, or any. One that the address names and that is not there stays to be seen, and to be taken away. */
export function Choice({ name, label = name, value, choices, any }: ChoiceProps) {
  const address = useAddress();
  const all = value === undefined || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      class={value === undefined ? undefined : "is-set"}
      onChange={({ currentTarget }) => address.go({ [name]: currentTarget.value })}
    >
      <option value="">{any}</option>
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {visible(choice)}
        </option>
      ))}
    </select>
  );
}
