import { visible } from "../../../events/visible.ts";

/** A text of many lines that somebody else wrote: what would act on the page or hide in it stands there as `\u{…}`. */
export function readable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, visible);
}
