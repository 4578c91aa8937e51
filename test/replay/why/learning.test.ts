import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { whyLearning } from "../../../src/history/why/learning.ts";
import { whyPrompt } from "../../../src/history/why/prompt.ts";
import * as h from "../../projections/board/history.ts";
import { given } from "./given.ts";

const learned: Draft = {
  type: "signal.learned",
  payload: { session: "s-1", task: 1, text: "Rows come in chunks.", kind: "discovery", scope: "feature" },
  actor: "agent",
};

test("a learning is found by any of its reports, and lists all of them", async () => {
  const { readModel, log } = await given(h.created(1), h.started(), learned, h.ask(), learned);
  for (const position of [3, 5]) {
    const reasons = await whyLearning(readModel, log, position);
    expect(reasons).toMatchObject({ id: 3, said: [3, 5] });
    expect(reasons?.events.map((event) => event.position)).toEqual([3, 5]);
  }
  expect(await whyLearning(readModel, log, 4)).toBeUndefined();
});

test("human decisions about a learning are listed newest first, up to the requested point", async () => {
  const marked = (mark: "pinned" | "retired" | "none"): Draft => ({
    type: "learning.marked",
    payload: { learning: 3, mark },
    actor: "human",
  });
  const split: Draft = { type: "learning.split", payload: { learning: 3, source: 4 }, actor: "human" };
  const drafts = [h.created(1), h.started(), learned, learned, marked("pinned"), split, marked("retired")];
  const { readModel, log } = await given(...drafts);
  const reasons = await whyLearning(readModel, log, 3);
  expect(reasons).toMatchObject({ mark: "retired", acts: [7, 6, 5], said: [3] });
  expect(reasons?.events.map((event) => event.position)).toEqual([3, 5, 6, 7]);
  const before = await given(...drafts.slice(0, 5));
  expect(await whyLearning(before.readModel, log, 4)).toMatchObject({
    mark: "pinned",
    acts: [5],
    said: [3, 4],
  });
});

test("a line of a prompt names no event that did not go into the prompt", async () => {
  const built: Draft = {
    type: "prompt.built",
    payload: {
      session: "s-1",
      task: 1,
      positions: [1, 3],
      characters: 9,
      tokens: 3,
      cut: 0,
      sha256: "0".repeat(64),
    },
    actor: "driver",
  };
  const { readModel, log } = await given(h.created(1), h.started(), learned, built);
  expect(await whyPrompt(readModel, log, "s-1")).toMatchObject({ line: null, from: [1, 3] });
  const line = await whyPrompt(readModel, log, "s-1", { line: "Rows", madeOf: [2, 3] });
  expect(line).toMatchObject({ line: "Rows", from: [3] });
});
