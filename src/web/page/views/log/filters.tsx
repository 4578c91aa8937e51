import { useEffect, useRef } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useKeys } from "../../keys.ts";
import { filterIn, isFiltered, noFilter } from "./filter.ts";
import "../../parts/chips.css";

/** Which events are shown; the server looks for them. */
export function Filters() {
  const address = useAddress();
  const filter = filterIn(address);
  const { answer: types = [] } = useAnswer("event-types", {}, { at: undefined });
  const families = [...new Set(types.map(familyOf))];
  const form = useRef<HTMLElement>(null);
  const clear = () => address.go(noFilter);
  useKeys("Log", [
    {
      key: "/",
      does: "search in the log",
      run: () => form.current?.querySelector<HTMLInputElement>("[name=text]")?.focus(),
    },
  ]);
  return (
    <search ref={form} class="chips" aria-label="Filters">
      <select
        aria-label="Type"
        value={filter.type ?? ""}
        onChange={({ currentTarget }) => address.go({ type: currentTarget.value })}
      >
        <option value="">all types</option>
        {filter.type !== undefined && ![...families, ...types].includes(filter.type) && (
          <option value={filter.type}>{filter.type}</option>
        )}
        {families.map((family) => (
          <optgroup key={family} label={family}>
            <option value={family}>{family}: all</option>
            {types
              .filter((type) => familyOf(type) === family)
              .map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <Field name="task" label="Task" value={String(filter.task ?? "")} digits />
      <Field name="session" label="Session" value={filter.session ?? ""} />
      <Field name="actor" label="Actor" value={filter.actor ?? ""} />
      <Field
        name="text"
        label="Search in what events say"
        value={filter.text ?? ""}
        placeholder="search (/)"
      />
      {isFiltered(filter) && (
        <button type="button" onClick={clear}>
          clear
        </button>
      )}
    </search>
  );
}

function familyOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}

/** The address follows what is typed; what is typed follows the address only when it was changed elsewhere. */
function Field(field: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly digits?: boolean;
}) {
  const { name, label, value, placeholder = name, digits = false } = field;
  const address = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      type="search"
      name={name}
      class={`field-${name}`}
      aria-label={label}
      placeholder={placeholder}
      maxLength={200}
      {...(digits && { inputMode: "numeric", pattern: "[1-9][0-9]*" })}
      onInput={({ currentTarget }) => address.go({ [name]: currentTarget.value }, { replace: true })}
    />
  );
}
