import ts from "typescript";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { installed } from "./installed.ts";

const ENTRIES = ["src/index.ts", "src/api/log.ts", "src/api/projections.ts", "adapters/testing/testing.ts"];

test("every example in the docstrings of the API compiles in a strict project, runs, and prints something", () => {
  const examples = examplesOf(ENTRIES.map((entry) => packagePath(entry)));
  const names = examples.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["openProject", "defineEvent", "defineTable", "given"]));
  const { compile, run } = installed();
  const programs = Object.fromEntries(examples.map(({ text }, index) => [`example-${index}.ts`, text]));
  expect(compile(programs, { module: "nodenext", lib: ["es2022", "dom"] })).toBe("");
  for (const [index, name] of names.entries()) {
    const { stdout, stderr } = run(`example-${index}.js`);
    expect({ name, stderr }).toEqual({ name, stderr: "" });
    expect(stdout, name).not.toBe("");
  }
});

/** The examples of what some modules export, wherever it is defined, and of the members of exported classes. */
function examplesOf(entries: readonly string[]): { readonly name: string; readonly text: string }[] {
  const program = ts.createProgram(entries, {
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, string>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      for (const one of [symbol, ...(symbol.members?.values() ?? [])]) found.set(one, one.name);
    }
  }
  return [...found].flatMap(([symbol, name]) =>
    symbol
      .getJsDocTags(checker)
      .filter((tag) => tag.name === "example")
      .map(({ text }) => ({ name, text: ts.displayPartsToString(text) })),
  );
}
