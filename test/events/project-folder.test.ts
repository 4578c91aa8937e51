import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkFolder, ralphFolderOf, refuseLinks, touchPrivate } from "../../src/lib/project-folder.ts";
import { temporaryFolder } from "./given.ts";

/* Catches: a link that leads out of the project, a folder of somebody else that is used in silence. */
function givenFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** The project's folders, real but for the one that is named. */
function givenProject(linked?: ".ralph" | ".ralph/db"): { readonly folder: string; readonly log: string } {
  const folder = givenFolder();
  const elsewhere = givenFolder();
  mkdirSync(join(elsewhere, "db"));
  if (linked !== ".ralph") mkdirSync(join(folder, ".ralph"));
  if (linked === undefined) mkdirSync(join(folder, ".ralph/db"));
  else symlinkSync(elsewhere, join(folder, linked));
  return { folder, log: join(folder, ".ralph/db/events.db") };
}

test.each([".ralph", ".ralph/db"] as const)(
  "a %s that is a symbolic link is refused by its name",
  (linked) => {
    const { folder, log } = givenProject(linked);
    const message =
      `${join(folder, linked)} is a symbolic link and may point to somebody else's files. ` +
      "Name the real folder with --db.";
    expect(() => checkFolder(log)).toThrow(
      expect.objectContaining({ name: "LogError", code: "disk", message }),
    );
  },
);

test("for a log elsewhere only its own folder is checked", () => {
  const folder = givenFolder();
  symlinkSync(givenFolder(), join(folder, "link"));
  expect(() => checkFolder(join(folder, "link", "events.db"))).toThrow(
    `${join(folder, "link")} is a symbolic link`,
  );
  mkdirSync(join(folder, "link", "inside"));
  expect(checkFolder(join(folder, "link", "inside", "events.db"))).toBeUndefined();
});

test("a folder of somebody else is named with its owner and who works on it", () => {
  const { folder, log } = givenProject();
  expect(checkFolder(log)).toBeUndefined();
  const owner = statSync(folder).uid;
  const user = vi.spyOn(process, "getuid").mockReturnValue(owner + 1);
  onTestFinished(() => user.mockRestore());
  expect(checkFolder(log)).toBe(
    `${join(folder, ".ralph")} belongs to user ${owner}, and you are user ${owner + 1}: this is another user's project.`,
  );
});

test("missing folders have no owner to warn about", () => {
  const user = vi.spyOn(process, "getuid").mockReturnValue(4_321);
  onTestFinished(() => user.mockRestore());
  expect(checkFolder("/nowhere/.ralph/db/events.db")).toBeUndefined();
});

test("the folder of a project's file is .ralph, of any other its own", () => {
  expect(ralphFolderOf("/project/.ralph/db/events.db")).toBe("/project/.ralph");
  expect(ralphFolderOf("/elsewhere/db/events.db")).toBe("/elsewhere/db");
});

test("a private file is created for its owner only, and an existing one stays unchanged", () => {
  const path = join(givenFolder(), "events.db");
  touchPrivate(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "kept");
  touchPrivate(path);
  expect(readFileSync(path, "utf8")).toBe("kept");
  expect(() => touchPrivate(join(path, "below a file"))).not.toThrow();
});

test.each(["events.db", "events.db-wal", "events.db-shm", "events.db-journal"])(
  "%s that is a symbolic link is refused by its name, also one that leads nowhere",
  (name) => {
    const { log } = givenProject();
    const link = join(log, "..", name);
    const elsewhere = join(givenFolder(), "precious");
    symlinkSync(elsewhere, link);
    const refusal = expect.objectContaining({
      code: "disk",
      message: `${link} is a symbolic link and may point to somebody else's files. Replace it with the file it points to, together with its -wal and -shm.`,
    });
    expect(() => refuseLinks(log)).toThrow(refusal);
    expect(() => touchPrivate(log)).toThrow(refusal);
    expect(existsSync(elsewhere)).toBe(false);
  },
);
