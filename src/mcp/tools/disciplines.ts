import { z } from "zod";
import { changeDiscipline, createDiscipline, deleteDiscipline } from "../../decisions/disciplines.ts";
import { noDiscipline, stateOf } from "../../decisions/state.ts";
import { disciplineChanged } from "../../events/types/disciplines.ts";
import { line, name } from "../../events/types/fields.ts";
import { askAtHead } from "../../projections/ask.ts";
import { findDiscipline, listDisciplines } from "../../projections/queries/catalogue.ts";
import { shorten } from "../../shorten.ts";
import { fitting } from "../fitting.ts";
import { CHANGING, CREATING, DELETING, decideFor, defineTool, READING } from "../tool.ts";
import { agentWordsShown } from "./agent-words.ts";

const { display_name, acronym, icon, color, system_prompt, skills, conventions } =
  disciplineChanged.payload.shape;
/** What makes the persona of its agents. */
const persona = {
  system_prompt: system_prompt.describe("How its agents are addressed in the prompt."),
  skills,
  conventions,
};
const target = { field: "name", of: "discipline" } as const;

/**
 * Seed 001's tools for disciplines. What a discipline takes away from its agents and the servers that it gives them are a
 * human's alone, by `signalbox discipline set`: an agent that could change them could change what agents may do.
 */
export const disciplineTools = [
  defineTool({
    name: "list_disciplines",
    title: "List disciplines",
    description:
      "All disciplines: what kinds of agents work on tasks. Long descriptions are shortened, a list that is too long is cut.",
    input: z.strictObject({}),
    output: z.strictObject({
      disciplines: z.array(
        z.strictObject({
          name,
          display_name: z.string(),
          acronym: z.string().nullable(),
          icon: z.string().nullable(),
          color: z.string().nullable(),
          description: z.string(),
        }),
      ),
      total: z.int(),
      next: z.string().optional(),
    }),
    annotations: READING,
    command: "discipline list",
    example: {},
    async run(_args, call) {
      const disciplines = await askAtHead(call.store, listDisciplines);
      const lines = disciplines.map(({ name, display_name, acronym, icon, color, description }) => ({
        ...{ name, display_name, acronym, icon, color },
        description: shorten(description, DESCRIPTION_LIMIT),
      }));
      const { entries, ...rest } = fitting(lines, { noun: "disciplines", tool: "get_discipline" });
      return { disciplines: entries, ...rest };
    },
  }),
  defineTool({
    name: "get_discipline",
    title: "Get a discipline",
    description: "All of a discipline; of its MCP servers the names.",
    input: z.strictObject({ name }),
    output: z.strictObject({
      name,
      display_name: z.string(),
      description: z.string(),
      acronym: z.string().nullable(),
      icon: z.string().nullable(),
      color: z.string().nullable(),
      system_prompt: z.string().nullable(),
      skills: z.array(z.string()),
      conventions: z.string().nullable(),
      disabled_tools: z.array(z.string()),
      mcp_servers: z
        .array(z.string())
        .describe("Their names alone: how they are started may hold keys, which belong in no conversation."),
      ...agentWordsShown,
    }),
    annotations: READING,
    command: "discipline show",
    example: { name: "general" },
    target,
    terse: true,
    run: ({ name: of }, call) =>
      askAtHead(call.store, (readModel) => {
        const discipline = findDiscipline(readModel, of);
        if (!discipline) throw noDiscipline(stateOf(readModel), of, "name");
        const { id: _id, created: _created, agent_words, ...details } = discipline;
        return { ...details, agent_words: agent_words === 1, mcp_servers: Object.keys(details.mcp_servers) };
      }),
  }),
  defineTool({
    name: "create_discipline",
    title: "Add a discipline",
    description:
      "Add a discipline, for tasks to say what kind of agent works on them. Fails if the name is taken.",
    input: z.strictObject({
      name: name.describe("By which tasks refer to it; it never changes."),
      display_name: line,
      icon: icon.unwrap().describe("An emoji or an icon's name."),
      color: color.unwrap().describe("A name or #rrggbb."),
      acronym,
      ...persona,
    }),
    output: z.strictObject({ name, next: z.string() }),
    annotations: CREATING,
    command: "discipline add",
    example: {
      name: "frontend",
      display_name: "Frontend",
      icon: "🎨",
      color: "#c678dd",
      system_prompt: "You build pages that work without a mouse.",
      skills: ["HTML", "CSS"],
    },
    terse: true,
    async run(args, call) {
      await decideFor(call, createDiscipline(args));
      return { name: args.name, next: `A task is of it by \`discipline\` ${JSON.stringify(args.name)}.` };
    },
  }),
  defineTool({
    name: "update_discipline",
    title: "Change a discipline",
    description: "Change fields of a discipline. `skills` replaces the whole list that was there.",
    input: z.strictObject({ name, display_name, icon, color, ...persona }),
    output: z.strictObject({ name, changed: z.array(z.string()) }),
    annotations: CHANGING,
    command: "discipline set",
    example: { name: "general", conventions: "Small commits." },
    target,
    terse: true,
    async run(args, call) {
      await decideFor(call, changeDiscipline(args));
      const { name: discipline, ...changed } = args;
      return { name: discipline, changed: Object.keys(changed) };
    },
  }),
  defineTool({
    name: "delete_discipline",
    title: "Delete a discipline",
    description: "Delete a discipline. Fails if a task is of it.",
    input: z.strictObject({ name }),
    output: z.strictObject({ deleted: name }),
    annotations: DELETING,
    command: "discipline delete",
    example: { name: "frontend" },
    target,
    terse: true,
    async run(args, call) {
      await decideFor(call, deleteDiscipline(args));
      return { deleted: args.name };
    },
  }),
] as const;

/** In characters. */
const DESCRIPTION_LIMIT = 300;
