import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import "./combobox.css";

/** A choice in the list of a combobox. */
export interface Option {
  readonly id: string;
  /** Its heading; options of a group stand together. */
  readonly group: string;
  readonly content: ComponentChildren;
  choose(): void;
}

interface ComboboxProps
  extends Pick<JSX.HTMLAttributes<HTMLInputElement>, "id" | "aria-invalid" | "aria-describedby"> {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly options: readonly Option[];
  /** True until the options are those for the text: `Enter` waits for them. */
  readonly isWaiting: boolean;
  /** Shown if there are no options. */
  readonly none: string | undefined;
  readonly takesFocus?: boolean;
  onText(text: string): void;
}

/** A search field with its matches below it (ARIA combobox pattern): arrow keys move, Enter chooses. */
export function Combobox(props: ComboboxProps) {
  const { label, text, options, isWaiting, none, takesFocus = false, onText, ...rest } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const at = Math.max(
    0,
    options.findIndex((option) => option.id === chosen),
  );
  const active = options[at];
  const idOf = (option: Option) => `${list}-${option.id}`;
  useLayoutEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (chosen !== undefined && active)
      document.getElementById(idOf(active))?.scrollIntoView({ block: "nearest" });
  }, [chosen, active?.id]);
  useEffect(() => {
    if (!isEntered || isWaiting) return;
    setEntered(false);
    active?.choose();
  });
  const moves: Readonly<Record<string, () => Option | undefined>> = {
    ArrowDown: () => options[(at + 1) % options.length],
    ArrowUp: () => options.at(at - 1),
  };
  return (
    <div class="combobox">
      <input
        {...rest}
        ref={input}
        role="combobox"
        aria-label={label}
        aria-expanded={options.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active && idOf(active)}
        autocomplete="off"
        maxLength={TEXT_LIMIT}
        value={text}
        onInput={({ currentTarget }) => {
          setChosen(undefined);
          setEntered(false);
          onText(currentTarget.value);
        }}
        onKeyDown={(event) => {
          const { key, ctrlKey, metaKey, isComposing } = event;
          if (ctrlKey || metaKey || isComposing) return;
          if (key === "Enter") setEntered(true);
          else if (moves[key]) setChosen(moves[key]()?.id);
          else if (key === "Escape" && !takesFocus && text !== "") onText("");
          else return;
          event.preventDefault();
        }}
      />
      <p role="status" class={options.length > 0 ? "hidden-but-read" : "muted"}>
        {options.length > 0 ? `${options.length} found` : none}
      </p>
      {options.length > 0 && (
        <div id={list} role="listbox" aria-label={label} class="options scroll">
          {groupsOf(options).map(([group, members]) => (
            <fieldset key={group} aria-label={group}>
              <p class="muted" aria-hidden="true">
                {group}
              </p>
              {members.map((option) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which keeps the focus
                // biome-ignore lint/a11y/useFocusableInteractive: as above
                <div
                  key={option.id}
                  id={idOf(option)}
                  role="option"
                  aria-selected={option === active}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => option.choose()}
                >
                  {option.content}
                </div>
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </div>
  );
}

/** In characters: the server's limit. */
const TEXT_LIMIT = 200;

/** Options in their order, by group. */
function groupsOf(options: readonly Option[]) {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => [group, options.filter((option) => option.group === group)] as const);
}
