import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { visibleLines } from "../../core.ts";

/** The end of a command's output as plain text; terminal escape sequences are shown, not executed. */
export function Output({ text }: { readonly text: string | null }) {
  const [isWrapped, setWrapped] = useState(true);
  const lines = useRef<HTMLPreElement>(null);
  // The reason for a failure is at the end.
  useLayoutEffect(() => lines.current?.scrollTo(0, lines.current.scrollHeight), [text]);
  if (text === null || text === "") return <p class="muted">No output.</p>;
  return (
    <section aria-label="Output" class="gate-output">
      <p class="gate-output-head">
        <span>End of the output</span>
        <label>
          <input
            type="checkbox"
            checked={isWrapped}
            onChange={({ currentTarget }) => setWrapped(currentTarget.checked)}
          />{" "}
          Wrap lines
        </label>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll */}
      <pre ref={lines} tabIndex={0} class={isWrapped ? "is-wrapped" : undefined}>
        {visibleLines(text).join("\n")}
      </pre>
    </section>
  );
}
