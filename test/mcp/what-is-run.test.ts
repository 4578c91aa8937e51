import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { decide } from "../../src/decisions/decide.ts";
import { declareGates, recordGateAttempt } from "../../src/decisions/gates.ts";
import { createTask } from "../../src/decisions/tasks.ts";
import { recipeTools } from "../../src/mcp/recipe-tools.ts";
import { recipes } from "../../src/mcp/recipes.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a tool by which an agent decides what is run, or on a gate that has failed. */

const TASK = 7;

/**
 * A project in whose folder a command of an agent would leave a file; task 7 has a gate that escalated and one that waits for
 * a human.
 */
async function givenGates() {
  const { project, folder } = await freshProject();
  for (let task = 1; task < TASK; task++) await project.decide(createTask({ title: `Task ${task}` }));
  await project.decide(createTask({ title: "Export", gates: [{ command: "false", max: 1, timeout_s: 30 }] }));
  await project.decide(recordGateAttempt({ task: TASK, gate: 1, exit_code: 1 }));
  const ran = join(folder, "ran");
  const own = { command: `touch ${ran}`, max: 1, timeout_s: 30 };
  await decide(project.store, declareGates({ task: TASK, gates: [own] }), { actor: "agent" });
  return { project, ran, own };
}

/** What an agent might try beside a tool's own example. */
const attempts = (command: string): readonly Record<string, unknown>[] => [
  {},
  { verify: [command] },
  { gate: 1 },
  { gate: 2 },
  { gate: 1, action: "skip" },
  { gate: 2, approve: true },
  { command },
];

const BY_HUMANS = ["gate.acted", "gate.approved", "gate.rejected", "gate.reopened"];

test.each(recipes)(
  "no tool of the recipe $name decides on a gate or runs a command of the agent's",
  async (recipe) => {
    const { project, ran, own } = await givenGates();
    const agent = await connectWith(project.store, { recipe: recipe.name, session_id: "s-1", task_id: TASK });
    const { tools: listed } = await agent.listTools();
    // What takes the task away comes last.
    const names = listed
      .map(({ name }) => name)
      .sort((a, b) => Number(a === "delete_task") - Number(b === "delete_task"));
    for (const name of names) {
      const example = tools.find((tool) => tool.name === name)?.example;
      for (const attempt of attempts(own.command)) await callTool(agent, name, { ...example, ...attempt });
    }
    await expect(callTool(agent, "gate_action", { task: TASK, gate: 1, action: "skip" })).rejects.toThrow(
      "Unknown tool gate_action",
    );
    const events = await project.log.read(0, 1_000);
    expect(events.length).toBeLessThan(1_000);
    expect(events.filter(({ type }) => BY_HUMANS.includes(type))).toEqual([]);
    const started = events.flatMap((event) => (event.type === "gate.started" ? [event.payload.command] : []));
    expect(started).not.toContain(own.command);
    expect(existsSync(ran)).toBe(false);
  },
);

test.each(recipes)(
  "a command goes into a tool of the recipe $name as a gate that waits, or not at all",
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
