import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Context, ContextError } from "../../src/mcp/context.ts";
import { ContextFile } from "../../src/mcp/context-file.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a change that is passed over or told twice, an editor that stops a server by saving. */
const LAUNCHED: Context = {
  session_id: "s-1",
  recipe: "signals",
  discipline: null,
  feature: null,
  task_id: 1,
  disabled_tools: [],
};

/** A file, and the contexts that it had take effect. */
function given(replace: (context: Context) => Promise<void> = async () => {}) {
  const path = join(freshFolder(), "context.json");
  const write = (change: Partial<Context>) => writeFileSync(path, JSON.stringify({ ...LAUNCHED, ...change }));
  write({});
  const taken: Context[] = [];
  const file = new ContextFile(path, LAUNCHED, async (context) => {
    taken.push(context);
    await replace(context);
  });
  return { path, file, write, taken };
}

test("each change is reported once, and a rewrite with equal content is none", async () => {
  const { path, file, write, taken } = given();
  await file.look();
  write({ disabled_tools: ["ask"] });
  await file.look();
  await file.look();
  writeFileSync(path, JSON.stringify({ ...LAUNCHED, disabled_tools: ["ask"] }, undefined, 2));
  await file.look();
  write({});
  await Promise.all([file.look(), file.look()]);
  expect(taken.map(({ disabled_tools }) => disabled_tools)).toEqual([["ask"], []]);
});

test("a read during a change waits for it to take effect", async () => {
  let takesEffect: () => void = () => {};
  const effect = new Promise<void>((resolve) => {
    takesEffect = resolve;
  });
  const { file, write, taken } = given(() => effect);
  write({ disabled_tools: ["ask"] });
  const first = file.look();
  await nextTurn();
  write({ disabled_tools: ["flag"] });
  let over = false;
  const second = file.look().then(() => {
    over = true;
  });
  await nextTurn();
  expect(over).toBe(false);
  takesEffect();
  await Promise.all([first, second]);
  expect(taken.map(({ disabled_tools }) => disabled_tools)).toEqual([["ask"], ["flag"]]);
});

test.each([
  ["half-written", (path: string) => writeFileSync(path, '{"session_id": ')],
  ["away", (path: string) => rmSync(path)],
])("a file that is briefly %s is read again", async (_what, spoil) => {
  const { path, file, write, taken } = given();
  spoil(path);
  const looked = file.look();
  await nextTurn();
  write({ disabled_tools: ["ask"] });
  await looked;
  expect(taken).toHaveLength(1);
});

test("after an unusable file every read fails, whatever it contains later", async () => {
  const { path, file, write, taken } = given();
  writeFileSync(path, "{}");
  await expect(file.look()).rejects.toThrow(ContextError);
  write({});
  await expect(file.look()).rejects.toThrow("`session_id` is missing");
  expect(taken).toEqual([]);
});
