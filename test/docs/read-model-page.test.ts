import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { type ContractTable, columnType, contract } from "../../src/read-model/contract.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";

const page = readFileSync(packagePath("docs/read-model.md"), "utf8");

/** People write this page; only the tables of columns follow from the definitions, and a person copies them from the difference. */
test("docs/read-model.md describes every table and view as its definition does", () => {
  const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(headings.sort()).toEqual(contract.map(({ name }) => name).sort());
  expect(page).toBe(contract.reduce(withColumns, page));
});

test("the described columns, nullability and key of each table and view match the database", () => {
  const readModel = givenReadModel();
  const columnsOf = readModel.database.prepare<[string], Column>(
    "SELECT name, type, `notnull`, pk FROM pragma_table_xinfo(?) WHERE hidden IN (0, 2) ORDER BY cid",
  );
  for (const { kind, name, columns, key } of contract) {
    const real = columnsOf.all(name);
    expect(
      real.map((column) => column.name),
      name,
    ).toEqual(Object.keys(columns));
    if (kind === "view") continue;
    expect(
      real
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
    ).toEqual(key);
    for (const column of real) {
      const defined = columns[column.name];
      expect(column.type, `${name}.${column.name}`).toBe(defined?.sql);
      // A primary key and a generated column are never NULL, which SQLite does not always say.
      if (column.notnull === 1) expect(defined?.nullable, `${name}.${column.name}`).toBe(false);
      else if (defined?.nullable === false)
        expect(["projections.name", "projections.lag"]).toContain(`${name}.${column.name}`);
    }
  }
});

test("every table of the read model is part of the contract, or said not to be", () => {
  const readModel = givenReadModel();
  const names = readModel.database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all()
    .filter((name) => !/^learning(s|_sources)_search/.test(name));
  const [, internal = ""] = /### Not part of the contract\n([\s\S]*?)\n## /.exec(page) ?? [];
  const described = contract.map(({ name }) => name);
  expect(names.filter((name) => !described.includes(name) && !internal.includes(`\`${name}\``))).toEqual([]);
  expect(described.filter((name) => internal.includes(`\`${name}\``))).toEqual([]);
});

test("a column that holds a number is not described as a status or a text", () => {
  const numbers = contract.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, { sql }]) => sql === "INTEGER")
      .map(([column, { meaning = "" }]) => `${name}.${column}: ${meaning}`),
  );
  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((line) => /: (the|its) (status|state|text|name|reason)\b/.test(line))).toEqual([]);
});

test("docs/read-model.md names every projection", () => {
  const [, named = ""] = /The projections are (board, [^.]*)\./.exec(page) ?? [];
  expect(named.split(/,\s/).sort()).toEqual(
    givenReadModel()
      .projections.map(({ name }) => name)
      .sort(),
  );
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  /** Its place in the primary key, 0 for none. */
  readonly pk: number;
}

function givenReadModel(): ReadModel {
  const readModel = new ReadModel(":memory:");
  onTestFinished(() => readModel.close());
  return readModel;
}

/** The page with what a definition says at the top of its section; what is written below that stays. */
function withColumns(text: string, table: ContractTable): string {
  const section = new RegExp(`^### ${table.name}\\n\\n.*\\n(\\n(\\|.*\\n)+)?`, "m");
  return text.replace(section, () => `### ${table.name}\n\n${sectionOf(table)}\n`);
}

function sectionOf({ name, description, columns, key }: ContractTable): string {
  const same = contract.find((other) => other.columns === columns);
  if (same && same.name !== name) return `${description} Its columns are those of \`${same.name}\`.`;
  const keys = key.map((column) => `\`${column}\``).join(", ");
  const rows = Object.entries(columns).map(
    ([column, definition]) => `| \`${column}\` | ${columnType(definition)} | ${definition.meaning ?? ""} |`,
  );
  return [
    keys === "" ? description : `${description} Key ${keys}.`,
    "",
    "| column | type | meaning |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}
