import { useEffect, useRef } from "preact/hooks";
import { useAddress } from "../address.ts";
import { TEXT_LIMIT } from "../filter.ts";

interface SearchFieldProps {
  /** The name in the address. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isNumber?: boolean;
  /** The address follows only a text that is done: its beginning means nothing. */
  readonly isWhole?: boolean;
  /** The id of the element that says what is wrong with the value. */
  readonly wrong?: string | undefined;
}

/** The address follows the field; the field follows the address only while it is not focused. */
export function SearchField(field: SearchFieldProps) {
  const { name, label, value, isNumber = false, isWhole = false, wrong } = field;
  const { placeholder = name === "text" ? "search (/)" : name } = field;
  const address = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      type="search"
      name={name}
      class={`field-${name}`}
      aria-label={label}
      placeholder={placeholder}
      maxLength={TEXT_LIMIT}
      {...(isNumber && { inputMode: "numeric", pattern: "[1-9][0-9]{0,14}" })}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong}
      {...{
        [isWhole ? "onChange" : "onInput"]: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
          if (currentTarget.validity.valid) address.go({ [name]: currentTarget.value }, { replace: true });
        },
      }}
    />
  );
}
