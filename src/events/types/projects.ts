import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, longText, projectStream, text } from "./fields.ts";

export const projectDescribed = defineEvent({
  type: "project.described",
  version: 1,
  description: "The project got a title or a description; absent fields stayed the same.",
  payload: z.strictObject({ title: line.optional(), description: longText.optional() }),
  stream: projectStream,
  timeline: (fields) => `Project described: ${Object.keys(fields).join(", ")}`,
  example: { title: "Invoices", description: "Bills for small shops." },
});

export const progressNoted = defineEvent({
  type: "progress.noted",
  version: 1,
  description: "Someone noted the progress of the work; progress.txt shows it.",
  payload: z.strictObject({ text: text.max(10_000) }),
  stream: projectStream,
  timeline: ({ text: noted }) => noted,
  example: { text: "The export works; the import is half done." },
});

/** Every event of this family, in the order of docs/events.md. */
export const projectEvents = [projectDescribed, progressNoted] as const;
