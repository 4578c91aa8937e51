import { expect, test } from "vitest";
import { addLearning, splitLearning } from "../../src/decisions/learnings.ts";
import { freshProject } from "../support/project.ts";

const MIGRATE = "The test database must be migrated before the suite is run.";
const NEARLY = "The test database must be migrated before the whole suite is run.";

test("what was joined wrongly is an entry of its own, and both keep their sources", async () => {
  const { project } = await freshProject();
  const positions: number[] = [];
  for (const text of [MIGRATE, NEARLY, MIGRATE]) {
    const [event] = await project.decide(addLearning({ text, source: "human" }));
    positions.push(event?.position ?? 0);
  }
  const [first = 0, second = 0, third = 0] = positions;
  expect(await project.queries.learnings()).toMatchObject([{ id: first, confirmations: 3 }]);
  await project.decide(splitLearning({ source: second }));
  expect(await project.queries.learnings()).toMatchObject([
    { id: first, text: MIGRATE, confirmations: 2 },
    { id: second, text: NEARLY, confirmations: 1, mark: "none" },
  ]);
  expect(await project.queries.sql("SELECT id, learning_id FROM learning_sources ORDER BY id")).toEqual([
    { id: first, learning_id: first },
    { id: second, learning_id: second },
    { id: third, learning_id: first },
  ]);
  await project.decide(addLearning({ text: NEARLY, source: "human" }));
  expect(await project.queries.learnings({ search: "whole" })).toMatchObject([
    { id: second, confirmations: 2 },
  ]);
});
