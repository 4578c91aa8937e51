import { describe, expect, test } from "vitest";
import { line } from "../../../src/events/types/fields.ts";
import { expectNothingFrom, given, timeOf } from "./given.ts";
import {
  approved,
  created,
  done,
  ended,
  feature,
  inSession,
  partial,
  rejected,
  set,
  started,
  suggest,
  suggestionReopened,
} from "./history.ts";

const proposed = [created(1), ...inSession(suggest("Cache"), partial())];

describe("a suggestion of a new task becomes a draft", () => {
  test("with a row of its own, and knows it", async () => {
    const board = await given(
      created(1, { priority: "critical", accept: "human" }),
      started(),
      suggest("Cache"),
    );
    expect(board.suggestions.get(3)).toEqual({
      id: 3,
      task_id: 1,
      session_id: "s-1",
      what: "Cache",
      kind: "new_task",
      why: "Needed.",
      feature: null,
      unknown_feature: 0,
      late: 0,
      state: "stored",
      proposed_task: null,
      plan: null,
      digest: null,
      confirmed: 0,
      acted_at: null,
      acted_in: null,
      created: timeOf(3),
    });
    await board.add(ended());
    expect(board.suggestions.get(3)).toMatchObject({
      state: "proposed",
      proposed_task: 2,
      unknown_feature: 0,
    });
    expect(board.tasks.get(2)).toMatchObject({
      title: "Cache",
      title_folded: "cache",
      description: "Needed.",
      status: "draft",
      priority: "medium",
      priority_rank: 2,
      feature: "reports",
      discipline: "backend",
      origin: "agent",
      accept: "auto",
      criteria: "[]",
      context_files: "[]",
      suggestion: 3,
      created: timeOf(4),
      updated: timeOf(4),
      completed_at: null,
    });
    expect(board.changesOf(2)).toEqual(["null → draft, settlement 9, [3,4]"]);
    expect(board.statusChanges.where({ task_id: 2 })).toMatchObject([{ session_id: "s-1" }]);
  });

  test("whose title is one that can be set: of a longer line the beginning, and all of it in the description", async () => {
    const long = `${"x".repeat(498)}😀😀${"y".repeat(1_500)}`;
    const board = await given(created(1), ...inSession(suggest(`\n${long}\nMore.`), partial()));
    const { title = "", description } = board.tasks.get(2) ?? {};
    expect(title).toBe(`${"x".repeat(498)}…`);
    expect(line.safeParse(title).success).toBe(true);
    expect(description).toBe(`${long}\nMore.\n\nNeeded.`);
    await board.add(created(3, { title }));
    expect(board.tasks.get(3)?.title).toBe(title);
  });

  test("whose title is its first line that shows something", async () => {
    const board = await given(created(1), ...inSession(suggest("\u200b\nCache"), partial()));
    expect(board.tasks.get(2)).toMatchObject({ title: "Cache", description: "\u200b\n\nNeeded." });
  });

  test("after a done too", async () => {
    const board = await given(created(1), ...inSession(suggest("Cache"), done()));
    expect(board.tasks.get(2)?.status).toBe("draft");
  });

  test("with ids in log order", async () => {
    const board = await given(created(1), ...inSession(suggest("Cache"), suggest("Log"), suggest("Sort")));
    const drafts = board.suggestions.scan().map(({ id, proposed_task }) => [id, proposed_task]);
    expect(drafts).toEqual([
      [3, 2],
      [4, 3],
      [5, 4],
    ]);
  });

  test.each([
    ["one line", "Cache", "Cache", "Needed."],
    ["blanks around the title", "  Cache\t", "Cache", "Needed."],
    ["more lines", "Cache\nIn memory.\nFor a day.", "Cache", "In memory.\nFor a day.\n\nNeeded."],
    ["blank lines first", "\n \nCache\nIn memory.", "Cache", "In memory.\n\nNeeded."],
    ["a blank line after the title", "Cache\n\nIn memory.", "Cache", "In memory.\n\nNeeded."],
    ["blanks in blank lines", "Cache\n \t\n \nIn memory.", "Cache", "In memory.\n\nNeeded."],
    [
      "blank lines inside",
      "Cache\nIn memory.\n\nFor  a day.",
      "Cache",
      "In memory.\n\nFor  a day.\n\nNeeded.",
    ],
    ["an indent", "Cache\n  - in memory", "Cache", "  - in memory\n\nNeeded."],
    ["blanks at the end", "Cache\nIn memory. \n \n", "Cache", "In memory.\n\nNeeded."],
    ["only blank lines around", "\n\nCache\n\n", "Cache", "Needed."],
    [
      "lines of other systems",
      "Cache\r\nIn memory.\rFor a day.",
      "Cache",
      "In memory.\nFor a day.\n\nNeeded.",
    ],
  ])("whose title and description come from %s", async (_case, what, title, description) => {
    const board = await given(created(1), ...inSession(suggest(what)));
    expect(board.tasks.get(2)).toMatchObject({ title, description });
  });

  test.each([
    ["of the suggesting task where none is named", undefined, "reports", 0],
    ["that is named", "core", "core", 0],
    ["of the suggesting task where the named one is unknown", "Core", "reports", 1],
  ])("of the feature %s", async (_case, named, expected, unknown_feature) => {
    const fields = named === undefined ? {} : { feature: named };
    const board = await given(feature("core"), created(1), ...inSession(suggest("Cache", fields)));
    expect(board.tasks.get(2)?.feature).toBe(expected);
    expect(board.suggestions.get(4)).toMatchObject({ feature: named ?? null, unknown_feature });
  });
});

