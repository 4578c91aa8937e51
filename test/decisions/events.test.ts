import { expect, test } from "vitest";
import { stateOf } from "../../src/decisions/state.ts";
import { catalogueCases } from "./catalogue-cases.ts";
import { gateCases } from "./gate-cases.ts";
import { givenProject } from "./given.ts";
import { noteCases } from "./note-cases.ts";
import { runCases } from "./run-cases.ts";
import { workCases } from "./work-cases.ts";

const cases = [...catalogueCases, ...workCases, ...runCases, ...noteCases, ...gateCases];

test.each(cases)("$what plans exactly its event", async ({ before = [], asked, event }) => {
  const { store, does } = await givenProject();
  await does(...before);
  const state = stateOf(store.readModel);
  expect(asked.plan(state)).toStrictEqual([event]);
  expect([asked.type, ...(asked.or ?? [])]).toContain(event.type);
});

test.each(cases)("$what is in the log as planned", async ({ before = [], asked, event }) => {
  const { store, does, decides } = await givenProject();
  await does(...before);
  const head = await store.log.head();
  const decided = await decides(asked);
  expect(decided).toEqual(await store.log.read(head, 10));
  expect(decided).toEqual([expect.objectContaining({ ...event, actor: "human", position: head + 1 })]);
  expect(decided[0]?.causation).toBeUndefined();
  expect(decided[0]?.correlation).toBe(event.correlation);
});
