import { visible, visibleLines } from "../../../events/visible.ts";

/** A text that somebody else wrote, line for line: shown, never interpreted. */
export function Words({ text }: { readonly text: string }) {
  return <span class="words">{visibleLines(text).join("\n")}</span>;
}

/** The same in one line. */
export function LineOfWords({ text }: { readonly text: string }) {
  return <>{visible(text)}</>;
}
