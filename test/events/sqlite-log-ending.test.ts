import { expect, test } from "vitest";
import { codeOf, comment, comments } from "./given.ts";
import { givenLogFile, openElsewhere, openForTest } from "./log-file.ts";

/* Catches: a use of a closed log that does not say so, a log of a newer program that is read on or written to. */
test("a log that was closed says to open it again", async () => {
  const log = openForTest(givenLogFile());
  await log.close();
  const closed = { name: "LogError", code: "closed", message: "This log is closed; open it again." };
  await expect(log.head()).rejects.toMatchObject(closed);
  await expect(log.append([])).rejects.toMatchObject(closed);
});

test("after a newer program raises the format, a log is neither read nor written, but still tells its head", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  await log.append(comments(2));
  openElsewhere(path).pragma("user_version = 99");
  expect(await codeOf(log.read(0, 9))).toBe("newer_schema");
  expect(await log.head()).toBe(2);
  expect(await codeOf(log.append([comment("behind it")]))).toBe("newer_schema");
});
