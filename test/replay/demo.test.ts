import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { openProject } from "../../src/project.ts";
import { runCorpusInto, type SimulationReport } from "../../src/replay/run.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

test("the whole corpus fits into one project, renumbered, and every simulation still ends as recorded", async () => {
  const folder = freshFolder();
  const reports: SimulationReport[] = [];
  const simulations = loadSimulations([packagePath("fixtures/sims")]);
  await runCorpusInto(folder, simulations, { inProcess: true }, (report) => reports.push(report));
  expect(reports.filter(({ ok }) => !ok)).toEqual([]);
  const project = await openProject(folder);
  expect(await project.queries.tasks()).toHaveLength(
    reports.flatMap(({ result }) => Object.keys(result.tasks)).length,
  );
  await project.close();
});

test("a demo never replaces a folder that it did not make", async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "file"), "");
  const ran = await signalbox(["demo", join(folder, "mine")]);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain("is no demo");
});
