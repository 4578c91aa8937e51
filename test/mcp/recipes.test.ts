import { expect, test } from "vitest";
import { findRecipe, recipes } from "../../src/mcp/recipes.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { toolNames } from "../../src/operations/tool-names.ts";

/** Seed 001, Recipe Filters, word for word. */
const ALLOWED = {
  braindump: `
    create_feature, create_discipline, create_task
    list_features, list_disciplines, list_tasks
    get_feature, get_discipline
    get_project_info`,
  yap: `
    list_tasks, get_task, create_task, update_task
    list_features, list_disciplines
    set_task_status
    get_project_info`,
  ramble: `
    list_features, get_feature, create_feature, update_feature
    append_feature_learning, add_feature_context_file
    list_tasks
    get_project_info`,
  discuss: `
    list_disciplines, get_discipline, update_discipline
    get_project_info`,
  task_execution: `
    get_task
    set_task_status
    add_task_comment
    append_learning, append_progress
    add_feature_context_file
    read_learnings, read_progress
    get_project_info`,
  opus_review: `
    list_tasks, get_task
    set_task_status
    update_task
    create_task
    add_task_comment
    list_features, get_feature, update_feature
    append_feature_learning
    append_learning, append_progress
    read_learnings, read_progress
    get_project_info, get_project_progress`,
  enrichment: `
    list_tasks, get_task
    enrich_task
    update_task
    create_task
    list_features, get_feature
    list_disciplines
    get_project_info`,
};

/** Seed 000's pipe, seed 003's report of a phase, and the gates of seed 004. */
const REPORTING = "done, partial, stuck, ask, flag, learned, suggest, blocked, verify, update_session_state";

const sorted = (...lists: readonly string[]) => lists.flatMap((list) => list.match(/\w+/g) ?? []).sort();

test.each(Object.entries(ALLOWED))("the recipe %s allows what seed 001 says", (name, allowed) => {
  const also = name === "task_execution" ? [REPORTING] : [];
  expect([...(findRecipe(name)?.tools ?? [])].sort()).toEqual(sorted(allowed, ...also));
});

test("the recipe signals is the pipe alone, and all has every tool", () => {
  expect([...(findRecipe("signals")?.tools ?? [])].sort()).toEqual(sorted(REPORTING));
  expect(findRecipe("all")?.tools).toEqual(toolNames);
  expect(recipes.map(({ name }) => name).sort()).toEqual([...Object.keys(ALLOWED), "all", "signals"].sort());
});

test("a review changes of a task its priority and description alone", () => {
  expect(recipes.filter((recipe) => "fields" in recipe)).toMatchObject([
    { name: "opus_review", fields: { update_task: ["id", "priority", "description"] } },
  ]);
});

test("work on a task, and talk about a discipline, are about the session's own", () => {
  const own = recipes.flatMap((recipe) => ("own" in recipe ? [[recipe.name, recipe.own]] : []));
  expect(Object.fromEntries(own)).toEqual({ discuss: "discipline", task_execution: "task" });
});

test("every tool that has a name is defined", () => {
  expect(tools.map(({ name }) => name)).toEqual(toolNames);
});
