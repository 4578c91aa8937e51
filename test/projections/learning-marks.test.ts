import { expect, test } from "vitest";
import { createFeature } from "../../src/operations/features.ts";
import { addLearning, splitLearning } from "../../src/operations/learnings.ts";
import { renderLearnings } from "../../src/workspace/state-files/render-learnings.ts";
import { freshProject } from "../support/project.ts";

/* Catches: what a person took apart that is put together again, where it is shown or when it is said again. */

const LOUD = "Set it to True.";
const SMALL = "Set it to true.";

async function givenJoined(...said: readonly string[]) {
  const { project } = await freshProject();
  await project.decide(createFeature({ name: "core" }));
  const positions: number[] = [];
  const add = async (text: string) => {
    const [event] = await project.decide(addLearning({ text, source: "human", feature: "core" }));
    positions.push(event?.position ?? 0);
  };
  for (const text of said) await add(text);
  return { project, positions, add };
}

test("splitting a wrong merge gives an entry of its own, and both keep their sources", async () => {
  const { project, positions, add } = await givenJoined(LOUD, SMALL, LOUD);
  const [first = 0, second = 0, third = 0] = positions;
  expect(await project.queries.learnings()).toMatchObject([{ id: first, confirmations: 3 }]);
  await project.decide(splitLearning({ source: second }));
  expect(await project.queries.learnings()).toMatchObject([
    { id: first, text: LOUD, confirmations: 2 },
    { id: second, text: SMALL, confirmations: 1, mark: "none" },
  ]);
  expect(await project.queries.sql("SELECT id, learning_id FROM learning_sources ORDER BY id")).toEqual([
    { id: first, learning_id: first },
    { id: second, learning_id: second },
    { id: third, learning_id: first },
  ]);
  await add(SMALL);
  await add("set it to TRUE");
  expect(await project.queries.learnings()).toMatchObject([
    { id: first, confirmations: 3 },
    { id: second, confirmations: 2 },
  ]);
});

test("split entries stay split wherever learnings are shown, even with equal words", async () => {
  const { project, positions, add } = await givenJoined(SMALL, SMALL, SMALL, SMALL);
  const [first = 0, second = 0, third = 0] = positions;
  await project.decide(splitLearning({ source: second }));
  await project.decide(splitLearning({ source: third }));
  const feature = await project.queries.feature("core");
  expect(
    feature?.learnings.map(({ id, confirmations }) => [id, confirmations]).sort(([a = 0], [b = 0]) => a - b),
  ).toEqual([
    [first, 2],
    [second, 1],
    [third, 1],
  ]);
  expect(renderLearnings(project.store.readModel).split(SMALL)).toHaveLength(4);
  await add(SMALL);
  expect(await project.queries.learnings()).toMatchObject([
    { id: first, confirmations: 3 },
    { id: second, confirmations: 1 },
    { id: third, confirmations: 1 },
  ]);
});

test("a part that is split once more stays apart from the first entry too", async () => {
  const { project, positions, add } = await givenJoined(LOUD, SMALL);
  const [first = 0, second = 0] = positions;
  await project.decide(splitLearning({ source: second }));
  await add(SMALL);
  const third = positions[2] ?? 0;
  await project.decide(splitLearning({ source: third }));
  await add(SMALL);
  expect(await project.queries.learnings()).toMatchObject([
    { id: first, confirmations: 1 },
    { id: second, confirmations: 2 },
    { id: third, confirmations: 1 },
  ]);
});
