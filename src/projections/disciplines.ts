import { AGENT } from "../events/actors.ts";
import { toSqlTime } from "../events/time.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, text, toFlag } from "./table.ts";

export const disciplinesTable = defineTable("disciplines", {
  description: "What kind of agent works on a task.",
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
    mcp_servers: means(
      json,
      "servers that its agents get beside ours, by their names, as MCP clients configure them",
    ),
    agent_words: means(
      flag,
      "1 if an agent wrote it or changed words of it; a prompt quotes them as an agent's",
    ),
    created: text,
  },
  key: ["name"],
  indexes: { by_id: ["id"] },
});

export const disciplines = defineProjection({
  name: "disciplines",
  version: 2,
  tables: { disciplines: disciplinesTable },
  on: {
    "discipline.created": ({ position, payload, actor, recordedAt }, rows) =>
      rows.disciplines.insert({
        name: payload.discipline,
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
        agent_words: toFlag(actor === AGENT),
        created: toSqlTime(recordedAt),
      }),
    "discipline.changed": ({ payload, actor }, rows) =>
      rows.disciplines.update(payload.discipline, {
        ...plainFields(payload),
        skills: payload.skills && JSON.stringify(payload.skills),
        mcp_tool_overrides: payload.disabled_tools && overrides(payload.disabled_tools),
        mcp_servers: payload.mcp_servers && JSON.stringify(payload.mcp_servers),
        ...(actor === AGENT && { agent_words: 1 }),
      }),
    "discipline.deleted": ({ payload }, rows) => rows.disciplines.delete(payload.discipline),
  },
});

/** The fields whose columns are as they come. */
function plainFields({
  display_name,
  description,
  acronym,
  icon,
  color,
  system_prompt,
  conventions,
}: PayloadOf<"discipline.changed">) {
  return { display_name, description, acronym, icon, color, system_prompt, conventions };
}

function overrides(additional_disabled: readonly string[]): string {
  return JSON.stringify({ additional_disabled });
}
