import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { projectInfo, projectProgress } from "../../src/queries/project.ts";
import { reduced, rowsIn, task } from "./loop-drafts.ts";

/* Catches: a title that nobody gave, a field that goes when another changes, all said to be done that is not. */

const feature = (name: string): Draft<"feature.created"> => ({
  type: "feature.created",
  actor: "human",
  payload: { feature: name, display_name: name, description: "" },
});
const described = (payload: Draft<"project.described">["payload"]): Draft<"project.described"> => ({
  type: "project.described",
  actor: "human",
  payload,
});

test("a project without a description has only its creation time", async () => {
  const readModel = await reduced(feature("general"), feature("reports"));
  const [first] = rowsIn(readModel, "SELECT created FROM features ORDER BY id");
  expect(projectInfo(readModel)).toEqual({ title: null, description: "", ...Object(first) });
});

test("absent fields of a description stay unchanged", async () => {
  const readModel = await reduced(
    feature("general"),
    described({ title: "Invoices", description: "Bills." }),
    described({ title: "Accounts" }),
    described({ description: "" }),
  );
  expect(projectInfo(readModel)).toMatchObject({ title: "Accounts", description: "" });
});

test("an empty log has no time of creation", async () => {
  expect(projectInfo(await reduced())).toEqual({ title: null, description: "", created: null });
});

test("a note keeps who wrote it, and in which session", async () => {
  const readModel = await reduced(
    { type: "progress.noted", actor: "agent", correlation: "s-1", payload: { text: "Half." } },
    { type: "progress.noted", actor: "human", payload: { text: "All." } },
  );
  expect(rowsIn(readModel, "SELECT id, text, actor, session_id FROM progress_notes")).toEqual([
    { id: 1, text: "Half.", actor: "agent", session_id: "s-1" },
    { id: 2, text: "All.", actor: "human", session_id: null },
  ]);
});

test("progress counts tasks by status and by feature, without zeros", async () => {
  const readModel = await reduced(
    feature("empty"),
    task(1, { feature: "reports", status: "done" }),
    task(2, { feature: "reports", status: "done" }),
    task(3, { feature: "reports" }),
    task(4, { feature: "core", status: "skipped" }),
    task(5, { feature: "core", status: "draft" }),
  );
  expect(projectProgress(readModel)).toEqual({
    total: 5,
    done: 2,
    percentage: 50,
    by_status: { done: 2, draft: 1, pending: 1, skipped: 1 },
    by_feature: [
      { feature: "core", total: 2, done: 0, percentage: 0 },
      { feature: "reports", total: 3, done: 2, percentage: 66 },
    ],
  });
});

test("100 % means that all is done or skipped, and without tasks there is no percentage", async () => {
  const most = Array.from({ length: 199 }, (_, index) => task(index + 1, { status: "done" }));
  expect(projectProgress(await reduced(...most, task(200)))).toMatchObject({ percentage: 99 });
  expect(projectProgress(await reduced(...most, task(200, { status: "skipped" })))).toMatchObject({
    percentage: 100,
  });
  expect(projectProgress(await reduced(task(1, { status: "skipped" })))).toMatchObject({ percentage: null });
  expect(projectProgress(await reduced())).toEqual({
    ...{ total: 0, done: 0, percentage: null },
    ...{ by_status: {}, by_feature: [] },
  });
});
