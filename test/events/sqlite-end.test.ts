import { expect, test } from "vitest";
import { endFile } from "../../src/events/sqlite-end.ts";
import { comment, comments } from "./given.ts";
import { givenLogFile, openForTest } from "./log-file.ts";

/* Catches: two logs that take appends, an event that is recorded while the rest is carried over, a handle that shows the past as the present. */

const told = { code: "moved_to", message: expect.stringContaining("postgres://db/shop") };

test("every handle on a log that went elsewhere says where, and records nothing", async () => {
  const path = givenLogFile();
  const [follower, reader, writer] = [openForTest(path), openForTest(path), openForTest(path)];
  await writer.append(comments(3));
  await reader.read(0, 10);
  const failed = new Promise((_resolve, reject) => follower.follow(0).subscribe({ error: reject }));
  await endFile(path, "postgres://db/shop", async () => {});
  await expect(reader.head()).rejects.toMatchObject(told);
  await expect(reader.read(0, 10)).rejects.toMatchObject(told);
  await expect(writer.append([comment("too late")])).rejects.toMatchObject(told);
  await expect(failed).rejects.toMatchObject(told);
  expect(() => openForTest(path)).toThrow(expect.objectContaining(told));
});

test("while the rest is carried over nobody appends, and all that came before is there", async () => {
  const path = givenLogFile();
  const [writer, reader] = [openForTest(path), openForTest(path)];
  await writer.append(comments(3));
  let late: Promise<unknown> = Promise.resolve();
  await endFile(path, "postgres://db/shop", async () => {
    late = writer.append([comment("meanwhile")]);
    late.catch(() => {});
    await new Promise(setImmediate);
    expect(await reader.head()).toBe(3);
  });
  await expect(late).rejects.toMatchObject(told);
});

test("a log whose rest cannot be carried over goes on where it is", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  const refusal = new Error("The other place is full.");
  await expect(endFile(path, "postgres://db/shop", () => Promise.reject(refusal))).rejects.toBe(refusal);
  await expect(log.append(comments(1))).resolves.toMatchObject({ events: [{ position: 1 }] });
});
