import { expect, onTestFinished, test, vi } from "vitest";
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

test("a replay works on a log of its own, whatever log the environment names", async () => {
  vi.stubEnv("SIGNALBOX_LOG_URL", "postgres://shop@127.0.0.1:1/fleet");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const simulation of simulations.slice(0, 1)) {
    expect((await runSimulation(simulation, { inProcess: true })).differences).toEqual([]);
  }
});
