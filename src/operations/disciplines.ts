import { z } from "zod";
import { changedFields, givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkUnused } from "../decisions/rules/deletion.ts";
import { noDiscipline, requireDiscipline, stateOf } from "../decisions/state.ts";
import { clashingName, SERVER_NAME } from "../events/server-name.ts";
import { disciplineChanged, disciplineCreated } from "../events/types/disciplines.ts";
import { name } from "../events/types/fields.ts";
import type { McpServers } from "../events/types/mcp-fields.ts";
import { type Discipline, findDiscipline, listDisciplines } from "../queries/catalogue.ts";
import {
  agentWords,
  deleteWords,
  entryFields,
  entryLine,
  headLines,
  listWords,
  titled,
} from "./catalogue.ts";
import { fitting } from "./fitting.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { planOf } from "./plans.ts";
import { defineReading } from "./reading.ts";
import { collectServer, parseTools } from "./values.ts";

/*
 * Only a human may change a discipline's removed tools and its servers, with `signalbox discipline
 * set`: an agent that could change them could extend the agents' permissions.
 */

const { discipline: _, ...changeable } = disciplineChanged.payload.shape;
/** Tasks refer to it by this name, which never changes. */
const input = z.strictObject({ name, ...changeable });

/** The fields of `discipline.changed`; the display name of a new one defaults to its name. */
export type DisciplineFields = z.input<typeof input>;

const { display_name, acronym, icon, color, system_prompt, skills, conventions } = changeable;
/** The fields of its agents' persona. */
const persona = {
  system_prompt: system_prompt.describe("The role given to its agents in the prompt."),
  skills,
  conventions,
};
const target = { field: "name", of: "discipline" } as const;

const takes = {
  ...entryFields,
  icon: ["--icon <icon>", "an emoji or an icon's name"],
  color: ["--color <color>", "a name or #rrggbb"],
  system_prompt: ["--system-prompt <text>", "the role given to its agents in the prompt"],
  skills: ["--skill <text>", "what its agents can do (repeatable)"],
  conventions: ["--conventions <text>", "conventions that its agents follow"],
  disabled_tools: [
    "--disable-tools <names>",
    "tools that its agents do not get, e.g. create_task,delete_task",
    { parse: parseTools },
  ],
  mcp_servers: [
    "--mcp-server <name=json>",
    "an additional MCP server for its agents, in the clients' format (repeatable)",
    { parse: collectServer },
  ],
} as const;

/** @throws Refusal `already_exists`; `not_possible`: an MCP server has our server's name */
export const createDiscipline = defineOperation({
  type: "discipline.created",
  input,
  plan({ name, display_name = name, description = "", ...persona }, state, session) {
    if (state.disciplines.get(name))
      throw new Refusal("already_exists", `The discipline "${name}" already exists.`);
    checkServers(persona.mcp_servers);
    const fields = {
      discipline: name,
      display_name,
      description,
      ...givenFields({ ...persona, plan: planOf(state, session)?.plan }),
    };
    return [{ type: "discipline.created", payload: fields }];
  },
  answer: ({ input, readModel }) => findDiscipline(readModel, input.name) ?? null,
  command: {
    name: "add",
    does: "add a discipline",
    takes,
    example: "frontend --icon 🎨 --skill CSS --disable-tools create_task",
    says: (entry, given) => entryLine("discipline", entry, given),
  },
  tool: {
    name: "create_discipline",
    title: "Add a discipline",
    description: "Add a discipline: a kind of agent that works on tasks. Fails if the name is taken.",
    takes: z.strictObject({
      name: name.describe("Tasks refer to it by this name, which never changes."),
      display_name: disciplineCreated.payload.shape.display_name,
      icon: icon.unwrap().describe("An emoji or an icon's name."),
      color: color.unwrap().describe("A name or #rrggbb."),
      acronym,
      ...persona,
    }),
    input: (args) => args,
    gives: z.strictObject({ name, next: z.string() }),
    answer: ({ input: { name } }) => ({
      name,
      next: `Give a task this discipline with \`discipline\` ${JSON.stringify(name)}.`,
    }),
    effect: "creating",
    example: {
      name: "frontend",
      display_name: "Frontend",
      icon: "🎨",
      color: "#c678dd",
      system_prompt: "You build pages that work without a mouse.",
      skills: ["HTML", "CSS"],
    },
    terse: true,
  },
});

/**
 * Lists, disabled tools and MCP servers replace the old ones.
 *
 * @throws Refusal `not_found`, `nothing_to_do`; `not_possible`: an MCP server has our server's name
 */
