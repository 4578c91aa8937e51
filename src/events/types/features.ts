import { z } from "zod";
import { defineEvent } from "../event.ts";
import { filePaths, line, longText, name } from "./fields.ts";

const featureStream = (payload: { feature: string }): string => `feature-${payload.feature}`;

export const featureCreated = defineEvent({
  type: "feature.created",
  version: 2,
  description: "A feature was added; tasks and learnings belong to features.",
  payload: z.strictObject({
    feature: name,
    display_name: line,
    description: longText,
    context_files: filePaths.optional(),
  }),
  stream: featureStream,
  timeline: ({ display_name }) => `Feature created: ${display_name}`,
  example: { feature: "audit-log", display_name: "Audit log", description: "Who did what, provably." },
  upcasters: {
    /** Version 1 knew no context files. */
    1: (payload) => payload,
  },
});

export const featureChanged = defineEvent({
  type: "feature.changed",
  version: 2,
  description: "Fields of a feature were changed; what is absent stayed as it was.",
  payload: z.strictObject({
    feature: name,
    display_name: line.optional(),
    description: longText.optional(),
    context_files: filePaths.optional(),
  }),
  stream: featureStream,
  timeline: ({ feature: _feature, ...fields }) => `Feature changed: ${Object.keys(fields).join(", ")}`,
  example: { feature: "audit-log", display_name: "Audit trail" },
  upcasters: { 1: (payload) => payload },
});
