import { expect, test } from "vitest";
import { inputOf, textsOf } from "../../adapters/page/page/parts/task-form/texts.ts";

const fields = {
  ...{ title: "Export", description: "", feature: "general", discipline: "general" },
  ...({ priority: "medium", accept: "auto", gates: [], hints: null } as const),
};

test("a task's lists are texts with an entry on each line, and come back as they were", () => {
  const lists = { criteria: ["One\nof two lines", "Two"], tags: ["a, b", "c"], depends_on: [3, 5] };
  const texts = textsOf({ ...fields, ...lists });
  expect(texts.criteria).toBe("One\n  of two lines\nTwo");
  expect(inputOf(texts)).toMatchObject(lists);
});

test("only what was changed is sent, and an emptied list is empty", () => {
  expect(inputOf({ title: "Import" })).toEqual({ title: "Import" });
  expect(inputOf({ criteria: "", depends_on: "", gates: "\n npm test\n" })).toEqual({
    ...{ criteria: [], depends_on: [], gates: ["npm test"] },
  });
});
