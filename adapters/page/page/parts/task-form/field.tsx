import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { readable } from "../readable.ts";

/** What a control needs to be tied to its label, its hint and its fault. */
export type ControlProps = Required<
  Pick<JSX.HTMLAttributes<HTMLElement>, "id" | "aria-invalid" | "aria-describedby">
>;

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value, as the server says it. */
  readonly fault: string | undefined;
  children(control: ControlProps): ComponentChildren;
}

/** A field of a form with its label, a hint, and its fault. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": fault !== undefined, "aria-describedby": `${id}-hint ${id}-fault` })}
      {hint !== undefined && (
        <p class="muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <pre class="field-fault" id={`${id}-fault`} role="alert">
          {readable(fault)}
        </pre>
      )}
    </div>
  );
}
