import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { passes } from "../../src/events/types/command-result.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { runCorpusInto } from "../../src/replay/run.ts";
import { loadSimulations, type Simulation } from "../../src/replay/simulation.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a replay that runs a command, and one that records another result than the simulation has. */
const simulations = loadSimulations([packagePath("fixtures/sims")]);
const WITH_GATES = ["056-L27", "056-L28", "056-L29", "056-L30"];

async function replayed(simulation: Simulation) {
  const folder = freshFolder();
  const differences: string[] = [];
  await runCorpusInto(folder, [simulation], { inProcess: true }, (report) =>
    differences.push(...report.differences),
  );
  const project = await openProject(folder);
  const events = await project.log.read(0, 1_000);
  await project.close();
  return { folder, events, differences };
}

function recordedIn({ steps }: Simulation) {
  return steps.flatMap((step) => (step.do === "gate" ? [step] : []));
}

test("these simulations of the corpus have gates, and no others", () => {
  const named = simulations.filter(
    (simulation) =>
      recordedIn(simulation).length > 0 || simulation.project.tasks.some(({ verify }) => verify.length > 0),
  );
  expect(named.map(({ id }) => id)).toEqual(WITH_GATES);
});

test.each(WITH_GATES)("the gates of %s replay with the results that it has, and none is run", async (id) => {
  const simulation = simulations.find((one) => one.id === id);
  if (!simulation) throw new Error(`there is no simulation ${id}`);
  const { events, differences } = await replayed(simulation);
  const attempts = events.flatMap((event) => (event.type === "gate.attempted" ? [event.payload] : []));
  const recorded = recordedIn(simulation);
  expect(recorded.length).toBeGreaterThan(2);
  expect(differences).toEqual([]);
  expect(attempts).toEqual(
    recorded.map(({ task, gate, exit_code, ...step }) => ({
      ...{ task, gate, exit_code },
      session: `${id}.${step.session}`,
      command: simulation.project.tasks.find((one) => one.id === task)?.verify[gate - 1],
      ...{ timed_out: step.timed_out ?? false, interrupted: false, signal: null },
      duration_ms: step.duration_ms ?? 0,
      stdout: { head: step.stdout ?? "", tail: "", omitted_characters: 0 },
      stderr: { head: step.stderr ?? "", tail: "", omitted_characters: 0 },
      ...{ explanation: null, left_behind: [] },
    })),
  );
  expect(attempts.some(passes)).toBe(recorded.some((step) => step.exit_code === 0 && !step.timed_out));
  expect(events.filter(({ type }) => type === "gate.started")).toEqual([]);
});

test("no command of a simulation is run", async () => {
  const [simulation] = loadSimulations([packagePath("fixtures/sims/056-L27.json")]);
  if (!simulation) throw new Error("there is no simulation 056-L27");
  const trace = join(freshFolder(), "was-run");
  const tasks = simulation.project.tasks.map((task) => ({
    ...task,
    verify: task.verify.map(() => `touch ${trace}`),
  }));
  const { events } = await replayed({ ...simulation, project: { ...simulation.project, tasks } });
  expect(events.filter(({ type }) => type === "gate.attempted").length).toBeGreaterThan(2);
  expect(existsSync(trace)).toBe(false);
});
