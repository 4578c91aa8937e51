import { expect, test } from "vitest";
import { createFeature } from "../../../src/operations/features.ts";
import { LIST_LIMIT } from "../../../src/operations/fitting.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";
import { parametersOf } from "./parameters.ts";

/* Catches: a parameter that the seed does not have, a field that is not kept, a deletion that leaves something without its feature. */

async function given() {
  const { project } = await freshProject();
  const client = await connectWith(project.store, { recipe: "all" });
  const call = (name: string, args: Record<string, unknown> = {}, use?: string) =>
    callTool(client, name, args, use);
  return { project, call };
}

const everything = {
  display_name: "Billing",
  description: "Invoices and payments.",
  acronym: "BILL",
  knowledge_paths: ["docs/billing/"],
  context_files: ["src/invoice.ts"],
  architecture: "One service, one queue.",
  boundaries: "No tax returns.",
  dependencies: ["general"],
};

test.each([
  ["list_features", []],
  ["get_feature", ["name"]],
  ["create_feature", ["name", "display_name", ...optional(everything, "display_name")]],
  ["update_feature", ["name", ...optional(everything)]],
  ["delete_feature", ["name"]],
  ["append_feature_learning", ["feature_name", "text", "source?", "reason?", "task_id?"]],
  ["add_feature_context_file", ["feature_name", "file_path"]],
])("%s takes the parameters of seed 001, and no others", (name, parameters) => {
  expect(parametersOf(name)).toEqual([...parameters].sort());
});

test("a new feature has all given fields, and the others are empty", async () => {
  const { call, project } = await given();
  const made = await call("create_feature", { name: "billing", ...everything });
  expect(made.structured).toEqual({ name: "billing", next: expect.stringContaining('"billing"') });
  const [event] = (await project.log.read(2, 10)).slice(-1);
  expect(event).toMatchObject({ type: "feature.created", actor: "agent", correlation: "c-1" });
  expect((await call("get_feature", { name: "billing" })).structured).toEqual({
    name: "billing",
    ...everything,
    agent_words: true,
    agent_fields: Object.keys(everything).sort(),
    learnings: [],
    learnings_left_out: 0,
  });
  await call("create_feature", { name: "bare", display_name: "Bare" });
  expect((await call("get_feature", { name: "bare" })).structured).toEqual({
    name: "bare",
    display_name: "Bare",
    description: "",
    acronym: null,
    architecture: null,
    boundaries: null,
    dependencies: [],
    knowledge_paths: [],
    context_files: [],
    agent_words: true,
    agent_fields: ["description", "display_name"],
    learnings: [],
    learnings_left_out: 0,
  });
});

test("features are listed in the order in which they were made, long descriptions shortened", async () => {
  const { call } = await given();
  await call("create_feature", { name: "web", display_name: "Web", description: "x".repeat(5_000) });
  await call("create_feature", { name: "api", display_name: "API", acronym: "API", dependencies: ["web"] });
  expect((await call("list_features")).structured).toEqual({
    features: [
      { name: "general", display_name: "General", acronym: null, description: "", dependencies: [] },
      {
        name: "web",
        display_name: "Web",
        acronym: null,
        description: `${"x".repeat(299)}…`,
        dependencies: [],
      },
      { name: "api", display_name: "API", acronym: "API", description: "", dependencies: ["web"] },
    ],
    total: 3,
  });
});

test("a long list is cut, with its length and the command that shows the rest", async () => {
  const { call, project } = await given();
  for (let index = 0; index < 130; index += 1)
    await project.decide(createFeature({ name: `f-${index}`, description: "x".repeat(300) }));
  const { text, structured } = await call("list_features");
  expect(text.length).toBeLessThan(LIST_LIMIT * 1.02);
  expect(structured).toMatchObject({
    total: 131,
    next: expect.stringMatching(
      /^Showing the first \d+ of 131 features; get_feature shows any of them by name\.$/,
    ),
  });
  expect(structured).toHaveProperty("features[0].name", "general");
});

test("a change replaces the given fields and keeps the rest, lists too", async () => {
  const { call } = await given();
  await call("create_feature", { name: "billing", ...everything });
  const changed = await call("update_feature", { name: "billing", boundaries: "", knowledge_paths: [] });
  expect(changed.structured).toEqual({ name: "billing", changed: ["knowledge_paths", "boundaries"] });
  expect((await call("get_feature", { name: "billing" })).structured).toMatchObject({
    ...everything,
    boundaries: "",
    knowledge_paths: [],
  });
});

test.each([
  ["get_feature", { name: "generel" }, 'There is no feature "generel". Did you mean "general"?'],
  ["update_feature", { name: "web", acronym: "" }, "`acronym` is blank"],
  ["create_feature", { name: "new", display_name: " " }, "`display_name` is blank"],
  [
    "create_feature",
    { name: "new", display_name: "N", dependencies: ["x"] },
    '`dependencies`: There is no feature "x"',
  ],
  [
    "update_feature",
    { name: "web" },
    'Nothing to change in "web": give at least one of display_name, description,',
  ],
  [
    "append_feature_learning",
    { feature_name: "mobile", text: "x" },
    '`feature_name`: There is no feature "mobile"',
  ],
  ["append_feature_learning", { feature_name: "web", text: " " }, "`text` is blank"],
  [
    "append_feature_learning",
    { feature_name: "web", text: "x", source: "me" },
    "legal values are auto, agent, human",
  ],
  ["add_feature_context_file", { feature_name: "web", file_path: "" }, "`file_path` is blank"],
])("%s with %j is refused with the reason, and nothing is recorded", async (name, args, reason) => {
  const { call, project } = await given();
  await project.decide(createFeature({ name: "core" }));
  await project.decide(createFeature({ name: "web", dependencies: ["core"] }));
  await project.decide(createTask({ title: "Page", feature: "web" }));
  const head = await project.log.head();
  const answer = await call(name, args);
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(reason);
  expect(await project.log.head()).toBe(head);
});

test("an unused feature is deleted", async () => {
  const { call } = await given();
  await call("create_feature", { name: "billing", ...everything });
  expect((await call("delete_feature", { name: "billing" })).structured).toEqual({ deleted: "billing" });
  expect((await call("get_feature", { name: "billing" })).text).toContain('There is no feature "billing"');
});

test("a context file is added once, and adding it again is no error", async () => {
  const { call, project } = await given();
  const add = (file_path: string, use?: string) =>
    call("add_feature_context_file", { feature_name: "general", file_path }, use);
  expect((await add("src/a.ts", "toolu_1")).structured).toEqual({ added: true, context_files: ["src/a.ts"] });
  expect((await add("src/b.ts")).structured).toEqual({
    added: true,
    context_files: ["src/a.ts", "src/b.ts"],
  });
  const head = await project.log.head();
  expect((await add("src/a.ts")).structured).toEqual({
    added: false,
    context_files: ["src/a.ts", "src/b.ts"],
  });
  expect((await add("src/a.ts", "toolu_1")).structured).toMatchObject({ added: true });
  expect(await project.log.head()).toBe(head);
});

/** The parameters of an object's fields, all of which may be left out but those named. */
function optional(of: object, ...required: readonly string[]): string[] {
  return Object.keys(of)
    .filter((field) => !required.includes(field))
    .map((field) => `${field}?`);
}
