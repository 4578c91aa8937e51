import { useEffect, useRef } from "preact/hooks";
import { useAddress } from "../address.ts";

interface SearchFieldProps {
  /** Of what it sets in the address. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isNumber?: boolean;
}

/** The address follows what is typed; the field follows the address while nobody types, who may be ahead of it. */
export function SearchField({ name, label, value, placeholder = name, isNumber = false }: SearchFieldProps) {
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
      maxLength={200}
      {...(isNumber && { inputMode: "numeric", pattern: "[1-9][0-9]*" })}
      onInput={({ currentTarget }) => address.go({ [name]: currentTarget.value }, { replace: true })}
    />
  );
}

/** Gives the focus to the field of a form that searches what is said. */
export function focusSearch(form: HTMLElement | null): void {
  form?.querySelector<HTMLInputElement>("[name=text]")?.focus();
}
