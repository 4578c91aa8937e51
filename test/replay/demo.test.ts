import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, readModelPathIn } from "../../src/api/project.ts";
import { demoTour } from "../../src/cli/commands/demo.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { runCorpusInto, type SimulationReport } from "../../src/replay/run.ts";
import { loadSimulations, type Simulation } from "../../src/replay/simulation.ts";
import { startProcess } from "../children.ts";
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

test("each command that the demo names at its end works in its folder, and the last one opens the page", async () => {
  const cwd = freshFolder();
  const folder = join(cwd, "demo");
  await runCorpusInto(
    folder,
    loadSimulations([packagePath("fixtures/sims/056-L07.json")]),
    { inProcess: true },
    () => {},
  );
  const commands = demoTour(folder, cwd).flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));
  const serve = commands.pop();
  for (const command of commands) expect(command).toMatch(/^cd demo$|^node \S+ \w+/);
  const ran = spawnSync("sh", ["-e", "-c", commands.join("\n")], { cwd, encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(ran.stdout).toContain("Try signalbox");
  const { lines } = startProcess("sh", ["-c", `cd '${folder}' && exec ${serve} --port 0`]);
  let address = "";
  while (address === "") {
    const line = await lines.next();
    if (line.done) throw new Error("serve ended without an address.");
    address = /http:\S+/.exec(line.value)?.[0] ?? "";
  }
  expect((await fetch(address, { redirect: "manual" })).status).toBe(303);
});

test("a demo replaces an earlier one in its folder", async () => {
  const folder = join(freshFolder(), "demo");
  const [simulation] = loadSimulations([packagePath("fixtures/sims/056-L07.json")]);
  for (const time of [1, 2]) {
    rmSync(folder, { recursive: true, force: true });
    const reports: SimulationReport[] = [];
    await runCorpusInto(folder, [simulation as Simulation], { inProcess: false }, (report) =>
      reports.push(report),
    );
    expect(reports, `demo ${time}`).toMatchObject([{ ok: true, differences: [] }]);
    expect(await signalbox(["status", "--db", readModelPathIn(folder)])).toMatchObject({ exitCode: 0 });
  }
});

test("a demo never replaces a folder that it did not make", async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "file"), "");
  const ran = await signalbox(["demo", join(folder, "mine")]);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain("is not a demo");
});
