import { z } from "zod";
import { addLearning } from "../../../src/operations/learnings.ts";
import { noteProgress } from "../../../src/operations/progress.ts";
import { only, type Row } from "./row.ts";

const given = [
  addLearning({ text: "Orders come sorted by date.", source: "human" }),
  noteProgress({ text: "The export works." }),
];
const text = { answer: only("text"), printed: only("text") };
const all = z.unknown();

export const stateFileRows = {
  append_learning: {
    given,
    call: { text: "orders come sorted by date" },
    command: ["learning", "add", "orders come sorted by date", "--source", "agent"],
    shows: { answer: all, printed: all },
  },
  read_learnings: { given, command: ["learning", "show"], shows: text },
  append_progress: {
    command: ["progress", "add", "The export works; the import is half done."],
    shows: { answer: only("id"), printed: only("id") },
  },
  read_progress: { given, command: ["progress", "show"], shows: text },
} satisfies Record<string, Row>;
