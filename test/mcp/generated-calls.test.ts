import fc from "fast-check";
import { expect, test } from "vitest";
import { startSession } from "../../src/decisions/sessions.ts";
import { createTask } from "../../src/decisions/tasks.ts";
import { signals } from "../../src/events/types/signals.ts";
import { callTool, connectAgent } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

const RUNS = Number(process.env.SIGNALBOX_CALLS ?? 5_000);

/** Values of any kind, awkward ones among them, and texts that are legal. */
const anything = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("bug", "warning", "discovery", "project", "new_task", "external", "text"),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  fc.boolean(),
  fc.constantFrom("", " ", "\u0000", "\u202e", "\ud800", "x".repeat(100_001), null, -0, 1e308, "__proto__"),
  fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 6 }).map((value) => value ?? null),
  fc.integer(),
);
const fields = [...new Set(signals.flatMap((signal) => Object.keys(signal.arguments.shape)))];
const argumentsOf = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields, "task", "sumary", "__proto__", "constructor"), anything, {
    maxKeys: 6,
  }),
  ...signals.map((signal) =>
    fc.record(Object.fromEntries(Object.keys(signal.arguments.shape).map((key) => [key, anything])), {
      requiredKeys: [],
    }),
  ),
);
const toolNames = fc.constantFrom(...signals.map(({ verb }) => verb), "update_session_state");

test(`${RUNS} generated calls are each recorded, or refused with a reason and without a trace`, async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const agent = await connectAgent(project.store, 1, "s-1");
  let recorded = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(toolNames, argumentsOf, async (name, args) => {
      const before = await project.log.head();
      const answer = await callTool(agent, name, args);
      const appended = (await project.log.head()) - before;
      expect(answer.text).not.toBe("");
      if (answer.isError) {
        refused += 1;
        expect(answer.text).toMatch(/^Nothing was recorded: /);
        expect(appended).toBe(0);
      } else {
        recorded += 1;
        expect(JSON.parse(answer.text)).toEqual(answer.structured);
        expect(appended).toBe(1);
      }
    }),
    { numRuns: RUNS },
  );
  expect(recorded).toBeGreaterThan(RUNS / 100);
  expect(refused).toBeGreaterThan(RUNS / 10);
  const projections = await project.queries.projections();
  expect(projections.filter(({ state }) => state === "stopped")).toEqual([]);
});
