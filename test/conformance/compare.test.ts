import { describe, expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

interface Compare {
  differences(expected: unknown, checks: readonly object[]): string[];
  listDifferences(names: readonly string[], lists: object): string[];
}

// The runner is plain JavaScript, which brings no types: Node runs it as it is.
const { differences, listDifferences } = (await import(
  packagePath("test/conformance/compare.mjs")
)) as Compare;

const holds = { id: "listed", status: "SUCCESS" };
const fails = { id: "rejected", status: "FAILURE", errorMessage: "Expected 4xx, got 200" };
const explained = { fails: { rejected: "got 200" }, because: "it is another's" };

describe("a scenario is as expected", () => {
  test.each([
    ["that is to pass and has nothing against it", "passes", [holds, { id: "told", status: "INFO" }]],
    ["that fails as was explained", explained, [holds, fails]],
  ])("%s", (_case, expected, checks) => {
    expect(differences(expected, checks)).toEqual([]);
  });
});

describe("a scenario is not as expected", () => {
  test.each([
    ["that is to pass and fails", "passes", [holds, fails], "rejected: FAILURE"],
    ["that is to pass and warns", "passes", [holds, { id: "late", status: "WARNING" }], "late: WARNING"],
    ["that is to fail and passes", explained, [holds, { ...fails, status: "SUCCESS" }], "does not"],
    ["that is to fail and leaves the check out", explained, [holds], "does not"],
    [
      "that fails with another error",
      explained,
      [{ ...fails, errorMessage: "fetch failed" }],
      "fetch failed",
    ],
    ["that fails in another check too", explained, [{ ...fails, id: "other" }, fails], "other: FAILURE"],
    ["that checks nothing", "passes", [], "No check"],
    ["that only tells", "passes", [{ id: "told", status: "INFO" }], "No check"],
  ])("%s", (_case, expected, checks, says) => {
    expect(differences(expected, checks)).toEqual([expect.stringContaining(says)]);
  });
});

test("each scenario of the suite is listed once, as run or as not run, and no other is", () => {
  const lists = { scenarios: { ping: "passes", gone: "passes" }, notRun: { ping: "needs a tool" } };
  expect(listDifferences(["ping", "new"], lists)).toEqual([
    "new is not listed.",
    "gone is no scenario of the suite.",
    "ping is listed twice.",
  ]);
});
