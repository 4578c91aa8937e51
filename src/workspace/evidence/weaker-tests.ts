import { basename, extname } from "node:path/posix";
import { counted } from "../../lib/readable.ts";
import type { ChangedFile } from "../diff.ts";
import { isTestFile } from "../tests-by-name.ts";

/** A test that checks less than before. */
export interface Weaker {
  readonly path: string;
  /** `test/a.test.ts was deleted` */
  readonly says: string;
}

/** The lines of a file that a patch takes out and brings in. */
interface Patched {
  readonly path: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Tests that were deleted, skipped or emptied. What was moved to another test is not missing, and neither is a test that goes with the
 * code that it tested: where more code was taken out than brought in, nothing is said. Tried on the history of public repositories
 * (docs/decisions/0076).
 *
 * @param changed all files that differ
 * @param patch of those that are tests, by `diff-tree -p -U0 -M`
 */
export function weakerTests(changed: readonly ChangedFile[], patch: string): Weaker[] {
  const tests = patchedIn(patch);
  const moved = new Set(inAll(tests, "added"));
  const brought = new Set(inAll(tests, "removed"));
  const known = tests.filter(({ isNew }) => !isNew);
  const skips = known.map((test) => countOf(SKIPS, test.added) - countOf(SKIPS, test.removed));
  const isSkipping = sum(skips) > 0;
  const isRemoval =
    sum(changed.map(({ path, lines }) => (isCode(path) && lines ? lines.removed - lines.added : 0))) > 0;
  return known.flatMap((test, nth): Weaker[] => {
    const { path, isDeleted } = test;
    if (isSkipping && (skips[nth] ?? 0) > 0)
      return [{ path, says: `${path} is marked to be skipped, or others because of it` }];
    if (isRemoval) return [];
    const gone = assertionsIn(test.removed).filter((line) => !moved.has(line)).length;
    const come = assertionsIn(test.added).filter((line) => !brought.has(line)).length;
    // One without an assertion that we know is told by its own name, not by its folder's.
    if (
      isDeleted &&
      (gone > 0 ||
        (test.removed.length > 0 && assertionsIn(test.removed).length === 0 && isTestFile(basename(path))))
    )
      return [{ path, says: `${path} was deleted` }];
    // A test that is written anew may need fewer.
    return come < gone * REWRITTEN
      ? [{ path, says: `${path} has ${counted(gone - come, "assertion")} less` }]
      : [];
  });
}

const REWRITTEN = 3 / 4;

/** A test with assertions, as its name tells; what tests use or compare with is none. */
export function isTest(path: string): boolean {
  return (
    isTestFile(path) &&
    CODE.has(extname(path)) &&
    !/(?:^|\/)(?:.*fixtures?.*|test-?data|__(?:mocks|snapshots)__)\//i.test(path)
  );
}

function isCode(path: string): boolean {
  return CODE.has(extname(path)) && !isTestFile(path);
}

const CODE = new Set(
  ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .py .go .rs .java .kt .kts .scala .groovy .rb .php .cs .fs .vb .ex .exs .erl .swift .m .mm .c .cc .cpp .cxx .h .hpp .dart .lua .ml .hs .bats .phpt .t".split(
    " ",
  ),
);

function patchedIn(patch: string): Patched[] {
  return patch
    .split(/^diff --git /m)
    .slice(1)
    .flatMap((part) => {
      const start = part.search(/^@@/m);
      const head = start < 0 ? part : part.slice(0, start);
      const [from, to] = ["---", "\\+\\+\\+"].map(
        (sign) => new RegExp(`^${sign} (?:[ab]/)?(.*?)\\t?$`, "m").exec(head)?.[1],
      );
      if (start < 0 || from === undefined || to === undefined) return [];
      const changed = part.slice(start).split("\n");
      const linesOf = (sign: string) =>
        changed.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
      const [isNew, isDeleted] = [from === "/dev/null", to === "/dev/null"];
      return [{ path: isDeleted ? from : to, isNew, isDeleted, removed: linesOf("-"), added: linesOf("+") }];
    });
}

function inAll(tests: readonly Patched[], which: "added" | "removed"): string[] {
  return tests.flatMap((test) => assertionsIn(test[which]));
}

/** Each in one spelling. What is always so asserts nothing. */
function assertionsIn(changed: readonly string[]): string[] {
  return changed
    .filter((line) => ASSERTIONS.test(line) && !COMMENT.test(line) && !ALWAYS.test(line))
    .map((line) => line.trim().replace(/\s+/g, " "));
}

function countOf(pattern: RegExp, changed: readonly string[]): number {
  return changed.filter((line) => pattern.test(line) && !COMMENT.test(line)).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--)/;
const ALWAYS = /\b(?:expect|assert\w*!?(?:\.\w+)?)\s*\(?\s*(?:true|True|1)\s*(?:[,)#;]|$)/;
const ASSERTIONS = new RegExp(
  [
    "\\bexpect(?:\\.\\w+)?\\s*[({]|\\.expect\\(|#expect\\(|#require\\(",
    "\\bassert\\w*!?\\s*\\(|\\bassert\\b|\\b(?:assert|require|Assert|should)\\.[A-Za-z]\\w*|\\bassert_\\w+|\\b(?:refute|must_\\w+)\\b",
    "\\bself\\.assert\\w+|\\bpytest\\.raises|\\.should\\b|\\.Should\\(|\\bshould_panic|\\bverify\\(",
    "\\bt\\.(?:Error|Fatal|Fail|is|ok|equal|deepEqual|not|same|throws|true|false)\\w*\\(",
    "\\b(?:EXPECT|ASSERT|REQUIRE|CHECK|XCTAssert)\\w*\\(|\\[\\[? .* \\]\\]?$",
  ].join("|"),
);
const SKIPS = new RegExp(
  [
    "\\b(?:it|test|describe|context|suite|specify)\\s*\\.\\s*(?:skip|only|todo|fixme|failing|fails)\\b|\\b(?:xit|xdescribe|xcontext|xtest|fit|fdescribe)\\s*\\(",
    "@(?:pytest\\.mark\\.|unittest\\.)(?:skip\\w*|xfail|expectedFailure)|\\bpytest\\.skip\\(|\\.skipTest\\(",
    "\\b[bt]\\.Skip\\w*\\(|#\\[ignore|@(?:Disabled|Ignore)\\b|\\[(?:Ignore|Skip)\\b|\\(Skip\\s*=|@tag :?skip",
    "\\bXCTSkip|\\.disabled\\(|\\bGTEST_SKIP|\\bDISABLED_|\\bmarkTest(?:Skipped|Incomplete)\\(|->(?:skip|only|todo)\\(",
  ].join("|"),
);
