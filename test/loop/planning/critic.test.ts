import { expect, test } from "vitest";
import { criticize } from "../../../src/loop/planning/critic.ts";
import type { PlannedTask } from "../../../src/queries/plans.ts";

/* Catches: a plan that no program has looked at, and one that is blamed for what is right. */

const place = {
  hasFile: (path: string) => path === "src/a.ts",
  hasProgram: (name: string) => name === "npm",
};

function task(id: number, fields: Partial<PlannedTask> = {}): PlannedTask {
  return {
    ...{
      id,
      title: `Work ${id}`,
      description: "",
      feature: "reports",
      discipline: "backend",
      priority: "medium",
    },
    ...{ depends_on: [], criteria: ["It works."], gates: [], estimated_turns: null, confirmed: 0 },
    ...{ context_files: [], output_artifacts: [] },
    ...fields,
  };
}

const same = { output_artifacts: ["src/b.ts"] };

test.each<[string, PlannedTask[], string[]]>([
  ["a criterion is enough", [task(1)], []],
  ["nothing says when it is done", [task(1, { criteria: [] })], ["no_check"]],
  ["a file that is there", [task(1, { context_files: ["src/a.ts"] })], []],
  ["a file that is not", [task(1, { context_files: ["src/c.ts"] })], ["missing_file"]],
  [
    "a file that another task makes",
    [task(1, same), task(2, { context_files: ["src/b.ts"], depends_on: [1] })],
    [],
  ],
  ["a command of this machine", [task(1, { gates: ["npm test -- csv"] })], []],
  ["one of a shell", [task(1, { gates: ["test -f out.csv && ! grep -q TOTAL out.csv"] })], []],
  ["one that is nowhere", [task(1, { gates: ["pytset -q"] })], ["bad_command"]],
  ["a placeholder", [task(1, { gates: ["true"] })], ["bad_command"]],
  ["an echo", [task(1, { gates: ["echo done"] })], ["bad_command"]],
  ["a gap to fill", [task(1, { gates: ["npm run <your test>"] })], ["bad_command"]],
  ["one session's work", [task(1, { estimated_turns: 60 })], []],
  ["more than one session's", [task(1, { estimated_turns: 400 })], ["too_large"]],
  ["the same file without an order", [task(1, same), task(2, same)], ["same_file"]],
  ["the same file in an order", [task(1, same), task(2, { ...same, depends_on: [1] })], []],
  [
    "in an order by way of another",
    [task(1, same), task(2, { depends_on: [1] }), task(3, { ...same, depends_on: [2] })],
    [],
  ],
])("%s", (_, proposed, kinds) => {
  const { faults, more } = criticize({ proposed }, place);
  expect(faults.map(({ kind }) => kind)).toEqual(kinds);
  expect(more).toBe(0);
});

test("a plan with more faults than an event holds says how many more there are", () => {
  const gates = Array.from({ length: 60 }, () => "true");
  const { faults, more } = criticize(
    { proposed: Array.from({ length: 20 }, (_, nth) => task(nth + 1, { gates })) },
    place,
  );
  expect([faults.length, more]).toEqual([1_000, 200]);
});
