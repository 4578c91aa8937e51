import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../../src/api/project.ts";
import { readContext } from "../../../src/mcp/context.ts";
import { outOfDate, regenerate } from "../../../src/mcp/generating/regenerate.ts";
import { findRecipe, recipeNames, recipes } from "../../../src/mcp/recipes.ts";
import { fails, signalbox, signalboxJson } from "../../support/cli.ts";
import { freshFolder, freshProject } from "../../support/project.ts";
import { givenDiscipline, SHADCN } from "../launching/given.ts";

/* Catches: bytes that differ without a reason, a human's file that is removed, a folder that leads elsewhere. */
const NAMES = ["README.md", "context.json", "mcp.json", "recipes.json"];

function textsIn(folder: string): Record<string, string> {
  const path = join(folder, ".ralph", "mcp");
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

async function onProject<T>(folder: string, work: (project: Project) => T | Promise<T>): Promise<T> {
  const project = await openProject(folder);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

const DISCIPLINES = {
  zoology: { disabled_tools: ["set_task_status", "create_task"] },
  frontend: { mcp_servers: { zed: SHADCN, shadcn: SHADCN } },
  __proto__x: { disabled_tools: ["done"], mcp_servers: { ralph: SHADCN } },
  plain: {},
  "10": { disabled_tools: ["ask"] },
  "9": { disabled_tools: ["flag"] },
};

/** A project with these disciplines, made in this order, and what is generated of it. */
async function generatedIn(folder: string, disciplines: readonly (readonly [string, object])[]) {
  rmSync(join(folder, ".ralph"), { recursive: true, force: true });
  await initProject(folder);
  return onProject(folder, async (project) => {
    for (const [name, fields] of disciplines) await givenDiscipline(project, name, fields);
    regenerate(project.store.readModel, readModelPathIn(folder));
    return textsIn(folder);
  });
}

test("the same project gives the same bytes: generated twice, its disciplines made in another order, after a rebuild", async () => {
  const folder = freshFolder();
  const entries = Object.entries(DISCIPLINES);
  const first = await generatedIn(folder, entries);
  const reversed = entries.reverse().map(([name, fields]) => [name, inReverse(fields)] as const);
  expect(await generatedIn(folder, reversed)).toEqual(first);

  rmSync(join(folder, ".ralph", "mcp"), { recursive: true });
  for (const end of ["", "-wal", "-shm"]) rmSync(`${readModelPathIn(folder)}${end}`, { force: true });
  await onProject(folder, ({ store }) => regenerate(store.readModel, readModelPathIn(folder)));
  expect(textsIn(folder)).toEqual(first);
  expect(Object.keys(first).sort()).toEqual(NAMES);
});

/** The same servers and tools, written down in another order. */
function inReverse(fields: { disabled_tools?: readonly string[]; mcp_servers?: object }): object {
  const { disabled_tools, mcp_servers } = fields;
  return {
    ...(disabled_tools && { disabled_tools: [...disabled_tools].reverse() }),
    ...(mcp_servers && { mcp_servers: Object.fromEntries(Object.entries(mcp_servers).reverse()) }),
  };
}

test("recipes.json lists each recipe's tools, and the changes by disciplines with their own tools or servers", async () => {
  const texts = await generatedIn(freshFolder(), Object.entries(DISCIPLINES));
  const said = JSON.parse(texts["recipes.json"] ?? "");
  expect(said.recipes).toEqual(recipes);
  expect(said.disciplines.map(({ name }: { name: string }) => name)).toEqual([
    "10",
    "9",
    "__proto__x",
    "frontend",
    "zoology",
  ]);
  const [, , clashing, frontend, zoology] = said.disciplines;
  expect(frontend).toMatchObject({ disabled_tools: [], servers: ["shadcn", "zed"] });
  expect(clashing).toMatchObject({ servers: ["ralph"], problem: expect.stringContaining("signalbox's own") });
  expect(zoology.disabled_tools).toEqual(["create_task", "set_task_status"]);
  expect(zoology.recipes.map(({ name }: { name: string }) => name)).toEqual(recipeNames);
  expect(zoology.recipes.find(({ name }: { name: string }) => name === "yap").tools).toEqual(
    findRecipe("yap")?.tools.filter((tool) => !["create_task", "set_task_status"].includes(tool)),
  );
});

test("init makes the files, readable by their owner alone; the context is one for a human's client", async () => {
  const { folder } = await freshProject();
  const path = join(folder, ".ralph", "mcp");
  expect(readdirSync(path).sort()).toEqual(NAMES);
  for (const name of NAMES) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  expect(readContext(join(path, "context.json"))).toEqual({
    session_id: "client",
    recipe: "all",
    discipline: null,
    feature: null,
    task_id: null,
    disabled_tools: [],
  });
});

test("the configuration does not depend on the path by which the project was reached", async () => {
  const { project, folder, db } = await freshProject();
  const link = join(freshFolder(), "link");
  symlinkSync(folder, link);
  const before = textsIn(folder);
  regenerate(project.store.readModel, readModelPathIn(link));
  expect(textsIn(folder)).toEqual(before);
  expect(JSON.parse(before["mcp.json"] ?? "").mcpServers.ralph.env.RALPH_DB_PATH).toBe(db);
});

test("unchanged files are left alone, and the others rewritten", async () => {
  const { project, folder, db } = await freshProject();
  const path = (name: string) => join(folder, ".ralph", "mcp", name);
  for (const name of NAMES) utimesSync(path(name), 1, 1);
  await givenDiscipline(project, "docs", { disabled_tools: ["create_task"] });
  rmSync(path("mcp.json"));
  const disciplines = await project.queries.disciplines();
  expect(outOfDate(db, disciplines)).toEqual(["mcp.json", "recipes.json"]);
  expect(regenerate(project.store.readModel, db)).toEqual([
    { path: path("README.md"), became: "same" },
    { path: path("context.json"), became: "same" },
    { path: path("mcp.json"), became: "written" },
    { path: path("recipes.json"), became: "written" },
  ]);
  expect(statSync(path("README.md")).mtimeMs).toBe(1_000);
  expect(outOfDate(db, disciplines)).toEqual([]);
});

test("a folder that is a symbolic link is refused, and nothing is written behind it", async () => {
  const { folder } = await freshProject();
  const elsewhere = freshFolder();
  rmSync(join(folder, ".ralph", "mcp"), { recursive: true });
  symlinkSync(elsewhere, join(folder, ".ralph", "mcp"));
  const ran = await signalbox(["regenerate"], { cwd: folder });
  expect(ran).toMatchObject({ ...fails(3, "is a symbolic link"), stdout: "" });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("signalbox regenerate rewrites the folder, reports what happened to each file, and records nothing", async () => {
  const { project, folder } = await freshProject();
  const before = textsIn(folder);
  const head = await project.log.head();
  rmSync(join(folder, ".ralph", "mcp"), { recursive: true });
  const path = (name: string) => join(folder, ".ralph", "mcp", name);
  expect(await signalboxJson(["regenerate"], { cwd: folder })).toEqual(
    NAMES.map((name) => ({ path: path(name), became: "written" })),
  );
  expect(textsIn(folder)).toEqual(before);
  const again = await signalbox(["regenerate"], { cwd: folder });
  expect(again.stdout).toBe(NAMES.map((name) => `${path(name)} (unchanged)\n`).join(""));
  expect(await project.log.head()).toBe(head);
});

test("in an existing project, init leaves the folder unchanged", async () => {
  const { folder } = await freshProject();
  rmSync(join(folder, ".ralph", "mcp"), { recursive: true });
  expect(await initProject(folder)).toBe(false);
  expect(existsSync(join(folder, ".ralph", "mcp"))).toBe(false);
});
