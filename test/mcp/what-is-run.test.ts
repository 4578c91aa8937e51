import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { decide } from "../../src/decisions/decide.ts";
import { gateActions } from "../../src/events/types/gates.ts";
import { recipeTools } from "../../src/mcp/recipe-tools.ts";
import { recipes } from "../../src/mcp/recipes.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { declareGates, recordGateAttempt } from "../../src/operations/gates.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a tool by which an agent decides what is run, or on a gate that has failed. */

const TASK = 7;

/**
 * A project in whose folder each command that is run leaves a file. Of task 7 gate 1 has escalated, gate 2 is an agent's and
 * waits for a human, and gate 3 is run.
 */
async function givenGates() {
  const { project, folder, db } = await freshProject();
  for (let task = 1; task < TASK; task++) await project.decide(createTask({ title: `Task ${task}` }));
  const leaving = (file: string) => ({ command: `touch ${join(folder, file)}`, max: 1, timeout_s: 30 });
  const own = leaving("own");
  await project.decide(createTask({ title: "Export", gates: [leaving("escalated")] }));
  await project.decide(recordGateAttempt({ task: TASK, gate: 1, exit_code: 1 }));
  await decide(project.store, declareGates({ task: TASK, gates: [own] }), { actor: "agent" });
  await project.decide(declareGates({ task: TASK, gates: [leaving("allowed")] }));
  return {
    project,
    own,
    connect: (recipe: (typeof recipes)[number]["name"]) =>
      connectWith(project.store, { recipe, session_id: "s-1", task_id: TASK }, { readModelPath: db }),
    hasRun: (file: string) => existsSync(join(folder, file)),
  };
}

/** What an agent might try beside a tool's own example. */
const attempts = (command: string): readonly Record<string, unknown>[] => [
  {},
  { verify: [command] },
  ...[1, 2].flatMap((gate) => [
    { gate },
    { gate, command },
    { gate, approve: true },
    ...gateActions.map((action) => ({ task: TASK, gate, action })),
  ]),
  { action: "approve" },
  { command },
  ...["pending", "done", "skipped"].map((status) => ({ status })),
];

/** Names under which an agent might look for what is the human's. */
const NOT_FOR_AGENTS = ["gate_action", "gate_act", "gate_approve", "approve_gate", "inbox_skip", "run_gate"];

const BY_HUMANS = ["gate.acted", "gate.approved", "gate.rejected", "gate.reopened"];

test.each(recipes)(
  "no tool of the recipe $name decides on a gate or runs a command of the agent's",
  async ({ name: recipe }) => {
    const { project, own, connect, hasRun } = await givenGates();
    const agent = await connect(recipe);
    const { tools: listed } = await agent.listTools();
    const names = listed.map(({ name }) => name).filter((name) => name !== "delete_task");
    for (const name of names) {
      const example = tools.find((tool) => tool.name === name)?.example;
      for (const attempt of attempts(own.command)) await callTool(agent, name, { ...example, ...attempt });
      const gates = (await project.queries.task(TASK))?.gates ?? [];
      expect(gates, name).toMatchObject([
        { gate: 1, state: "escalated" },
        { gate: 2, state: "pending", approval: "waiting" },
        { gate: 3, approval: "unneeded" },
        ...gates.slice(3).map(() => ({ state: "pending", approval: "waiting" })),
      ]);
    }
    for (const name of NOT_FOR_AGENTS) {
      for (const action of gateActions) {
        const asking = callTool(agent, name, { task: TASK, gate: 1, action });
        await expect(asking).rejects.toThrow(`Unknown tool ${name}`);
      }
    }
    // The session's gates are run, where it has a tool for that; so what was not run could have been.
    expect(hasRun("allowed")).toBe(names.includes("verify"));
    // Also when the task is taken away, which comes last.
    if (listed.some(({ name }) => name === "delete_task")) await callTool(agent, "delete_task", { id: TASK });
    const events = await project.log.read(0, 1_000);
    expect(events.length).toBeLessThan(1_000);
    expect(events.filter(({ type }) => BY_HUMANS.includes(type))).toEqual([]);
    const started = events.flatMap((event) => (event.type === "gate.started" ? [event.payload.gate] : []));
    expect(started.filter((gate) => gate !== 3)).toEqual([]);
    expect([hasRun("own"), hasRun("escalated")]).toEqual([false, false]);
  },
);

test.each(recipes)(
  "a command in a tool of the recipe $name becomes a gate that waits for approval, or is refused",
  (recipe) => {
    const taking = recipeTools(recipe).flatMap(({ name, input }) =>
      Object.keys(input.shape).flatMap((field) =>
        /verify|command|action|approv|reject|gate/.test(field) ? [`${name} ${field}`] : [],
      ),
    );
    const declaring = ["create_task", "update_task", "enrich_task"];
    const fields = ["verify", "verify_max", "verify_timeout"];
    const allowed = declaring.flatMap((tool) => fields.map((field) => `${tool} ${field}`));
    // The tool `verify` names a gate that is there, by its number.
    expect(taking.filter((one) => !allowed.includes(one) && one !== "verify gate")).toEqual([]);
    const naming = tools.find(({ name }) => String(name) === "verify")?.input.shape.gate;
    if (naming) expect(z.safeParse(naming, "npm test").success).toBe(false);
  },
);
