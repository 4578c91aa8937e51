import { expect, test } from "vitest";
import { changeDiscipline, createDiscipline } from "../../../src/operations/disciplines.ts";
import { LIST_LIMIT } from "../../../src/operations/fitting.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";
import { parametersOf } from "./parameters.ts";

/* Catches: a parameter that the seed does not have, a key of a server that gets into a conversation, a discipline of another session. */

async function given(context: Parameters<typeof connectWith>[1] = { recipe: "all" }) {
  const { project } = await freshProject();
  await project.decide(createDiscipline({ name: "backend", description: "Servers." }));
  const client = await connectWith(project.store, context);
  const call = (name: string, args: Record<string, unknown> = {}) => callTool(client, name, args);
  return { project, call };
}

const everything = {
  display_name: "Frontend",
  icon: "🎨",
  color: "#c678dd",
  acronym: "FE",
  system_prompt: "You build pages.",
  skills: ["HTML", "CSS"],
  conventions: "No inline styles.",
};

test.each([
  ["list_disciplines", []],
  ["get_discipline", ["name"]],
  [
    "create_discipline",
    ["name", "display_name", "icon", "color", "acronym?", "system_prompt?", "skills?", "conventions?"],
  ],
  [
    "update_discipline",
    ["name", "display_name?", "icon?", "color?", "system_prompt?", "skills?", "conventions?"],
  ],
  ["delete_discipline", ["name"]],
])("%s takes the parameters of seed 001, and no others", (name, parameters) => {
  expect(parametersOf(name)).toEqual([...parameters].sort());
});

test("a discipline that is made has all that was given", async () => {
  const { call } = await given();
  const made = await call("create_discipline", { name: "frontend", ...everything });
  expect(made.structured).toEqual({ name: "frontend", next: expect.stringContaining('"frontend"') });
  expect((await call("get_discipline", { name: "frontend" })).structured).toEqual({
    name: "frontend",
    description: "",
    ...everything,
    disabled_tools: [],
    mcp_servers: [],
    agent_words: true,
    agent_fields: [...Object.keys(everything), "description"].sort(),
  });
});

test("disciplines are listed in the order in which they were made, long descriptions shortened", async () => {
  const { project, call } = await given();
  await call("create_discipline", { name: "frontend", ...everything });
  await project.decide(changeDiscipline({ name: "backend", description: "😀".repeat(500) }));
  const { structured } = await call("list_disciplines");
  const bare = { acronym: null, icon: null, color: null };
  expect(structured).toEqual({
    disciplines: [
      { name: "general", display_name: "General", description: "", ...bare },
      { name: "backend", display_name: "backend", description: `${"😀".repeat(149)}…`, ...bare },
      {
        name: "frontend",
        display_name: "Frontend",
        description: "",
        acronym: "FE",
        icon: "🎨",
        color: "#c678dd",
      },
    ],
    total: 3,
  });
});

test("a long list is cut, with its length and the command that shows the rest", async () => {
  const { call, project } = await given();
  for (let index = 0; index < 120; index += 1)
    await project.decide(createDiscipline({ name: `d-${index}`, description: "x".repeat(300) }));
  const { text, structured } = await call("list_disciplines");
  expect(text.length).toBeLessThan(LIST_LIMIT * 1.02);
  expect(structured).toMatchObject({
    total: 122,
    next: expect.stringMatching(
      /^Showing the first \d+ of 122 disciplines; get_discipline shows any of them by name\.$/,
    ),
  });
});

test("only the names of a discipline's MCP servers are shown, since the rest may contain keys", async () => {
  const { project, call } = await given();
  const mcp_servers = { tracker: { command: "npx", args: ["--token", "sesame"], env: { KEY: "sesame" } } };
  await project.decide(changeDiscipline({ name: "backend", mcp_servers, disabled_tools: ["create_task"] }));
  const answer = await call("get_discipline", { name: "backend" });
  expect(answer.structured).toMatchObject({ mcp_servers: ["tracker"], disabled_tools: ["create_task"] });
  expect(answer.text).not.toContain("sesame");
});

test("a change replaces the given fields and keeps the rest", async () => {
  const { call } = await given();
  await call("create_discipline", { name: "frontend", ...everything });
  const changed = await call("update_discipline", { name: "frontend", skills: ["Svelte"], icon: "🖌" });
  expect(changed.structured).toEqual({ name: "frontend", changed: ["icon", "skills"] });
  expect((await call("get_discipline", { name: "frontend" })).structured).toMatchObject({
    ...everything,
    skills: ["Svelte"],
    icon: "🖌",
  });
});

test.each([
  ["get_discipline", { name: "back-end" }, 'There is no discipline "back-end". Did you mean "backend"?'],
  ["create_discipline", { name: "new", display_name: "New" }, "`icon` is missing; `color` is missing"],
  [
    "update_discipline",
    { name: "backend" },
    'Nothing to change in "backend": give at least one of display_name, icon, color, system_prompt, skills, conventions.',
  ],
  [
    "update_discipline",
    { name: "backend", disabled_tools: [] },
    '"disabled_tools" is not a field of update_discipline',
  ],
  [
    "update_discipline",
    { name: "backend", mcp_servers: {} },
    '"mcp_servers" is not a field of update_discipline',
  ],
  ["delete_discipline", { name: "general" }, "it is the default for tasks"],
])("%s with %j is refused with the reason, and nothing is recorded", async (name, args, reason) => {
  const { call, project } = await given();
  await project.decide(createTask({ title: "Index", discipline: "backend" }));
  const head = await project.log.head();
  const answer = await call(name, args);
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(reason);
  expect(await project.log.head()).toBe(head);
});

test("a discipline that no task refers to is deleted", async () => {
  const { call } = await given();
  expect((await call("delete_discipline", { name: "backend" })).structured).toEqual({ deleted: "backend" });
  expect((await call("get_discipline", { name: "backend" })).isError).toBe(true);
});

test("who discusses a discipline reads and changes that one alone", async () => {
  const { call, project } = await given({ recipe: "discuss", discipline: "backend" });
  const head = await project.log.head();
  for (const name of ["get_discipline", "update_discipline"]) {
    const answer = await call(name, { name: "general", ...(name === "update_discipline" && { icon: "x" }) });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('`name` "backend"');
  }
  expect(await project.log.head()).toBe(head);
  expect((await call("get_discipline", { name: "backend" })).isError).toBe(false);
  expect((await call("update_discipline", { name: "backend", icon: "x" })).isError).toBe(false);
  expect((await call("list_disciplines")).isError).toBe(false);
});
