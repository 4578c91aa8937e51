import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  KEPT,
  LINES,
  type Loaded,
  NOTHING,
  type Sight,
  type Step,
  wishFor,
  withPage,
} from "../../adapters/page/page/views/sessions/output/loaded.ts";
import { readOutput } from "../../src/loop/output/output-file.ts";
import { runFolderOf } from "../../src/loop/run-folder.ts";
import { freshFolder } from "../support/project.ts";

/** An output that a reader looks at while it is printed, `LINES` lines at each step. */
function givenReader() {
  const readModelPath = join(freshFolder(), ".ralph", "db", "ralph.db");
  const { path, outputFile } = runFolderOf(readModelPath, "s-1");
  mkdirSync(path, { recursive: true });
  let printed = 0;
  let loaded: Loaded = NOTHING;
  const read = async (step: Step, sight: Sight) => {
    const wish = wishFor(loaded, step, sight);
    if (!wish) return false;
    const page = await readOutput({ readModelPath, session: "s-1", isOver: false, secrets: [] }, wish);
    if (!page) throw new Error("There is no output.");
    loaded = withPage(loaded, { page, missing: null }, wish, sight);
    return true;
  };
  return {
    read,
    loaded: () => loaded,
    /** The loaded lines, in one word: they must have no gap. */
    span() {
      const numbers = loaded.entries.map(({ text }) => Number(text.slice("line ".length)));
      const [first = 0] = numbers;
      expect(numbers).toEqual(numbers.map((_, nth) => first + nth));
      return [first, numbers.at(-1)];
    },
    print() {
      const lines = Array.from({ length: LINES }, (_, nth) => `line ${printed + nth + 1}\n`);
      printed += LINES;
      appendFileSync(outputFile, lines.join(""));
      return printed;
    },
    async times(count: number, step: Step, sight: Sight) {
      for (let nth = 0; nth < count; nth += 1) await read(step, sight);
    },
  };
}

const PAGES = KEPT / LINES;

test("a reader who stands above the end of a growing output keeps a bounded part of it in memory", async () => {
  const { read, print, loaded, span } = givenReader();
  print();
  await read("last", "end");
  for (let nth = 0; nth < 3 * PAGES; nth += 1) {
    print();
    await read("tail", "before the end");
    expect(loaded().entries.length).toBeLessThan(KEPT + LINES);
  }
  expect(span()).toEqual([1, KEPT]);
  expect(loaded().isEnd).toBe(false);
});

test("a reader who follows the end, or reads back and forth, has every line once and a bounded part of them", async () => {
  const { read, print, loaded, span, times } = givenReader();
  print();
  await read("last", "end");
  for (let nth = 0; nth < 3 * PAGES; nth += 1) {
    print();
    await read("tail", "end");
    expect(loaded().entries.length).toBeLessThanOrEqual(KEPT);
  }
  const end = print();
  await read("tail", "end");
  expect(span()).toEqual([end - KEPT + 1, end]);
  // Following, the rows of a whole screen may be one text in pieces: nothing older is asked for.
  expect(await read("older", "end")).toBe(false);
  await times(2 * PAGES, "older", "before the end");
  expect(span()).toEqual([end - 3 * KEPT + 1, end - 2 * KEPT]);
  expect(await read("tail", "before the end")).toBe(false);
  await times(PAGES, "newer", "end");
  expect(span()).toEqual([end - 2 * KEPT + 1, end - KEPT]);
  await read("last", "end");
  expect(span()).toEqual([end - LINES + 1, end]);
  expect(loaded().isEnd).toBe(true);
});