export const changeDiscipline = defineOperation({
  type: "discipline.changed",
  input,
  plan({ name, ...fields }, state) {
    requireDiscipline(state, name, "name");
    checkServers(fields.mcp_servers);
    const changed = changedFields(`"${name}"`, fields, Object.keys(changeable));
    return [{ type: "discipline.changed", payload: { discipline: name, ...changed } }];
  },
  answer: ({ input, readModel }) => findDiscipline(readModel, input.name) ?? null,
  command: {
    name: "set",
    does: "change a discipline",
    takes: {
      ...takes,
      mcp_servers: [
        takes.mcp_servers[0],
        takes.mcp_servers[1],
        { parse: collectServer, none: ["--no-mcp-servers", "remove its MCP servers", {}] },
      ],
    },
    example: `frontend --mcp-server 'shadcn={"command":"npx","args":["-y","shadcn"]}'`,
    says: (entry, given) => entryLine("discipline", entry, given),
  },
  tool: {
    name: "update_discipline",
    title: "Change a discipline",
    description: "Change fields of a discipline. `skills` replaces the whole list.",
    takes: z.strictObject({ name, display_name, icon, color, ...persona }),
    input: (args) => args,
    gives: z.strictObject({ name, changed: z.array(z.string()) }),
    answer: ({ input: { name, ...changed } }) => ({ name, changed: Object.keys(changed) }),
    effect: "changing",
    example: { name: "general", conventions: "Small commits." },
    target,
    terse: true,
  },
});

/** @throws Refusal `not_found`; `not_possible`: a task refers to it, or it is `general` */
export const deleteDiscipline = defineOperation({
  type: "discipline.deleted",
  input: z.strictObject({ name }),
  plan({ name }, state) {
    requireDiscipline(state, name, "name");
    checkUnused("discipline", name, state.tasks.where({ discipline: name }));
    return [{ type: "discipline.deleted", payload: { discipline: name } }];
  },
  answer: ({ input }) => ({ deleted: input.name }),
  command: deleteWords("discipline"),
  tool: {
    name: "delete_discipline",
    title: "Delete a discipline",
    description: "Delete a discipline. Fails if a task uses it.",
    takes: z.strictObject({ name }),
    input: (args) => args,
    gives: z.strictObject({ deleted: name }),
    effect: "deleting",
    example: { name: "frontend" },
    target,
    terse: true,
  },
});

/** Two servers cannot share a name in a client's configuration. @throws Refusal `not_possible` */
function checkServers(servers: McpServers | undefined): void {
  const clash = clashingName(servers ?? {});
  if (clash === undefined) return;
  throw new Refusal(
    "not_possible",
    `An MCP server of a discipline cannot be called "${clash}": agents would confuse its tools with ` +
      `those of the built-in server, "${SERVER_NAME}". Give it another name.`,
  );
}

const list = defineReading({
  input: z.strictObject({}),
  ask: (readModel) => listDisciplines(readModel),
  command: listWords<Discipline>("disciplines"),
  tool: {
    name: "list_disciplines",
    title: "List disciplines",
    description:
      "All disciplines: the kinds of agents that work on tasks. Long descriptions and a long list are " +
      "cut.",
    takes: z.strictObject({}),
    input: () => ({}),
    gives: z.strictObject({
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
    answer(disciplines) {
      const lines = disciplines.map(({ name, display_name, acronym, icon, color, description }) => ({
        ...{ name, display_name, acronym, icon, color, description },
      }));
      const { entries, ...rest } = fitting(lines, { noun: "disciplines", tool: "get_discipline" });
      return { disciplines: entries, ...rest };
    },
    example: {},
  },
});

const show = defineReading({
  input: z.strictObject({ name }),
  ask(readModel, { name }) {
    const discipline = findDiscipline(readModel, name);
    if (!discipline) throw noDiscipline(stateOf(readModel), name, "name");
    return discipline;
  },
  command: {
    name: "show",
    does: "show a discipline",
    takes: { name: ["<name>", "its name"] },
    example: "general",
    says: (discipline) => [
      ...headLines(discipline, [discipline.acronym, discipline.icon, discipline.color]),
      ...titled("system prompt", discipline.system_prompt),
      ...titled("skills", discipline.skills),
      ...titled("conventions", discipline.conventions),
      ...titled("disabled tools", discipline.disabled_tools),
      ...titled(
        "additional MCP servers",
        Object.entries(discipline.mcp_servers).map(([name, server]) => `${name} ${JSON.stringify(server)}`),
      ),
    ],
  },
  tool: {
    name: "get_discipline",
    title: "Get a discipline",
    description: "All fields of a discipline; its MCP servers by name only.",
    takes: z.strictObject({ name }),
    input: (args) => args,
    gives: z.strictObject({
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
      mcp_servers: z.array(z.string()).describe("Names only: their commands may contain keys."),
      ...agentWords,
    }),
    answer: ({ id: _id, created: _created, agent_words, ...details }) => ({
      ...details,
      agent_words: agent_words === 1,
      mcp_servers: Object.keys(details.mcp_servers),
    }),
    example: { name: "general" },
    target,
    terse: true,
  },
});

export const disciplines = defineGroup({
  name: "discipline",
  does: "disciplines: the kinds of agents that work on tasks, and their tools",
  has: [createDiscipline, changeDiscipline, list, show, deleteDiscipline],
});
