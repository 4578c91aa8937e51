import { expect, test } from "vitest";
import { showSession } from "../../src/operations/sessions-reading.ts";
import { completions } from "../../src/queries/completions.ts";
import { findPlan } from "../../src/queries/plans.ts";
import { renderProgress } from "../../src/workspace/state-files/render-progress.ts";
import { given } from "../replay/why/given.ts";
import * as h from "./board/history.ts";

/* Catches: a session without a task that is said to be of "task null", or that is left out. */

const faults = [1, 2].map((task) => ({ kind: "no_check" as const, task, says: `Task ${task}.` }));

test("a plan and its session are named where others are named by their task", async () => {
  const { readModel } = await given(...h.planned(1, [1, 2]));
  expect(readModel.all(completions.session, {})).toMatchObject([{ value: "p-1", text: "braindump" }]);
  expect(readModel.all(completions.item, {})).toMatchObject([{ value: "plan-1", text: "# Reports" }]);
  expect(renderProgress(readModel)).toContain("plan-1");
  expect(renderProgress(readModel)).not.toContain("null");
  const shown = showSession.ask(readModel, { session: "p-1" });
  expect(String(showSession.command?.says(shown, { session: "p-1" }, ""))).not.toMatch(
    /null|Another session/,
  );
});

test("faults are shown of undecided drafts alone", async () => {
  const { readModel } = await given(
    ...h.planned(1, [1, 2]),
    h.event("plan.checked", { plan: 1, faults, more: 0 }),
    h.planDecided("approved", [1]),
  );
  expect(findPlan(readModel, 1)?.faults).toMatchObject([{ task: 2 }]);
});
