import type { Unclean } from "../../history/redaction/clean.ts";

/** The files in which the text of a redacted event may remain, and what to do about it. */
export function uncleanWords(unclean: readonly Unclean[]): string {
  const files = unclean.map(({ file, why }) => `${file} (${WHY[why]})`).join(", ");
  return `The event is redacted, but its text may still be in ${files}. Fix the cause, then redact it again to clean the files.`;
}

const WHY: Readonly<Record<Unclean["why"], string>> = {
  held_by_readers: "another process is reading an older state of it; wait for it, or stop it",
  held_by_writers: "another process keeps writing to it",
  no_room: "it could not be rewritten; the disk needs free space for a second copy of the file",
  on_server:
    "its operator must rewrite the table events with VACUUM FULL, and delete older write-ahead logs and backups",
  not_ours: "you may not write to it; its owner must run this",
};
