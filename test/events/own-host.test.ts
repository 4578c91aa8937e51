import {
  cpSync,
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
import { findOwnHost, ownHost } from "../../src/events/own-host.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { useChild } from "../children.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: two hosts of one id, which would judge each other's drivers; one host of two ids, which could not judge its own. */
const askHosts = useChild("test/events/children/own-host.ts");

const HOSTS = 40;

function givenFolder(folder = freshFolder()): { folder: string; db: string; file: string } {
  mkdirSync(join(folder, ".ralph/db"), { recursive: true });
  return { folder, db: join(folder, ".ralph/db/ralph.db"), file: join(folder, ".ralph/host.json") };
}

test("a host keeps its id, which only its owner can read", () => {
  const { db, file, folder } = givenFolder();
  expect(findOwnHost(db)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  const { host, name } = ownHost(db);
  expect(name).not.toBe("");
  expect(ownHost(db).host).toBe(host);
  expect(findOwnHost(db)?.host).toBe(host);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, ".ralph")).sort()).toEqual(["db", "host.json"]);
});

test("two processes that ask at once agree", async () => {
  const folders = Array.from({ length: HOSTS }, () => givenFolder());
  const children = [1, 2].map(() => askHosts(...folders.map(({ db }) => db)));
  for (const child of children) await child.says();
  for (const child of children) child.tell("go");
  const [first = [], second] = await Promise.all(children.map((child) => child.finish()));
  expect(new Set(first).size).toBe(HOSTS);
  expect(second).toEqual(first);
  expect(folders.map(({ db }) => ownHost(db).host)).toEqual(first);
});

test("a copied folder is another host, beside the first and on another machine; and the first is what it was", () => {
  const first = givenFolder();
  const { host } = ownHost(first.db);
  const copy = givenFolder();
  cpSync(first.file, copy.file);
  const elsewhere = (machine: readonly string[]) => ownHost(first.db, machine).host;
  const hosts = [host, ownHost(copy.db).host, elsewhere(["id-2", "build"]), elsewhere(["id-2", "worker"])];
  expect(new Set(hosts).size).toBe(4);
  expect(ownHost(first.db).host).toBe(host);
});

test("a folder that is reached by another path is the same host", () => {
  const { folder, db } = givenFolder();
  const link = join(freshFolder(), "link");
  symlinkSync(folder, link);
  expect(ownHost(join(link, ".ralph/db/ralph.db"))).toEqual(ownHost(db));
});

test("a damaged file is named, with what to do, and stays", () => {
  const { db, file } = givenFolder();
  writeFileSync(file, '{"id":');
  expect(() => ownHost(db)).toThrow(LogError);
  expect(() => findOwnHost(db)).toThrow(/host\.json is damaged\. Remove it/);
  expect(readFileSync(file, "utf8")).toBe('{"id":');
});
