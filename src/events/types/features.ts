import { z } from "zod";
import { defineEvent } from "../event.ts";
import { acronym, filePaths, line, longText, name } from "./fields.ts";
import { planId } from "./plans.ts";

const featureStream = (payload: { feature: string }): string => `feature-${payload.feature}`;

/** The plan that proposes it. */
const plan = planId.optional();

/** Optional fields that describe a feature. */
const knowledge = {
  acronym: acronym.optional(),
  context_files: filePaths.optional(),
  /** Files and folders for the agent to read first. */
  knowledge_paths: filePaths.optional(),
  architecture: longText.optional(),
  /** What is out of scope. */
  boundaries: longText.optional(),
  /** The features that it builds on, by name. */
  dependencies: z.array(name).max(100).optional(),
};

export const featureCreated = defineEvent({
  type: "feature.created",
  version: 4,
  description: "A feature was added; tasks and learnings belong to features.",
  payload: z.strictObject({ feature: name, display_name: line, description: longText, ...knowledge, plan }),
  stream: featureStream,
  timeline: ({ display_name }) => `Feature created: ${display_name}`,
  example: {
    feature: "audit-log",
    display_name: "Who did what, provably.",
    description: "Who did what, provably.",
  },
  upcasters: {
    /** Version 1 had no context files, version 2 none of the other knowledge fields, version 3 no plan. */
    1: (payload) => payload,
    2: (payload) => payload,
    3: (payload) => payload,
  },
});

export const featureChanged = defineEvent({
  type: "feature.changed",
  version: 3,
  description: "Fields of a feature were changed; absent fields stayed the same.",
  payload: z.strictObject({
    feature: name,
    display_name: line.optional(),
    description: longText.optional(),
    ...knowledge,
  }),
  stream: featureStream,
  timeline: ({ feature: _feature, ...fields }) => `Feature changed: ${Object.keys(fields).join(", ")}`,
  example: { feature: "audit-log", display_name: "Audit trail" },
  upcasters: { 1: (payload) => payload, 2: (payload) => payload },
});

const featureDeleted = defineEvent({
  type: "feature.deleted",
  version: 1,
  description: "A feature was deleted; no task belonged to it.",
  payload: z.strictObject({ feature: name }),
  stream: featureStream,
  timeline: ({ feature }) => `Feature deleted: ${feature}`,
  example: { feature: "audit-log" },
});

/** Every event of this family, in the order of docs/events.md. */
export const featureEvents = [featureCreated, featureChanged, featureDeleted] as const;
