import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { copyLog, restoreLog } from "../../src/events/sqlite-backup.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { everythingIn } from "../events/given.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/*
 * Catches: a copy that lacks what is only in the WAL, one that mixes two moments, a damaged copy that is taken for
 * good, a log that is overwritten, files that others can read.
 */
test("a backup taken during appends is a snapshot of the log, and can be restored", async () => {
  const { project, folder, db } = await freshProject();
  const to = join(freshFolder(), "backup.db");
  const appending = (async () => {
    for (let count = 1; count <= 300; count++) await project.decide(createTask({ title: `Task ${count}` }));
  })();
  const [copied] = await Promise.all([signalboxJson(["backup", to], { cwd: folder }), appending]);
  const elsewhere = freshFolder();
  expect(await signalboxJson(["restore", to, elsewhere], { cwd: folder })).toEqual(copied);
  expect(existsSync(join(elsewhere, ".ralph/.gitignore")), "git takes no log along").toBe(true);

  const restored = await openProject(elsewhere);
  const events = await everythingIn(restored.log);
  expect(copied).toMatchObject({ file: to, head: events.length, leafHash: events.at(-1)?.leafHash });
  expect(events).toEqual((await everythingIn(project.log)).slice(0, events.length));
  await restored.decide(createTask({ title: "Goes on" }));
  await restored.close();
  expect(statSync(db).mode & 0o077).toBe(0);
});

test("neither a backup nor a restore overwrites anything, and both say so", async () => {
  const { folder } = await freshProject();
  const to = join(freshFolder(), "backup.db");
  expect(await signalbox(["backup", to], { cwd: folder })).toMatchObject({ exitCode: 0 });
  const before = readFileSync(to);
  expect(await signalbox(["backup", to], { cwd: folder })).toMatchObject(fails(3, "was not overwritten"));
  expect(await signalbox(["restore", to], { cwd: folder })).toMatchObject(fails(3, "was not overwritten"));
  expect(readFileSync(to)).toEqual(before);
});

test("a backup is not restored beside the journal of another log, and a name that is wrong makes no folder", async () => {
  const { folder } = await freshProject();
  const to = join(freshFolder(), "backup.db");
  await copyLog(join(folder, ".ralph/db/events.db"), to);
  const elsewhere = freshFolder();
  writeFileSync(join(elsewhere, "events.db-wal"), "of another log");
  await expect(restoreLog(to, join(elsewhere, "events.db"))).rejects.toThrow("was not overwritten");
  expect(await signalbox(["restore", `${to}x`, "new"], { cwd: elsewhere })).toMatchObject({ exitCode: 3 });
  expect(readdirSync(elsewhere)).toEqual(["events.db-wal"]);
});

test("a backup that was changed is not restored", async () => {
  const { folder, project } = await freshProject();
  for (const title of ["First", "Second"]) await project.decide(createTask({ title }));
  const to = join(freshFolder(), "backup.db");
  await copyLog(join(folder, ".ralph/db/events.db"), to);
  const bytes = readFileSync(to);
  bytes.write("Worst", bytes.indexOf("First"));
  writeFileSync(to, bytes);
  const elsewhere = freshFolder();
  const log = join(elsewhere, "events.db");
  await expect(restoreLog(to, log)).rejects.toMatchObject({ code: "damaged" });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("a project's files are readable by their owner only", async () => {
  const { folder, project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const files = readdirSync(join(folder, ".ralph/db"));
  expect(files).toContain("events.db-wal");
  for (const file of files) expect(statSync(join(folder, ".ralph/db", file)).mode & 0o077, file).toBe(0);
});

test("a project folder that is a symbolic link is refused, and one of somebody else is named", async () => {
  const { folder } = await freshProject();
  const link = freshFolder();
  symlinkSync(join(folder, ".ralph"), join(link, ".ralph"));
  for (const command of [["status"], ["task", "add", "Export"]]) {
    expect(await signalbox(command, { cwd: link })).toMatchObject(fails(3, "is a symbolic link"));
  }
  mkdirSync(join(link, "real"));
  symlinkSync(join(folder, ".ralph"), join(link, "real", ".ralph"));
  expect(await signalbox(["init", "real"], { cwd: link })).toMatchObject({ exitCode: 3 });
});

test("another user's project can be used, with a warning", { tags: "root" }, async () => {
  const { folder } = await freshProject();
  const somebody = 4_321;
  chownSync(join(folder, ".ralph"), somebody, somebody);
  expect(await signalbox(["status"], { cwd: folder })).toMatchObject(fails(0, `belongs to user ${somebody}`));
});
