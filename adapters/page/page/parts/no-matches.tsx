import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Changes, useAddress } from "../address.ts";
import { State } from "./states.tsx";

/**
 * Says that nothing matches the filters, with a button that clears them.
 *
 * @param children a sentence that names the filters
 */
export function NoMatches({
  clear,
  role = "status",
  children,
}: {
  readonly clear: Changes;
  readonly role?: "status" | "alert";
  readonly children: ComponentChildren;
}) {
  const address = useAddress();
  const button = useRef<HTMLButtonElement>(null);
  // Never take the focus from the filter's field.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <State look="empty" role={role}>
      {children}{" "}
      <button ref={button} type="button" onClick={() => address.go(clear)}>
        Clear filters
      </button>
    </State>
  );
}
