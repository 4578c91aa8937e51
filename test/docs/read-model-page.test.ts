import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { ReadModel } from "../../src/projections/read-model.ts";

const page = readFileSync(packagePath("docs/read-model.md"), "utf8");
/** The page's sections by their headings; one section may be of several tables. */
const sections = page
  .split(/^###? /m)
  .slice(1)
  .map((text) => ({ names: text.split("\n")[0]?.split(", ") ?? [], text }));
const [, internal = ""] = /### Not part of the contract\n([\s\S]*?)\n## /.exec(page) ?? [];

const columns = new Map<string, string[]>();

beforeAll(() => {
  const readModel = new ReadModel(":memory:");
  const rows = readModel.database
    .prepare<[], { name: string; column: string }>(
      `SELECT s.name, c.name AS column FROM sqlite_schema s, pragma_table_xinfo(s.name) c
       WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite_%' AND s.name NOT LIKE 'learnings_search%'`,
    )
    .all();
  for (const { name, column } of rows) columns.set(name, [...(columns.get(name) ?? []), column]);
  readModel.close();
});

test("docs/read-model.md describes every table and view with every column", () => {
  const missing: string[] = [];
  for (const [name, own] of columns) {
    if (internal.includes(`\`${name}\``)) continue;
    const described = textOf(name);
    const named = new Set([...described.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word));
    missing.push(
      ...own
        .filter((column) => !named.has(column) && !isOfView(name, column))
        .map((column) => `${name}.${column}`),
    );
    if (described === "") missing.push(name);
  }
  expect(missing).toEqual([]);
});

test("every column that docs/read-model.md has in a table of its own is there", () => {
  const unknown: string[] = [];
  for (const { names, text } of sections) {
    const own = new Set(names.flatMap((name) => columns.get(name) ?? []));
    if (own.size === 0 || !/^\| column/m.test(text)) continue;
    for (const [, cell = ""] of text.matchAll(/^\| (`[^|]+`) \|/gm)) {
      for (const [, column = ""] of cell.matchAll(/`([^`]+)`/g)) {
        if (!own.has(column)) unknown.push(`${names.join(", ")}: ${column}`);
      }
    }
  }
  expect(unknown).toEqual([]);
});

test("docs/read-model.md names every projection", () => {
  const readModel = new ReadModel(":memory:");
  const [, named = ""] = /\| `name` \| (board, .*) \|/.exec(page) ?? [];
  expect(named.split(", ").sort()).toEqual(readModel.projections.map(({ name }) => name).sort());
  readModel.close();
});

/** A view's line, a table's line in a section of several, or its own section. */
function textOf(name: string): string {
  const lines = page
    .split("\n")
    .filter((line) => line.startsWith(`| \`${name}\``) && line.split("|").length > 3);
  const section = sections.find(({ names }) => names.includes(name))?.text ?? "";
  return `${section}\n${lines.join("\n")}`;
}

/** `ready_tasks` has the columns of `tasks`. */
function isOfView(name: string, column: string): boolean {
  return name === "ready_tasks" && (columns.get("tasks") ?? []).includes(column);
}
