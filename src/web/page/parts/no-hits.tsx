import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Changes, useAddress } from "../address.ts";

/**
 * Says that filters let nothing through, and takes them away.
 *
 * @param children what is not there, in a sentence that names the filters
 */
export function NoHits({
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
  // Whoever still writes the filter goes on writing.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <p class="state muted" role={role}>
      {children}{" "}
      <button ref={button} type="button" onClick={() => address.go(clear)}>
        Clear filters
      </button>
    </p>
  );
}
