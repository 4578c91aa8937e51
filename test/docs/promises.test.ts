import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

test("every promise names the files and the exact titles of the tests that hold it", () => {
  const rows = rowsOf(readFileSync(packagePath("test/promises.md"), "utf8"));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.flatMap(({ line, cells }) => faultsOf(cells).map((fault) => `line ${line}: ${fault}`))).toEqual(
    [],
  );
});

test.each([
  ["that names no test", "`npm run demo`", `names no test. ${how()}`],
  ["whose test stands behind no file", '"a test"', `"a test" stands behind no file. ${how()}`],
  [
    "whose file is not there",
    '`test/docs/none.test.ts` "a test"',
    `There is no file test/docs/none.test.ts. ${how()}`,
  ],
  [
    "whose test is in another file",
    '`test/docs/rules-page.test.ts` "every promise names the files and the exact titles of the tests that hold it"',
    `test/docs/rules-page.test.ts has no test "every promise names the files and the exact titles of the tests that hold it". ${how()}`,
  ],
  [
    "whose source is not there",
    '`test/docs/promises.test.ts` "a row has three cells"',
    `There is no file src/none.ts. ${how()}`,
    "`src/none.ts`",
  ],
  [
    "that names a part of a title",
    '`test/docs/rules-page.test.ts` "docs/rules.md is the shared page"',
    `test/docs/rules-page.test.ts has no test "docs/rules.md is the shared page". ${how()}`,
  ],
  [
    "that names a file alone",
    '`test/docs/rules-page.test.ts`, `test/docs/promises.test.ts` "that names a file alone"',
    `test/docs/rules-page.test.ts is named without a test. ${how()}`,
  ],
])("a row %s is reported, with the correct form", (_what, held, fault, made = "`src/index.ts`") => {
  expect(faultsOf(["A promise.", made, held])).toEqual([fault]);
});

test("a row has three cells", () => {
  expect(faultsOf(["A promise.", '`test/docs/promises.test.ts` "a row has three cells"'])).toEqual([
    `has 2 cells, not 3: a | within one is written \\|. ${how()}`,
  ]);
});

function how(): string {
  return 'Write: | promise | `src/where/it-is-made-true.ts` | `test/where/it.test.ts` "title to the letter", "another of that file"; `test/other.test.ts` "title" |';
}

/** The rows of the page's tables, without their heads, by their lines. */
function rowsOf(page: string): { readonly line: number; readonly cells: readonly string[] }[] {
  return page.split("\n").flatMap((text, index) => {
    if (!text.startsWith("|") || /^\|(---\|)+$/.test(text) || text.startsWith("| promise |")) return [];
    const cells = text.split(/(?<!\\)\|/).slice(1, -1);
    return [{ line: index + 1, cells: cells.map((cell) => cell.trim().replaceAll("\\|", "|")) }];
  });
}

function faultsOf(cells: readonly string[]): string[] {
  const [, made = "", held = ""] = cells;
  if (cells.length !== 3)
    return [`has ${cells.length} cells, not 3: a | within one is written \\|. ${how()}`];
  const faults = [...made.matchAll(/`((?:src|adapters|test)\/[^`]+)`/g)].flatMap(([, file = ""]) =>
    existsSync(packagePath(file)) ? [] : [`There is no file ${file}.`],
  );
  let named: { readonly file: string; tests: number } | undefined;
  const closeFile = () => {
    if (named?.tests === 0) faults.push(`${named.file} is named without a test.`);
  };
  for (const [, file, title] of held.matchAll(
    /`((?:test|adapters\/testing\/log-contract)\/[^`]+)`|"([^"]+)"/g,
  )) {
    if (file !== undefined) {
      closeFile();
      named = { file, tests: 0 };
    } else if (title !== undefined) {
      if (!named) faults.push(`"${title}" stands behind no file.`);
      else if (!existsSync(packagePath(named.file))) faults.push(`There is no file ${named.file}.`);
      else if (!titlesIn(named.file).has(title)) faults.push(`${named.file} has no test "${title}".`);
      if (named) named.tests += 1;
    }
  }
  closeFile();
  if (!held.includes('"') && !named) faults.push("names no test.");
  return faults.map((fault) => `${fault} ${how()}`);
}

const known = new Map<string, ReadonlySet<string>>();

/** The titles of a file's tests, with their placeholders; the first entries of its rows, which are cases; and what campaigns promise. */
function titlesIn(file: string): ReadonlySet<string> {
  const before = known.get(file);
  if (before) return before;
  const titles = new Set<string>();
  const source = ts.createSourceFile(
    file,
    readFileSync(packagePath(file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const visit = (node: ts.Node): void => {
    const title = titleIn(node);
    if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
    else if (title && ts.isTemplateExpression(title)) titles.add(title.getText(source).slice(1, -1));
    ts.forEachChild(node, visit);
  };
  visit(source);
  known.set(file, titles);
  return titles;
}

function titleIn(node: ts.Node): ts.Expression | undefined {
  if (ts.isCallExpression(node)) return isTest(node.expression) ? node.arguments[0] : undefined;
  if (ts.isArrayLiteralExpression(node)) return node.elements[0];
  return ts.isPropertyAssignment(node) && node.name.getText() === "promise" ? node.initializer : undefined;
}

/** `test(…)`, `test.each(…)(…)`, `browserTest(…)`, `logCase(…)`, and `name(…)`, which puts a title together. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) return isTest(callee.expression);
  return (
    ts.isIdentifier(callee) && ["test", "logCase", "browserTest", "describe", "name"].includes(callee.text)
  );
}
