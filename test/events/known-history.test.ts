import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { comment, comments, id } from "./given.ts";
import { givenLogFile, openForTest } from "./log-file.ts";

/*
 * Another log that is written over the file of an open one, as `sqlite3 events.db ".restore other.db"` does: the same file, so no
 * name tells. Catches: a follower that goes over from one history to another, an append behind events that nobody has seen.
 */

test.each([
  ["a longer history", 9],
  ["a shorter history", 2],
])("every handle on a log that %s was written over says so, and records nothing", async (_, length) => {
  const path = givenLogFile();
  const [follower, reader, writer] = [openForTest(path), openForTest(path), openForTest(path)];
  await writer.append(comments(5));
  await reader.read(0, 10);
  const failed = new Promise((_resolve, reject) => follower.follow(0).subscribe({ error: reject }));
  await expect.poll(() => follower.head()).toBe(5);
  await writeOver(path, await otherLog(length));
  const told = { code: "history_changed", message: expect.stringContaining("position 5") };
  await expect(failed).rejects.toMatchObject(told);
  await expect(reader.read(5, 10)).rejects.toMatchObject(told);
  await expect(writer.append([comment("behind another history")])).rejects.toMatchObject(told);
  await expect(openForTest(path).head()).resolves.toBe(length);
});

test("a handle that has read nothing goes on with whatever is there", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  await writeOver(path, await otherLog(3));
  await expect(log.append([{ ...comment("fourth"), id: id(99) }])).resolves.toMatchObject({
    events: [{ position: 4 }],
  });
});

async function otherLog(length: number): Promise<string> {
  const path = givenLogFile();
  const log = openForTest(path);
  await log.append(comments(length, "other"));
  await log.close();
  return path;
}

/** Page by page, as SQLite's own backup does. */
async function writeOver(path: string, other: string): Promise<void> {
  const database = new Database(other, { readonly: true });
  await database.backup(path);
  database.close();
}
