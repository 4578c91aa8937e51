import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { confinedFolder } from "../../../src/gates/runner/confined-folder.ts";
import { RunnerError } from "../../../src/gates/runner/runner-error.ts";
import { freshFolder } from "../../support/project.ts";

function projectWithFolders(): { root: string; outside: string } {
  const root = join(realpathSync(freshFolder()), "project");
  const outside = realpathSync(freshFolder());
  mkdirSync(join(root, "packages", "one"), { recursive: true });
  writeFileSync(join(root, "file"), "");
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(root, "packages"), join(root, "in"));
  symlinkSync(root, join(outside, "project"));
  return { root, outside };
}

function refusal(root: string, wanted: string): string {
  try {
    return `not refused: ${confinedFolder(root, wanted)}`;
  } catch (error) {
    if (error instanceof RunnerError && error.code === "folder") return error.message;
    throw error;
  }
}

test("a command runs in the project, or in a folder in it, wherever links lead", () => {
  const { root, outside } = projectWithFolders();
  expect(confinedFolder(root)).toBe(root);
  expect(confinedFolder(root, ".")).toBe(root);
  expect(confinedFolder(root, "packages/one")).toBe(join(root, "packages/one"));
  expect(confinedFolder(root, "in/one/../..")).toBe(root);
  expect(confinedFolder(root, "in/one")).toBe(join(root, "packages/one"));
  expect(confinedFolder(root, join(root, "packages"))).toBe(join(root, "packages"));
  expect(confinedFolder(join(outside, "project"), "packages")).toBe(join(root, "packages"));
  expect(confinedFolder("/", "usr")).toBe(realpathSync("/usr"));
});

test("a link out of the project is refused, with where it is and where it leads", () => {
  const { root, outside } = projectWithFolders();
  const said = refusal(root, "out");
  expect(said).toContain(join(root, "out"));
  expect(said).toContain(outside);
  expect(said).toMatch(/is outside of .*relative to the project/);
});

test.each(["..", "../..", "/", "packages/../..", "out/."])("%s is refused: it is outside", (wanted) => {
  const { root } = projectWithFolders();
  expect(refusal(root, wanted)).toContain(`is outside of ${root}`);
});

test("a folder beside the project is outside, even if its name starts the same", () => {
  const { root } = projectWithFolders();
  mkdirSync(`${root}-2`);
  expect(refusal(root, "../project-2")).toContain("is outside of");
});

test("a folder that is not there and a file are refused by name", () => {
  const { root } = projectWithFolders();
  expect(refusal(root, "nowhere")).toContain(join(root, "nowhere"));
  expect(refusal(root, "file")).toMatch(/file, which is not a folder/);
});
