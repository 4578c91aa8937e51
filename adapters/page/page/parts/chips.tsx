import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Changes, useAddress } from "../address.ts";
import { useKeys } from "../keys.ts";
import { Select } from "./select.tsx";
import "./chips.css";

interface FilterBarProps {
  /** The name of the view whose list is filtered. */
  readonly view: string;
  /** The changes that remove the filters from the address; undefined while there are none. */
  readonly clear: Changes | undefined;
  readonly children: ComponentChildren;
  /** Shown at the end of the bar. */
  readonly after?: ComponentChildren;
}

/** The filters of a list, kept in the address; in one column behind a button. `/` focuses the search. */
export function FilterBar({ view, clear, children, after }: FilterBarProps) {
  const address = useAddress();
  const bar = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const wantsSearch = useRef(false);
  const focusSearch = () => bar.current?.querySelector<HTMLInputElement>("input[name=text]")?.focus();
  useLayoutEffect(() => {
    if (isOpen && wantsSearch.current) focusSearch();
    wantsSearch.current = false;
  }, [isOpen]);
  const search = () => {
    wantsSearch.current = true;
    setOpen(true);
    focusSearch();
  };
  useKeys(view, [{ key: "/", does: "search", run: search }]);
  return (
    <search ref={bar} class={`filter-bar${isOpen ? " is-open" : ""}`} aria-label="Filters">
      <button
        type="button"
        class="filter-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {clear ? "Filters (set)" : "Filters"}
      </button>
      <div class="filter-fields" id={id}>
        {children}
        {clear && (
          <button type="button" onClick={() => address.go(clear)}>
            Clear
          </button>
        )}
      </div>
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

/** A filter to switch on and off, with the number of its matches. */
export function Chip({ isChosen, count, children, onChoose }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isChosen} onClick={onChoose}>
      {children} {count?.toLocaleString("en")}
    </button>
  );
}

interface ChoiceProps {
  /** The name in the address. */
  readonly name: string;
  readonly label?: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** How a choice is shown; as it is if absent. */
  nameOf?(choice: string): string;
  /** The label for no choice. */
  readonly any: string;
}

/** A filter with one of several values, or any. */
export function Choice({ name, label = name, ...rest }: ChoiceProps) {
  const address = useAddress();
  return <Select label={label} {...rest} onChoose={(value) => address.go({ [name]: value })} />;
}
