import { progressNotes } from "../projections/project.ts";
import type { ReadModel } from "../projections/read-model.ts";
import type { Row } from "../projections/table.ts";
import { indented, oneLine } from "./render-text.ts";
import type { Section } from "./state-text.ts";

/** So many notes progress.txt shows, the newest; all of them are in the log. */
const NOTES_SHOWN = 50;

/** What was noted on the progress, the newest note last. */
export function notesSection(readModel: ReadModel): Section {
  const newest = readModel
    .prepared<[number], Row<typeof progressNotes>>(
      `SELECT * FROM ${progressNotes.name} ORDER BY id DESC LIMIT ?`,
    )
    .all(NOTES_SHOWN);
  const all = readModel
    .prepared<[], { notes: number }>(`SELECT count(*) AS notes FROM ${progressNotes.name}`)
    .get();
  const older = (all?.notes ?? 0) - newest.length;
  return {
    title: "Notes",
    lead: older > 0 ? [`(${older} older ${older === 1 ? "one is" : "ones are"} in the log.)`] : [],
    entries: newest.reverse().map(noteLines),
    keep: "last",
  };
}

function noteLines({ text, actor, created }: Row<typeof progressNotes>): string[] {
  return [`${created.slice(0, 16)} UTC, ${oneLine(actor)}`, ...indented(text)];
}
