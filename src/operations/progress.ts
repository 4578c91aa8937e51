import { z } from "zod";
import { position } from "../events/types/fields.ts";
import { progressNoted } from "../events/types/projects.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";

/** Adds a note on the progress, for progress.txt. */
export const noteProgress = defineOperation({
  type: "progress.noted",
  input: progressNoted.payload,
  plan: (payload) => [{ type: "progress.noted", payload }],
  answer: ({ input: { text }, event }) => ({ id: event.position, text }),
  command: {
    name: "add",
    does: "add a note on the progress of the work, shown in progress.txt",
    takes: { text: ["<text>", "the note"] },
    example: "'The export works; the import is half done.'",
    says: ({ id }) => `Noted at position ${id}.`,
  },
  tool: {
    name: "append_progress",
    title: "Note progress",
    description: "Add a note on the progress of the work to progress.txt. It does not close the session.",
    takes: progressNoted.payload,
    input: (args) => args,
    gives: z.strictObject({ id: position }),
    answer: ({ event }) => ({ id: event.position }),
    effect: "creating",
    example: { text: "The export works; the import is half done." },
  },
});

export const progress = defineGroup({
  name: "progress",
  does: "notes on the progress of the work",
  has: [noteProgress],
});
