import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { runSimulation } from "../../src/replay/run.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";

const simulations = loadSimulations([packagePath("fixtures/sims")]);

test("the corpus has 83 simulations", () => {
  expect(simulations).toHaveLength(83);
});

test.each(simulations.map((simulation) => [simulation.id, simulation] as const))(
  "simulation %s ends as rules.md demands",
  async (_id, simulation) => {
    const report = await runSimulation(simulation, { inProcess: true });
    expect(report.differences).toEqual([]);
  },
);
