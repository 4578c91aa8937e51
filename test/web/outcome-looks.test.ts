import { expect, test } from "vitest";
import { outcomeLooks } from "../../adapters/page/page/parts/outcome-looks.ts";
import { statusWords } from "../../adapters/page/page/parts/status-words.ts";
import { phaseLooks } from "../../src/queries/labels/phases.ts";

test("no outcome has the word of a task's status or of a phase, and each has its own drawing", () => {
  const looks = Object.values(outcomeLooks);
  const taken = new Set(
    [...Object.values(statusWords), ...Object.keys(phaseLooks)].map((word) => word.toLowerCase()),
  );
  expect(looks.filter(({ word }) => taken.has(word.toLowerCase()))).toEqual([]);
  expect(new Set(looks.map(({ word }) => word)).size).toBe(looks.length);
  expect(new Set(looks.map(({ drawn }) => drawn)).size).toBe(looks.length);
});
