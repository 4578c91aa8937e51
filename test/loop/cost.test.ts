import { expect, test } from "vitest";
import { startSession } from "../../src/decisions/sessions.ts";
import { createTask } from "../../src/decisions/tasks.ts";
import { NOTHING_OBSERVED, type Observed } from "../../src/loop/agent/observed.ts";
import { costOf } from "../../src/loop/session-facts.ts";
import { freshProject } from "../support/project.ts";

/* After a resume an agent tells what the whole conversation has cost. Catches: sessions that are paid twice. */
const conversation = "2756e05d-5701-47e2-b2e0-bad278b2e296";

function told(totalCostUsd: number | undefined, of: string | undefined): Observed {
  const init = {
    kind: "init",
    conversation: of,
    model: undefined,
    version: undefined,
    server: "connected",
  } as const;
  const result = {
    kind: "result",
    subtype: "success",
    isError: false,
    text: "",
    turns: 1,
    totalCostUsd,
    usage: undefined,
    denied: [],
  } as const;
  return { ...NOTHING_OBSERVED, init, result };
}

test("of a conversation that goes on, a session costs what was not told before", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  expect(await costOf(project, told(0.25, conversation))).toBe(0.25);
  await project.log.append([
    {
      type: "agent.started",
      actor: "driver",
      payload: { session: "s-1", agent: "claude", conversation, server: "connected" },
    },
    { type: "agent.ended", actor: "driver", payload: { session: "s-1", exit_code: 0, cost_usd: 0.25 } },
  ]);
  expect(await costOf(project, told(0.61, conversation))).toBeCloseTo(0.36, 6);
  expect(await costOf(project, told(0.61, "another conversation"))).toBe(0.61);
  expect(await costOf(project, told(0.61, undefined))).toBe(0.61);
  expect(await costOf(project, told(undefined, conversation))).toBeUndefined();
});
