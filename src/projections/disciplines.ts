import { toSqlTime } from "../lib/time.ts";
import { agentWords, agentWordsColumns } from "./agent-words.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, means, nullable, text } from "./table.ts";

export const disciplinesTable = defineTable("disciplines", {
  description: "The kinds of agents that work on tasks.",
  columns: {
    name: text,
    id: means(integer, "the position of the event that made it"),
    display_name: text,
    description: text,
    acronym: nullable(text),
    icon: nullable(text),
    color: nullable(text),
    system_prompt: nullable(text),
    skills: means(json, "array of texts"),
    conventions: nullable(text),
    mcp_tool_overrides: means(json, '`{"additional_disabled": [names of tools]}`'),
    mcp_servers: means(json, "additional servers for its agents, by name, as MCP clients configure them"),
    ...agentWordsColumns,
    plan: means(nullable(integer), "the plan that proposed it, if one did"),
    created: text,
  },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const disciplines = defineProjection({
  name: "disciplines",
  version: 4,
  tables: { disciplines: disciplinesTable },
  on: {
    "discipline.created": ({ position, payload: { discipline, ...payload }, actor, recordedAt }, rows) =>
      rows.disciplines.insert({
        name: discipline,
        id: position,
        display_name: payload.display_name,
        description: payload.description,
        acronym: payload.acronym ?? null,
        icon: payload.icon ?? null,
        color: payload.color ?? null,
        system_prompt: payload.system_prompt ?? null,
        skills: JSON.stringify(payload.skills ?? []),
        conventions: payload.conventions ?? null,
        mcp_tool_overrides: overrides(payload.disabled_tools ?? []),
        mcp_servers: JSON.stringify(payload.mcp_servers ?? {}),
        ...agentWords(actor, payload),
        plan: payload.plan ?? null,
        created: toSqlTime(recordedAt),
      }),
    "discipline.changed": ({ payload: { discipline, ...fields }, actor }, rows) => {
      const { skills, disabled_tools, mcp_servers, ...texts } = fields;
      rows.disciplines.update(discipline, {
        ...texts,
        skills: skills && JSON.stringify(skills),
        mcp_tool_overrides: disabled_tools && overrides(disabled_tools),
        mcp_servers: mcp_servers && JSON.stringify(mcp_servers),
        ...agentWords(actor, fields, rows.disciplines.get(discipline)),
      });
    },
    "discipline.deleted": ({ payload }, rows) => rows.disciplines.delete(payload.discipline),
  },
});

function overrides(additional_disabled: readonly string[]): string {
  return JSON.stringify({ additional_disabled });
}
