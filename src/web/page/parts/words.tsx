import { visible } from "../../../events/visible.ts";
import { readable } from "./readable.ts";

/** A text that somebody else wrote, line for line: shown, never interpreted. */
export function Words({ text }: { readonly text: string }) {
  return <span class="words">{readable(text)}</span>;
}

/** The same in one line. */
export function LineOfWords({ text }: { readonly text: string }) {
  return <>{visible(text)}</>;
}
