import { describe, expect, test } from "vitest";
import { taskStatuses } from "../../../src/events/types/fields.ts";
import { expectNothingFrom, given, timeOf } from "./given.ts";
import {
  approved,
  byAgent,
  changed,
  created,
  enriched,
  inSession,
  set,
  suggest,
  suggestionReopened,
} from "./history.ts";

const proposed = [created(1), ...inSession(suggest("Cache"))];

describe("a task that is enriched", () => {
  test("has pseudocode, and other criteria and files where they are given", async () => {
    const board = await given(created(1, { criteria: ["Fast."], context_files: ["a.ts"] }), enriched(1));
    expect(board.tasks.get(1)).toMatchObject({
      pseudocode: "for each order: write a line",
      criteria: '["Fast."]',
      context_files: '["a.ts"]',
      updated: timeOf(2),
    });
    await board.add(enriched(1, { pseudocode: "sort", criteria: [], context_files: ["b.ts"] }));
    expect(board.tasks.get(1)).toMatchObject({
      pseudocode: "sort",
      criteria: "[]",
      context_files: '["b.ts"]',
    });
  });

  test.each(taskStatuses)("as %s is pending then if it was a draft, else what it was", async (status) => {
    const board = await given(created(1, { status }), enriched(1));
    expect(board.tasks.get(1)?.status).toBe(status === "draft" ? "pending" : status);
    expect(board.changesOf(1).slice(1)).toEqual(status === "draft" ? ["draft → pending, enriched, [2]"] : []);
  });

  test.each([
    ["an agent", byAgent(enriched(2))],
    ["a human", enriched(2)],
  ])("by %s, as a proposal that nobody decided on, stays one", async (_who, enrichment) => {
    const board = await given(...proposed, enrichment);
    expect(board.tasks.get(2)).toMatchObject({ status: "draft", pseudocode: "for each order: write a line" });
    expect(board.suggestions.get(3)).toMatchObject({ state: "proposed", acted_at: null });
    await board.add(approved(3));
    expect(board.tasks.get(2)?.status).toBe("pending");
  });

  test("as a proposal that a human decided on and made a draft again is pending", async () => {
    const board = await given(...proposed, approved(3), set(2, "draft"), enriched(2));
    expect(board.tasks.get(2)?.status).toBe("pending");
  });

  test("as a proposal whose approval was taken back stays a draft", async () => {
    const board = await given(...proposed, approved(3), suggestionReopened(3), enriched(2));
    expect(board.tasks.get(2)?.status).toBe("draft");
  });

  test("is not there: nothing happens", async () => {
    await expectNothingFrom([created(1)], enriched(9));
  });
});

describe("a task holds words of an agent", () => {
  test.each([
    ["that an agent created", [byAgent(created(1))]],
    ["that an agent enriched", [created(1), byAgent(enriched(1))]],
    ["whose title an agent changed", [created(1), byAgent(changed(1, { title: "Other" }))]],
    ["whose description an agent changed", [created(1), byAgent(changed(1, { description: "Other." }))]],
    ["whose criteria an agent changed", [created(1), byAgent(changed(1, { criteria: ["Fast."] }))]],
    ["whose files an agent changed", [created(1), byAgent(changed(1, { context_files: ["a.ts"] }))]],
    ["whose tags an agent changed", [created(1), byAgent(changed(1, { tags: ["x"] }))]],
    ["whose artifacts an agent changed", [created(1), byAgent(changed(1, { output_artifacts: ["b.ts"] }))]],
    ["whose hints an agent changed", [created(1), byAgent(changed(1, { hints: "Look." }))]],
  ])("%s", async (_which, history) => {
    const board = await given(...history);
    expect(board.tasks.get(1)?.agent_words).toBe(1);
    await board.add(changed(1, { title: "Mine" }));
    expect(board.tasks.get(1)?.agent_words).toBe(1);
  });

  test("not where a human wrote them, and an agent changed what a prompt does not quote", async () => {
    const board = await given(created(1), created(2), enriched(1), changed(1, { hints: "Look." }));
    await board.add(byAgent(changed(1, { priority: "low", depends_on: [2], estimated_turns: 3 })));
    expect(board.tasks.get(1)?.agent_words).toBe(0);
  });
});
