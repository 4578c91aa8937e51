import { z } from "zod";
import { defineEvent } from "../event.ts";
import { acronym, line, longText, name, text } from "./fields.ts";
import { mcpServers, toolNames } from "./mcp-fields.ts";
import { planId } from "./plans.ts";

const disciplineStream = (payload: { discipline: string }): string => `discipline-${payload.discipline}`;

/** Optional fields that describe a discipline. */
const persona = {
  acronym: acronym.optional(),
  /** A short sign for people, such as an emoji or an icon's name. */
  icon: name.optional(),
  /** A colour for the page: a name or `#rrggbb`. */
  color: name.optional(),
  system_prompt: longText.optional(),
  skills: z.array(text.max(2_000)).max(100).optional(),
  conventions: longText.optional(),
  /** Tools removed from its agents in every recipe; this list can only remove tools. */
  disabled_tools: toolNames.optional(),
  /** MCP servers that its agents get in addition to ours. */
  mcp_servers: mcpServers.optional(),
};

export const disciplineCreated = defineEvent({
  type: "discipline.created",
  version: 3,
  description: "A discipline was added: a kind of agent that works on tasks.",
  payload: z.strictObject({
    discipline: name,
    display_name: line,
    description: longText,
    ...persona,
    /** The plan that proposes it. */
    plan: planId.optional(),
  }),
  stream: disciplineStream,
  timeline: ({ display_name }) => `Discipline created: ${display_name}`,
  example: { discipline: "backend", display_name: "Backend", description: "Services and their databases." },
  upcasters: {
    /** Version 1 had none of the persona's fields, version 2 no plan. */
    1: (payload) => payload,
    2: (payload) => payload,
  },
});

export const disciplineChanged = defineEvent({
  type: "discipline.changed",
  version: 2,
  description: "Fields of a discipline were changed; absent fields stayed the same.",
  payload: z.strictObject({
    discipline: name,
    display_name: line.optional(),
    description: longText.optional(),
    ...persona,
  }),
  stream: disciplineStream,
  timeline: ({ discipline: _discipline, ...fields }) =>
    `Discipline changed: ${Object.keys(fields).join(", ")}`,
  example: { discipline: "backend", display_name: "Backend and data" },
  upcasters: { 1: (payload) => payload },
});

const disciplineDeleted = defineEvent({
  type: "discipline.deleted",
  version: 1,
  description: "A discipline was deleted; no task used it.",
  payload: z.strictObject({ discipline: name }),
  stream: disciplineStream,
  timeline: ({ discipline }) => `Discipline deleted: ${discipline}`,
  example: { discipline: "backend" },
});

/** Every event of this family, in the order of docs/events.md. */
export const disciplineEvents = [disciplineCreated, disciplineChanged, disciplineDeleted] as const;
