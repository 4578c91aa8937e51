import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, longText, name } from "./fields.ts";

const disciplineStream = (payload: { discipline: string }): string => `discipline-${payload.discipline}`;

export const disciplineCreated = defineEvent({
  type: "discipline.created",
  version: 1,
  description: "A discipline was added; it says what kind of agent works on a task.",
  payload: z.strictObject({ discipline: name, display_name: line, description: longText }),
  stream: disciplineStream,
  timeline: ({ display_name }) => `Discipline created: ${display_name}`,
  example: { discipline: "backend", display_name: "Backend", description: "Services and their databases." },
});

export const disciplineChanged = defineEvent({
  type: "discipline.changed",
  version: 1,
  description: "Fields of a discipline were changed; what is absent stayed as it was.",
  payload: z.strictObject({
    discipline: name,
    display_name: line.optional(),
    description: longText.optional(),
  }),
  stream: disciplineStream,
  timeline: ({ discipline: _discipline, ...fields }) =>
    `Discipline changed: ${Object.keys(fields).join(", ")}`,
  example: { discipline: "backend", display_name: "Backend and data" },
});
