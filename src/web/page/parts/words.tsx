import { Marked } from "./marked.tsx";
import { readable } from "./readable.ts";

/** A text that somebody else wrote, line for line: shown, never interpreted. */
export function Words({ text }: { readonly text: string }) {
  return (
    <span class="words">
      <Marked text={readable(text)} />
    </span>
  );
}
