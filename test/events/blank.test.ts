import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { checkRecords } from "../../src/events/restore.ts";
import { prepareReader } from "../../src/events/sqlite-records.ts";
import { signals } from "../../src/events/types/signals.ts";
import { isBlank } from "../../src/lib/blank.ts";
import { inOurWords } from "../../src/lib/wrong-values.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createFeature } from "../../src/operations/features.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { verifyLog } from "../support/audited-files.ts";
import { freshProject } from "../support/project.ts";
import { insertForeign } from "./foreign-records.ts";

const BLANK = [
  "",
  " \n\t",
  "\u200b",
  "\u200c\u200d",
  "\ufeff\u00ad",
  "\u2060 \u202e",
  "\u3164",
  "\u0000",
  "\u2800",
  "\u{e0061}",
];

/** Fields of which only some values are legal. */
const CHOICES = ["kind", "scope", "severity", "category"];

test.each(BLANK)("a text that shows nothing is blank: %j", (text) => {
  expect(isBlank(text)).toBe(true);
});

test.each(["a", " . ", "😀", "\u200b.", "e\u0301", "名", "\u0628\u200c"])(
  "a text that shows something is not blank: %j",
  (text) => {
    expect(isBlank(text)).toBe(false);
  },
);

test.each(
  signals.flatMap(({ verb, arguments: { shape }, example }) =>
    Object.keys(shape).flatMap((field) => {
      const isText = typeof Reflect.get(example, field) === "string" && !CHOICES.includes(field);
      return isText ? [[verb, field] as const] : [];
    }),
  ),
)("%s with a %s without width is refused as blank", (verb, field) => {
  const signal = signals.find((one) => one.verb === verb);
  const given = { ...signal?.example, [field]: "\u200b\u2060" };
  const { session: _, task: __, ...args } = given as Record<string, unknown>;
  const messages = signal?.arguments.safeParse(args, inOurWords).error?.issues.map(({ message }) => message);
  expect(messages).toContain("is blank");
});

test.each([
  ["title", createTask({ title: "\u200b" })],
  ["feature", createFeature({ name: "\u200b", display_name: "x" })],
  ["body", addComment({ task: 1, author: "me", body: "\u2060" })],
])("a decision with a %s without width is refused as blank", async (field, decision) => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await expect(project.decide(decision)).rejects.toThrow(`\`${field}\` is blank`);
});

test("a log with such a text from an older program is valid, and can be restored", async () => {
  const { path, record } = await logWithBody("\u200b");
  expect((await verifyLog(path)).damage).toBeUndefined();
  expect(() => checkRecords([record])).not.toThrow();
});

test("a log with a text of blanks was written by no program of ours", async () => {
  const { path, record } = await logWithBody(" ");
  expect((await verifyLog(path)).damage?.what).toContain("`body` is blank");
  expect(() => checkRecords([record])).toThrow("`body` is blank");
});

async function logWithBody(body: string) {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.close();
  const path = join(folder, ".ralph/db/events.db");
  const payload = JSON.stringify({ task: 1, author: "me", body });
  insertForeign(path, { type: "comment.added", schemaVersion: 2, stream: "task-1", payload });
  const database = new Database(path, { readonly: true });
  const reader = prepareReader(database);
  const [record] = reader.page(reader.head() - 1, 1);
  database.close();
  if (!record) throw new Error("the log is empty");
  return { path, record };
}
