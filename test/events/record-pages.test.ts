import { expect, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { copyRecords } from "../../src/events/record-pages.ts";
import { comments, numbers, positionsOf } from "./given.ts";
import { givenLogFile, openForTest } from "./log-file.ts";

/* Catches: a copy that fails, or keeps a removed text, because somebody redacts while it is made. */

test("what is redacted while a log is copied is copied with its redaction, and has no text in the copy", async () => {
  const [from, to] = [openForTest(givenLogFile()), openForTest(givenLogFile())];
  await from.append(comments(5));
  const copied = await copyRecords(
    {
      // Two events go after the copy has asked where the log ends.
      head: async () => {
        const head = await from.head();
        for (const position of [2, 4]) await from.append([await redactionOf(from, position)]);
        return head;
      },
      records: (after, limit) => from.records(after, limit),
    },
    to,
  );
  expect(copied).toBe(7);
  expect(positionsOf(await to.read(0, 10))).toEqual(numbers(7));
  expect(await to.records(0, 10)).toEqual(await from.records(0, 10));
});
