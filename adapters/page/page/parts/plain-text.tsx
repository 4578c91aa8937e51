import { Marked } from "./marked.tsx";
import { readable } from "./readable.ts";

/** Untrusted text with its line breaks: shown, never interpreted. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <span class="words">
      <Marked text={readable(text)} />
    </span>
  );
}
