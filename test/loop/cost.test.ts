import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { NOTHING_OBSERVED, type Observed } from "../../src/loop/agent/observed.ts";
import { costOf } from "../../src/loop/cost.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
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
  } as const;
  return { ...NOTHING_OBSERVED, init, result };
}

const config = parseConfig({}, "config.json");

test("a session of a resumed conversation costs only its own part", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  expect(await costOf(project, config, { model: undefined }, told(0.25, conversation))).toBe(0.25);
  await project.log.append([
    {
      type: "agent.started",
      actor: "driver",
      payload: { session: "s-1", agent: "claude", conversation, server: "connected" },
    },
    { type: "agent.ended", actor: "driver", payload: { session: "s-1", exit_code: 0, cost_usd: 0.25 } },
  ]);
  expect(await costOf(project, config, { model: undefined }, told(0.61, conversation))).toBeCloseTo(0.36, 6);
  expect(await costOf(project, config, { model: undefined }, told(0.61, "another conversation"))).toBe(0.61);
  expect(await costOf(project, config, { model: undefined }, told(0.61, undefined))).toBe(0.61);
  expect(await costOf(project, config, { model: undefined }, told(undefined, conversation))).toBeUndefined();
});

test.each([
  ["gpt-5", { input: 1_000_000, cached: 400_000, output: 100_000 }, 0.6 * 1.25 + 0.4 * 0.125 + 1],
  ["no-cache-price", { input: 1_000_000, cached: 400_000, output: 0 }, 2],
  ["of-no-price", { input: 1, cached: 0, output: 1 }, undefined],
  ["toString", { input: 1, cached: 0, output: 1 }, undefined],
])(
  "a client that reports only tokens of %s costs what the configured prices say",
  async (model, usage, cost) => {
    const { project } = await freshProject();
    const priced = parseConfig(
      {
        prices: {
          "gpt-5": { input: 1.25, cached_input: 0.125, output: 10 },
          "no-cache-price": { input: 2, output: 1 },
        },
      },
      "config.json",
    );
    const seen = told(undefined, conversation);
    const ended = {
      ...seen,
      result: { kind: "result", subtype: "success", isError: false, text: "", usage } as const,
    };
    const costs = await costOf(project, priced, { model }, ended);
    if (cost === undefined) expect(costs).toBeUndefined();
    else expect(costs).toBeCloseTo(cost, 9);
  },
);
