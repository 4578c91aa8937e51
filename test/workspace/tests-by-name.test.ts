import { expect, test } from "vitest";
import { isTestFile } from "../../src/workspace/tests-by-name.ts";

const TESTS: readonly (readonly [string, readonly string[]])[] = [
  [
    "JavaScript and TypeScript",
    [
      "src/parser.test.ts",
      "a.spec.jsx",
      "src/__tests__/parser.js",
      "src/__snapshots__/a.js.snap",
      "e2e/login.ts",
      "a.cy.ts",
      "b.test.mjs",
    ],
  ],
  ["Python", ["test_parser.py", "pkg/parser_test.py", "pkg/conftest.py", "tests/unit/helpers.py"]],
  ["Go", ["parser_test.go", "pkg/testdata/in.golden"]],
  ["Rust", ["tests/parse.rs", "src/parser/tests.rs", "src/parser_test.rs"]],
  ["Java", ["src/test/java/app/Helper.java", "ParserTest.java", "TestParser.java", "ParserIT.java"]],
  ["Kotlin", ["app/src/androidTest/kotlin/Start.kt", "ParserTest.kt", "src/commonTest/kotlin/A.kt"]],
  ["Ruby", ["spec/parser_spec.rb", "test/test_parser.rb", "spec/spec_helper.rb"]],
  ["PHP", ["tests/ParserTest.php", "ext/parser.phpt"]],
  ["C#", ["ParserTests.cs", "src/App.Tests/Helper.cs", "App.UnitTests/A.cs"]],
  ["Elixir", ["test/parser_test.exs", "test/test_helper.exs"]],
  ["Swift", ["Tests/AppTests/Parser.swift", "AppUITests/Start.swift", "ParserTests.swift"]],
  ["C and C++", ["parser_test.cc", "test_parser.c", "ParserTest.cpp"]],
];

test.each(TESTS)("the usual names of tests in %s are tests", (_, paths) => {
  expect(paths.filter((path) => !isTestFile(path))).toEqual([]);
});

test("files whose names only resemble those of tests are none", () => {
  const others = [
    "src/parser.ts",
    "src/test.service.ts",
    "src/latest.ts",
    "src/contest/rules.py",
    "attest.go",
    "src/Latest.java",
    "src/Testament.java",
    "Contest.cs",
    "lib/inspec.rb",
    "src/greatests/a.ts",
    "src/specification/a.ts",
    "src/spectest.c",
    "package.json",
    "vitest.config.ts",
    "src/EXIT.java",
    "docs/testing.md",
    "src/protest.rs",
  ];
  expect(others.filter(isTestFile)).toEqual([]);
});
