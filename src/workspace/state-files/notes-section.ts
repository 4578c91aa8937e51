import type { progressNotes } from "../../projections/project.ts";
import type { Row } from "../../projections/table.ts";
import { question } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { indented, oneLine } from "./render-text.ts";
import type { Section } from "./state-text.ts";

/** So many notes progress.txt shows, the newest; all of them are in the log. */
const NOTES_SHOWN = 50;

/** What was noted on the progress, the newest note last. */
export function notesSection(readModel: ReadModel): Section {
  const newest = readModel.all(NEWEST, {});
  const older = (readModel.get(COUNT, {})?.notes ?? 0) - newest.length;
  return {
    title: "Notes",
    lead: older > 0 ? [`(${older} older ${older === 1 ? "one is" : "ones are"} in the log.)`] : [],
    entries: newest.reverse().map(noteLines),
    keep: "last",
  };
}

const NEWEST = question()((tables) =>
  tables.selectFrom("progress_notes").selectAll().orderBy("id", "desc").limit(NOTES_SHOWN),
);
const COUNT = question()((tables) =>
  tables.selectFrom("progress_notes").select(({ fn }) => fn.countAll<number>().as("notes")),
);

function noteLines({ text, actor, created }: Row<typeof progressNotes>): string[] {
  return [`${created.slice(0, 16)} UTC, ${oneLine(actor)}`, ...indented(text)];
}
