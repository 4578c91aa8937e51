import type { Unclean } from "../replay/redaction/clean.ts";

/** In which files the text of a redacted event may still stand, and what to do about it. */
export function uncleanWords(unclean: readonly Unclean[]): string {
  const files = unclean.map(({ file, why }) => `${file} (${WHY[why]})`).join(", ");
  return `The event is redacted, but its text may still be in ${files}. Redact it again when that has changed: it cleans the files.`;
}

const WHY: Readonly<Record<Unclean["why"], string>> = {
  held_by_readers: "another process is reading an older state of it; end it, or let it finish",
  held_by_writers: "another process is writing to it without end",
  no_room: "it could not be written anew; its disk needs as much room again as the file has",
  not_ours: "you may not write to it; its owner must run this",
};
