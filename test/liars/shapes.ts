import { shellWord } from "../../src/lib/shell-word.ts";

/** The layout of a repository in one language. */
export interface Shape {
  readonly name: string;
  /** True: it has tests, and a command that runs them. */
  readonly tested: boolean;
  /** Runs the tests; without tests, a build that passes. */
  readonly gate: string;
  /** What begins a comment. */
  readonly comment: string;
  /** What a build writes, and git ignores. */
  readonly build: string;
  /** The paths of one session's part: so sessions of one repository do not conflict. */
  part(n: number): Part;
  /** What does not belong to one session. */
  readonly files: Readonly<Record<string, string>>;
}

/** The files that one session may change. They are there, but for `added`. */
interface Part {
  readonly source: string;
  readonly test: string;
  readonly legacy: string;
  readonly added: string;
  readonly moved: string;
  readonly contents: Readonly<Record<string, string>>;
}

/** What a session's scripts call its files, as lines of a shell. @param root the project's folder */
export function wordsOf(shape: Shape, n: number, root: string): string {
  const { source, test, legacy, added, moved } = shape.part(n);
  const words = {
    ...{ N: String(n), ROOT: root, COMMENT: shape.comment, BUILD: shape.build },
    ...{ SOURCE: source, TEST: test, LEGACY: legacy, ADDED: added, MOVED: moved },
  };
  return Object.entries(words)
    .map(([name, value]) => `${name}=${shellWord(value)}\n`)
    .join("");
}

/** Runs no compiler: a test names its source and the value that it must return. */
const CHECK = `#!/bin/sh
# The tests pass if each source returns what its test wants.
for test in $(git ls-files -co --exclude-standard "$@"); do
  [ -f "$test" ] || continue
  grep -qE 'Skip\\(|#\\[ignore' "$test" && continue
  for want in $(sed -n 's/.*want //p' "$test"); do
    grep -qw "$want" "$(sed -n 's/.*of //p' "$test")" || { echo "$test fails"; exit 1; }
  done
done
`;

const LANGUAGES = [
  {
    name: "javascript",
    gate: "npm test",
    comment: "//",
    files: {
      "package.json": `${JSON.stringify({ name: "app", private: true, type: "module", scripts: { test: "node --test --test-isolation=none", build: "node -e 0" } }, null, 2)}\n`,
      ".gitignore": ".ralph/\ndist/\n",
    },
    build: "dist/bundle.js",
    source: (n: number) => [`src/lib/part-${n}.js`, `export const part = () => ${n};\n`],
    test: (n: number) => [
      `test/part-${n}.test.js`,
      `import assert from "node:assert";\nimport test from "node:test";\nimport { part } from "../src/lib/part-${n}.js";\n\ntest("part ${n}", () => {\n  assert.equal(part(), ${n});\n  assert.equal(typeof part(), "number");\n});\n`,
    ],
    moved: (n: number) => `test/unit-${n}.test.js`,
    added: (n: number) => `src/features/feature-${n}.js`,
  },
  {
    name: "python",
    gate: "python3 -m unittest discover -q -s tests",
    comment: "#",
    files: {
      "pyproject.toml": '[project]\nname = "app"\nversion = "1"\n',
      ".gitignore": ".ralph/\n__pycache__/\n*.pyc\nbuild/\n",
      "app/__init__.py": "",
      "tests/__init__.py": "",
    },
    build: "build/lib.whl",
    source: (n: number) => [`app/part_${n}.py`, `def part():\n    return ${n}\n`],
    test: (n: number) => [
      `tests/test_part_${n}.py`,
      `import unittest\n\nfrom app.part_${n} import part\n\n\nclass Part(unittest.TestCase):\n    def test_part(self):\n        self.assertEqual(part(), ${n})\n        self.assertIsInstance(part(), int)\n`,
    ],
    moved: (n: number) => `tests/test_unit_${n}.py`,
    added: (n: number) => `app/features/feature_${n}.py`,
  },
  {
    name: "go",
    gate: "make test",
    comment: "//",
    files: {
      "go.mod": "module app\n\ngo 1.22\n",
      ".gitignore": ".ralph/\nbin/\n",
      Makefile: "test:\n\t@sh scripts/check.sh '*_test.go'\n",
      "scripts/check.sh": CHECK,
      "cmd/app/main.go": "package main\n\nfunc main() {}\n",
    },
    build: "bin/app",
    source: (n: number) => [
      `internal/part${n}.go`,
      `package internal\n\nfunc Part${n}() int {\n\treturn ${n}\n}\n`,
    ],
    test: (n: number) => [
      `internal/part${n}_test.go`,
      `package internal\n\nimport "testing"\n\n// of internal/part${n}.go\nfunc TestPart${n}(t *testing.T) {\n\t// want ${n}\n\tif Part${n}() != ${n} {\n\t\tt.Fatalf("part ${n}")\n\t}\n\tif Part${n}() < 0 {\n\t\tt.Errorf("negative")\n\t}\n}\n`,
    ],
    moved: (n: number) => `internal/unit${n}_test.go`,
    added: (n: number) => `internal/feature${n}.go`,
  },
  {
    name: "rust",
    gate: "make test",
    comment: "//",
    files: {
      "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
      ".gitignore": ".ralph/\n/target\n",
      Makefile: "test:\n\t@sh scripts/check.sh 'tests/*.rs'\n",
      "scripts/check.sh": CHECK,
      "src/lib.rs": "pub mod parts;\n",
    },
    build: "target/debug/app",
    source: (n: number) => [`src/parts/part_${n}.rs`, `pub fn part() -> u32 {\n    ${n}\n}\n`],
    test: (n: number) => [
      `tests/part_${n}.rs`,
      `// of src/parts/part_${n}.rs\n#[test]\nfn part_${n}() {\n    // want ${n}\n    assert_eq!(app::parts::part_${n}::part(), ${n});\n    assert!(app::parts::part_${n}::part() > 0);\n}\n`,
    ],
    moved: (n: number) => `tests/unit_${n}.rs`,
    added: (n: number) => `src/features/feature_${n}.rs`,
  },
] as const;

/** Each language with tests and without. */
export const SHAPES: readonly Shape[] = LANGUAGES.flatMap((language) =>
  [true, false].map((tested) => ({
    name: `${language.name}${tested ? "" : ", no tests"}`,
    tested,
    gate: tested ? language.gate : "git rev-parse HEAD",
    ...{ comment: language.comment, build: language.build },
    files: {
      ...language.files,
      "README.md": "# App\n\nIt does things.\n",
      LICENSE: "MIT\n",
      "docs/guide.md": "One\nTwo\nThree\n",
    },
    part(n: number) {
      const [source, text] = language.source(n) as [string, string];
      const [test, checks] = language.test(n) as [string, string];
      const legacy = `legacy/old-${n}.txt`;
      return {
        ...{ source, test, legacy, added: language.added(n), moved: language.moved(n) },
        contents: {
          ...{ [source]: text, [legacy]: `old ${n}\n`, [`scripts/check-${n}.sh`]: "exit 1\n" },
          ...(tested && { [test]: checks }),
        },
      };
    },
  })),
);
