import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { redact } from "../../../src/history/redaction/redact.ts";
import { inLine, quoteAgent } from "../../../src/loop/prompt/quote.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { SECRET } from "../../support/secrets.ts";

/*
 * Catches: a form of a text in which it is not found, a file whose length changes under the program that writes to it, words of
 * others that go too, a file that is not told of.
 */
async function givenTask(description: string) {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export", description }));
  const write = (name: string, text: string) => {
    const path = join(folder, ".ralph", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const redactTask = () =>
    redact(
      project.store,
      db,
      { position: 3, reason: "a key", fields: ["description"] },
      { actor: "human", wait_ms: 0 },
    );
  return { write, redactTask };
}

const LONG = `First comes ${SECRET}, ${"then word after word ".repeat(60)}, last ${SECRET} again.`;
const QUOTED = `It said "no" to\t${SECRET}.`;
const json = (text: string) => JSON.stringify({ text });

test.each<[string, string, (text: string) => string]>([
  ["as it was", "Use it: sk-live-7f3a9c0d", (text) => text],
  ["in a prompt, line by line", `Use this key:\n  ${SECRET}\nfor all.`, (text) => quoteAgent(text, 1_000)],
  ["in a prompt, with its middle left out", LONG, (text) => quoteAgent(text, 400)],
  ["in one line, cut", LONG, (text) => inLine(text)],
  ["with a tab and a control character made visible", `A\u0007 key\t${SECRET}`, (text) => inLine(text)],
  ["as JSON", QUOTED, json],
  ["as JSON within JSON, as the answer of a tool", QUOTED, (text) => json(json(text))],
  ["over the edge of a piece that is read at once", LONG, (text) => `${".".repeat(2 ** 20 - 700)}${text}`],
])("in a session's file a redacted text that stands there %s is written over", async (_how, text, shown) => {
  const { write, redactTask } = await givenTask(text);
  const path = write("run/s-1/output.jsonl", `before\n${shown(text)}\nafter\n`);
  const before = statSync(path);
  expect((await redactTask()).blanked).toEqual(["run/s-1/output.jsonl"]);
  const after = readFileSync(path, "utf8");
  expect(after).not.toContain(SECRET);
  expect(after).toMatch(/^before\n.*x{12}.*\nafter\n$/s);
  const { size, ino } = statSync(path);
  expect({ size, ino }).toEqual({ size: before.size, ino: before.ino });
});

test("in the output of a loop that was started without a terminal, it is written over", async () => {
  const { write, redactTask } = await givenTask(`The key is ${SECRET}`);
  const path = write("loops/d-1.log", `task 1 The key is ${SECRET}\nended\n`);
  expect(await redactTask()).toMatchObject({ blanked: ["loops/d-1.log"], left: [] });
  expect(readFileSync(path, "utf8")).not.toContain(SECRET);
});

test("a text that only starts or ends like a redacted one stays", async () => {
  const { write, redactTask } = await givenTask(`Use this key for all: ${SECRET}`);
  const path = write("run/s-1/prompt.md", "> Use this key for now.\n> It is not live.\n");
  expect((await redactTask()).blanked).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe("> Use this key for now.\n> It is not live.\n");
});

test("other files are not overwritten, only named if they contain the text; worktrees are not searched", async () => {
  const { write, redactTask } = await givenTask(`The key is ${SECRET}`);
  const note = write("notes/key.md", `The key is ${SECRET}\n`);
  const work = write("worktrees/task-1/key.md", `The key is ${SECRET}\n`);
  expect(await redactTask()).toMatchObject({ blanked: [], left: ["notes/key.md"] });
  for (const path of [note, work]) expect(readFileSync(path, "utf8")).toBe(`The key is ${SECRET}\n`);
});
