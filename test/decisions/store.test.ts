// @module-tag linux
import { existsSync, mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { environmentAt, NOON, temporaryFolder } from "../events/given.ts";

/** The folder of a project that has an empty log. */
function givenFolder() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "ralph.db");
  createLogFile(join(folder.path, "events.db"));
  return { folder: folder.path, path, open: () => openStore(path, environmentAt({ now: NOON }, "store")) };
}

/** The files of a folder that this process holds open, where the system tells. */
function openFilesOf(folder: string): string[] {
  const handles = "/proc/self/fd";
  if (!existsSync(handles)) return [];
  return readdirSync(handles).flatMap((handle) => {
    try {
      const file = readlinkSync(join(handles, handle));
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return []; // It was that of the listing itself.
    }
  });
}

test("the log is beside the read model", () => {
  expect(logPathBeside(join("some", "db", "ralph.db"))).toBe(join("some", "db", "events.db"));
});

test("a store opens the log and makes the read model's file, and closing it lets go of both", async () => {
  const { folder, path, open } = givenFolder();
  const store = await open();
  expect(await store.log.head()).toBe(0);
  expect(store.environment.now()).toBe(NOON);
  expect(store.readModel.position()).toBe(0);
  expect(existsSync(path)).toBe(true);
  await closeStore(store);
  await expect(store.log.head()).rejects.toMatchObject({ name: "LogError", code: "closed" });
  expect(() => store.readModel.position()).toThrow();
  expect(openFilesOf(folder)).toEqual([]);
});

test("without a log no store is opened or created", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const open = () => openStore(join(folder.path, "ralph.db"), environmentAt({ now: NOON }, "store"));
  await expect(open()).rejects.toMatchObject({ name: "LogError", code: "disk" });
  expect(readdirSync(folder.path)).toEqual([]);
});

test("where the read model's file cannot be opened, one in memory serves", async () => {
  const { path, open } = givenFolder();
  mkdirSync(path);
  const store = await open();
  onTestFinished(() => closeStore(store));
  expect(store.readModel.database.memory).toBe(true);
  expect(store.readModel.position()).toBe(0);
});

test("a newer program's read model is refused, and the log let go of", async () => {
  const { folder, path, open } = givenFolder();
  await closeStore(await open());
  const database = new Database(path);
  database.pragma("user_version = 1000000");
  database.close();
  await expect(open()).rejects.toMatchObject({ name: "ReadModelError", code: "newer_version" });
  expect(openFilesOf(folder)).toEqual([]);
});
