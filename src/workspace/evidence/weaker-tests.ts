import { basename, extname } from "node:path/posix";
import type { ChangedFile } from "../diff.ts";
import { isTestFile } from "../tests-by-name.ts";

/** A test that checks less than before. */
export interface Weaker {
  readonly path: string;
  /** `test/a.test.ts was deleted` */
  readonly says: string;
}

/** The lines that a patch takes out and brings in at one place. */
interface Hunk {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

interface Patched {
  readonly path: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly hunks: readonly Hunk[];
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
  const skips = known.map(({ hunks }) => sum(hunks.map(newSkipsIn)));
  const isSkipping = sum(skips) > 0;
  const fewer = (isOne: (path: string) => boolean) =>
    sum(changed.map(({ path, lines }) => (isOne(path) && lines ? lines.removed - lines.added : 0)));
  const code = fewer((path) => isCode(path) && !isTestFile(path));
  const isRemoval = code > 0 && 2 * code >= fewer(isTest);
  const hidden = changed.filter(({ path, from }) => from !== undefined && isTest(from) && !isTest(path));
  return [
    ...hidden.map(({ path, from = "" }) => ({
      path: from,
      says: `${from} is ${path} now, which is no test`,
    })),
    ...known.flatMap((test, nth): Weaker[] => {
      const { path, isDeleted, hunks } = test;
      if (isSkipping && (skips[nth] ?? 0) > 0) return [{ path, says: `${path} has a new skip or only mark` }];
      if (isRemoval) return [];
      const [removed, added] = (["removed", "added"] as const).map((which) => assertionsIn(hunks, which));
      const gone = removed?.filter((line) => !moved.has(line)).length ?? 0;
      const come = added?.filter((line) => !brought.has(line)).length ?? 0;
      // One without an assertion that we know is told by its own name, not by its folder's.
      const isUnknown = removed?.length === 0 && isTestFile(basename(path));
      if (isDeleted) return gone > 0 || isUnknown ? [{ path, says: `${path} was deleted` }] : [];
      // A test that is written anew may need fewer.
      const less = `${gone - come} fewer ${gone - come === 1 ? "assertion" : "assertions"}`;
      return come < gone * REWRITTEN ? [{ path, says: `${path} has ${less}` }] : [];
    }),
  ];
}

/** A mark on a test that was there: one that comes with its test hides none. */
function newSkipsIn({ removed, added }: Hunk): number {
  const isWithTest = countOf(DECLARES, added) > countOf(DECLARES, removed);
  return isWithTest ? 0 : countOf(SKIPS, added) - countOf(SKIPS, removed);
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

export function isCode(path: string): boolean {
  return CODE.has(extname(path));
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
      const hunks = part
        .slice(start)
        .split(/^@@.*$/m)
        .map((text) => text.split("\n").map((line) => line.slice(0, LINE_LIMIT)))
        .map((lines) => ({ removed: signed(lines, "-"), added: signed(lines, "+") }));
      const [isNew, isDeleted] = [from === "/dev/null", to === "/dev/null"];
      return [{ path: isDeleted ? from : to, isNew, isDeleted, hunks }];
    });
}

/** In characters. */
const LINE_LIMIT = 1_000;

function signed(lines: readonly string[], sign: string): string[] {
  return lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
}

function inAll(tests: readonly Patched[], which: keyof Hunk): string[] {
  return tests.flatMap(({ hunks }) => assertionsIn(hunks, which));
}

/** Each in one spelling. What is always so asserts nothing. */
function assertionsIn(hunks: readonly Hunk[], which: keyof Hunk): string[] {
  return hunks
    .flatMap((hunk) => hunk[which])
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
const ALWAYS = /\b(?:expect|assert\w{0,40}!?(?:\.\w{1,40})?) ?\(? ?(?:true|True|1) ?(?:[,)#;]|$)/;
const ASSERTIONS = new RegExp(
  [
    String.raw`\bexpect(?:\.\w+)?\s?[({]|\.expect\(|#expect\(|#require\(`,
    String.raw`\bassert\w*!?\s?\(|\bassert\b|\b(?:assert|require|Assert|should)\.[A-Za-z]\w*|\bassert_\w+|\b(?:refute|must_\w+)\b`,
    String.raw`\bself\.assert\w+|\bpytest\.raises|\.should\b|\.Should\(|\bshould_panic|\bverify\(`,
    String.raw`\bt\.(?:Error|Fatal|Fail|is|ok|equal|deepEqual|not|same|throws|true|false)\w*\(`,
    String.raw`\b(?:EXPECT|ASSERT|REQUIRE|CHECK|XCTAssert)\w*\(|^\s*\[\[? `,
  ].join("|"),
);
const JS = String.raw`(?<![.\w>$])(?:it|test|describe|context|suite|specify)`;
const SKIPS = new RegExp(
  [
    JS + String.raw`(?:\.\w+)*\.(?:skip|only|failing|fails)\b(?:\.each\b|\s?\(\s?["'\x60])`,
    String.raw`^\s*(?:xit|xdescribe|xcontext|xtest|xspecify|fit|fdescribe|fcontext)\b\s?["'(]`,
    String.raw`^\s*(?:skip|pending)\b(?:\s*$|\s?["'(])|\bthis\.skip\(|\bskip: (?:true|["'])|\b[bt]\.[Ss]kip(?:Now|f)?\(`,
    String.raw`@(?:pytest\.mark\.|unittest\.)(?:skip(?![A-Za-z])|xfail|expectedFailure)|\bpytest\.skip\(|\.skipTest\(`,
    String.raw`#\[ignore|@(?:Disabled|Ignore)\b|\[(?:Ignore|Skip)\b|\(Skip\s?=|@tag :?skip`,
    String.raw`\bXCTSkip|\.disabled\(|\bGTEST_SKIP|\bDISABLED_|\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|only|todo)\(\s?(?:["']|\))`,
  ].join("|"),
);
const DECLARES = new RegExp(
  JS +
    String.raw`\b[\w.]*\s?\(|^\s*x?(?:it|describe|context|specify)\b\s?["'(]|\bdef test|\bfunc Test|#\[(?:\w+::)*test|@Test\b|\bTEST(?:_F)?\(`,
);
