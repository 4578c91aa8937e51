import { AGENT } from "../events/actors.ts";
import { toSqlTime } from "../events/time.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, flag, integer, json, nullable, text, toFlag } from "./table.ts";

export const disciplinesTable = defineTable("disciplines", {
  columns: {
    name: text,
    id: integer,
    display_name: text,
    description: text,
    acronym: nullable(text),
    icon: nullable(text),
    color: nullable(text),
    system_prompt: nullable(text),
    /** JSON array of texts. */
    skills: json,
    conventions: nullable(text),
    /** Seed 001's column: `{"additional_disabled": [names of tools]}`. */
    mcp_tool_overrides: json,
    /** Servers that its agents get beside ours, by their names, as MCP clients configure them. */
    mcp_servers: json,
    /** 1 if an agent wrote it or changed words of it: a prompt then quotes them as an agent's. */
    agent_words: flag,
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
