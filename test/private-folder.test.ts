import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makePrivateFolder } from "../src/lib/private-folder.ts";
import { freshFolder } from "./support/project.ts";

/* Catches: a link that leads out of the project, a folder in which somebody else could change what is written there. */
test("a private folder and its new parents are created for their owner only", () => {
  const project = freshFolder();
  const folder = join(project, ".ralph", "run", "s-1");
  for (const _time of ["first", "again"]) makePrivateFolder(folder);
  for (const made of [".ralph", ".ralph/run", ".ralph/run/s-1"])
    expect(statSync(join(project, made)).mode & 0o777).toBe(0o700);
  const elsewhere = join(project, "a", "b");
  makePrivateFolder(elsewhere);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o700);
});

test.each([".ralph", ".ralph/run", ".ralph/run/s-1", ".ralph/run/s-1/git"])(
  "%s that is a symbolic link is refused by name, and nothing is created behind it",
  (name) => {
    const project = freshFolder();
    const target = freshFolder();
    mkdirSync(join(project, name, ".."), { recursive: true });
    symlinkSync(target, join(project, name));
    const message = `${join(project, name)} is a symbolic link and may point to somebody else's files. Remove it; signalbox then creates a folder in its place.`;
    const make = () => makePrivateFolder(join(project, ".ralph/run/s-1/git"));
    expect(make).toThrow(expect.objectContaining({ name: "LogError", code: "disk", message }));
    expect(readdirSync(target)).toEqual([]);
  },
);

test("outside .ralph only the folder itself is checked: a link above it is the user's choice", () => {
  const link = join(freshFolder(), "link");
  symlinkSync(freshFolder(), link);
  expect(() => makePrivateFolder(link)).toThrow(`${link} is a symbolic link`);
  makePrivateFolder(join(link, "state"));
});

test("a folder that belongs neither to the user nor to the owner of the one around it is refused by its name", () => {
  const run = join(freshFolder(), ".ralph", "run");
  makePrivateFolder(join(run, "s-1"));
  const { uid } = statSync(run);
  givenUser(uid + 1);
  // The whole project is somebody else's, of which the user is told elsewhere.
  makePrivateFolder(join(run, "s-1"));
  const path = givenForeign();
  expect(() => makePrivateFolder(path)).toThrow(
    new RegExp(
      `^${path} belongs to user \\d+, and you are user \\d+: .*Take ownership with \`chown\`, or remove it\\.$`,
    ),
  );
});

function givenUser(uid: number): void {
  const user = vi.spyOn(process, "getuid").mockReturnValue(uid);
  onTestFinished(() => user.mockRestore());
}

/** Where tests run as root they can give a folder away; else one in /tmp, which is root's. */
function givenForeign(): string {
  const folder = mkdtempSync("/tmp/signalbox-test-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (statSync(folder).uid === 0) chownSync(folder, 54_321, -1);
  return folder;
}
