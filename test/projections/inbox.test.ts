import { expect, test } from "vitest";
import { enrichTask } from "../../src/decisions/enrich-task.ts";
import { createTask, changeTask as setTask } from "../../src/decisions/tasks.ts";
import { listInbox } from "../../src/projections/queries/inbox.ts";
import { type Asked, DRAFT, givenProject, PROPOSAL, QUESTION } from "../decisions/given.ts";

/* Catches: words shown to a human that are not those which an approval puts to work. */

async function shown(...before: readonly Asked[]) {
  const { store, does } = await givenProject();
  await does(...before);
  return listInbox(store.readModel).find(({ id }) => id === PROPOSAL);
}

const asProposed = { text: "Export as XML", detail: "It was asked for." };

test("a proposal has the title and the description of its draft, and no mark while it is as it was proposed", async () => {
  expect(await shown()).toMatchObject({ other_task: DRAFT, ...asProposed, changed: [] });
  expect(await shown(createTask({ title: "Three" }), setTask({ task: 2, title: "Zwei" }))).toMatchObject({
    ...asProposed,
    changed: [],
  });
});

test("a proposal whose draft was changed shows its present words, and which fields they are", async () => {
  expect(await shown(setTask({ task: DRAFT, title: "Export as YAML", description: "" }))).toMatchObject({
    text: "Export as YAML",
    detail: null,
    changed: ["title", "description"],
  });
});

test("a proposal that was put back as it was proposed has no mark", async () => {
  const { text: title, detail: description } = asProposed;
  const item = await shown(
    setTask({ task: DRAFT, title: "Export as YAML", description: "" }),
    setTask({ task: DRAFT, title, description }),
  );
  expect(item).toMatchObject({ ...asProposed, changed: [] });
});

test("what was filled into a proposal is marked", async () => {
  const fill = enrichTask({ task: DRAFT, pseudocode: "for each order", context_files: ["src/xml.ts"] });
  expect(await shown(fill)).toMatchObject({ ...asProposed, changed: ["context_files", "pseudocode"] });
  const plan = { criteria: ["Valid."], tags: ["xml"], output_artifacts: ["out.xml"], hints: "See XSD." };
  expect(await shown(setTask({ task: DRAFT, ...plan }))).toMatchObject({ changed: Object.keys(plan) });
});

test("nothing else is marked", async () => {
  const { store } = await givenProject();
  expect(listInbox(store.readModel).find(({ id }) => id === QUESTION)).toMatchObject({ changed: [] });
});
