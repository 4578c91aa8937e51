import { expect, test } from "vitest";
import type { Draft, PayloadOf } from "../../src/events/types/index.ts";
import { findDiscipline, listDisciplines } from "../../src/queries/catalogue.ts";
import { event } from "./board/history.ts";
import { reduced, rowsIn } from "./loop-drafts.ts";

/* Catches: a field that is lost or left over, tools that are not taken away, words of an agent that are taken for a human's. */

type Fields = Partial<Omit<PayloadOf<"discipline.created">, "discipline">>;

const created = (discipline: string, fields: Fields = {}, actor = "human") =>
  event("discipline.created", { discipline, display_name: discipline, description: "", ...fields }, actor);
const changed = (discipline: string, fields: Fields, actor = "human") =>
  event("discipline.changed", { discipline, ...fields }, actor);
const deleted = (discipline: string) => event("discipline.deleted", { discipline });

const everything = {
  display_name: "Frontend",
  description: "Pages.",
  acronym: "FE",
  icon: "🎨",
  color: "#c678dd",
  system_prompt: "You make pages.",
  skills: ["HTML", "CSS"],
  conventions: "Tabs.",
  disabled_tools: ["create_task"],
  mcp_servers: { shadcn: { command: "npx", args: ["-y", "shadcn"] } },
};

test("a discipline has its given fields, and the others are empty", async () => {
  const readModel = await reduced(created("qa"), created("frontend", everything));
  expect(listDisciplines(readModel)).toMatchObject([
    {
      name: "qa",
      id: 1,
      description: "",
      acronym: null,
      icon: null,
      color: null,
      system_prompt: null,
      skills: [],
      conventions: null,
      disabled_tools: [],
      mcp_servers: {},
      agent_words: 0,
      agent_fields: [],
    },
    { name: "frontend", id: 2, ...everything },
  ]);
});

test("the removed tools are in the seed's column, in the seed's format", async () => {
  const readModel = await reduced(
    created("frontend", everything),
    created("qa"),
    changed("qa", { disabled_tools: ["create_task", "delete_task"] }),
  );
  expect(rowsIn(readModel, "SELECT mcp_tool_overrides FROM disciplines ORDER BY id")).toEqual([
    { mcp_tool_overrides: '{"additional_disabled":["create_task"]}' },
    { mcp_tool_overrides: '{"additional_disabled":["create_task","delete_task"]}' },
  ]);
});

test("a change replaces only the named fields, lists and servers as a whole", async () => {
  const readModel = await reduced(
    created("frontend", everything),
    changed("frontend", { skills: ["Svelte"], disabled_tools: [], mcp_servers: {} }),
    changed("nowhere", { description: "x" }),
  );
  expect(listDisciplines(readModel)).toMatchObject([
    { ...everything, skills: ["Svelte"], disabled_tools: [], mcp_servers: {} },
  ]);
  expect(findDiscipline(readModel, "frontend")?.mcp_servers).toEqual({});
});

test("a discipline recreated after its deletion inherits nothing, and has another id", async () => {
  const readModel = await reduced(created("frontend", everything), deleted("frontend"), created("frontend"));
  expect(listDisciplines(readModel)).toMatchObject([
    { name: "frontend", id: 3, icon: null, skills: [], disabled_tools: [], mcp_servers: {} },
  ]);
});

test("an agent's text of a discipline is marked as the agent's until a human rewrites it", async () => {
  const made = created("frontend", everything);
  const byAgent = changed("frontend", { system_prompt: "Mine.", skills: ["CSS", "Magic"] }, "agent");
  const fieldsAfter = async (...events: Draft[]) =>
    findDiscipline(await reduced(made, ...events), "frontend")?.agent_fields;
  expect(await fieldsAfter()).toEqual([]);
  expect(await fieldsAfter(byAgent)).toEqual(["skills", "system_prompt"]);
  expect(await fieldsAfter(byAgent, changed("frontend", { system_prompt: "Ours." }))).toEqual(["skills"]);
  expect(await fieldsAfter(byAgent, changed("frontend", { disabled_tools: [], skills: ["Svelte"] }))).toEqual(
    ["system_prompt"],
  );
});