describe("a human", () => {
  test.each([
    ["approves", approved(3), "approved", "pending"],
    ["rejects", rejected(3), "rejected", "skipped"],
  ] as const)("who %s a draft moves it", async (_act, act, state, status) => {
    const board = await given(...proposed, act);
    expect(board.suggestions.get(3)).toMatchObject({ state, acted_at: 6, proposed_task: 2 });
    expect(board.changesOf(2)).toEqual([
      "null → draft, settlement 9, [3,5]",
      `draft → ${status}, humans: ${state}, [6]`,
    ]);
  });

  test.each([approved(3), rejected(3), set(2, "pending"), set(2, "skipped")])(
    "who takes the decision %# back has a draft again",
    async (act) => {
      const board = await given(...proposed);
      const before = board.suggestions.get(3);
      await board.add(act, suggestionReopened(3));
      expect(board.suggestions.get(3)).toEqual(before);
      expect(board.tasks.get(2)?.status).toBe("draft");
      expect(board.changesOf(2).at(-1)).toMatch(/→ draft, humans: undo, \[3,7\]$/);
    },
  );

  test("decides once, unless the decision is taken back", async () => {
    await expectNothingFrom([...proposed, approved(3)], approved(3), rejected(3));
    await expectNothingFrom([...proposed, rejected(3), set(2, "draft")], approved(3), rejected(3));
    const board = await given(...proposed, approved(3), suggestionReopened(3), rejected(3));
    expect(board.suggestions.get(3)).toMatchObject({ state: "rejected", acted_at: 8 });
    expect(board.tasks.get(2)?.status).toBe("skipped");
  });

  test("who starts a draft by force approves it, and nobody decides on it again or takes that back", async () => {
    const board = await given(...proposed, started("s-2", 2, { forced: true }));
    expect(board.suggestions.get(3)).toMatchObject({ state: "approved", acted_at: 6 });
    expect(board.changesOf(2).at(-1)).toBe("draft → in_progress, sessions: start, [6]");
    await expectNothingFrom(
      [...proposed, started("s-2", 2, { forced: true }), ended("exited", "s-2")],
      ...[approved(3), rejected(3), suggestionReopened(3)],
    );
  });

  test("who decided on it before decides nothing by starting it", async () => {
    const board = await given(...proposed, rejected(3), set(2, "draft"), started("s-2", 2, { forced: true }));
    expect(board.suggestions.get(3)).toMatchObject({ state: "rejected", acted_at: 6 });
    await expectNothingFrom(
      [...proposed, rejected(3), set(2, "draft"), started("s-2", 2, { forced: true })],
      suggestionReopened(3),
    );
  });

  test("decides nothing on what is stored, unknown, or was not decided", async () => {
    const history = [...proposed, started("s-2"), suggest("Split", { kind: "split", session: "s-2" })];
    await expectNothingFrom(history, approved(7, 1), rejected(7, 1), suggestionReopened(7, 1));
    await expectNothingFrom(history, approved(99), rejected(99), suggestionReopened(99));
    await expectNothingFrom([...history, set(1, "skipped")], suggestionReopened(3));
  });

  test("whose event names a task that is not there decides the suggestion alone", async () => {
    const board = await given(...proposed, approved(3, 9));
    expect(board.suggestions.get(3)?.state).toBe("approved");
    expect(board.tasks.get(2)?.status).toBe("draft");
  });
});
