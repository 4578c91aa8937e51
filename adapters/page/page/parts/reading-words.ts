import { counted } from "../core.ts";

/** How far the server has read the log for the shown position. */
export function readingWords({ position, of }: { readonly position: number; readonly of: number }): string {
  return `reading ${counted(of, "event")}: ${Math.floor((100 * position) / Math.max(of, 1))}%`;
}
