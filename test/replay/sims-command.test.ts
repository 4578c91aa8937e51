import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

const file = packagePath("fixtures/sims/056-L07.json");

test("sims replays a file through real server processes and prints a line of JSON for each simulation", async () => {
  const ran = await signalbox(["sims", file, packagePath("fixtures/sims/056-L12.json"), "--json"]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const reports = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(reports.map(({ id, ok, differences }) => ({ id, ok, differences }))).toEqual([
    { id: "056-L07", ok: true, differences: [] },
    { id: "056-L12", ok: true, differences: [] },
  ]);
  expect(reports[0].result).toEqual(JSON.parse(readFileSync(file, "utf8")).expected);
});

test("a simulation that ends otherwise is named with each difference, and the exit code is 1", async () => {
  const simulation = JSON.parse(readFileSync(file, "utf8"));
  simulation.expected.tasks["2"].status = "failed";
  simulation.expected.rejected = 0;
  const changed = join(freshFolder(), "changed.json");
  writeFileSync(changed, JSON.stringify(simulation));
  const ran = await signalbox(["sims", changed, "--in-process"]);
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toContain('tasks.2.status: expected "failed", got "done"');
  expect(ran.stdout).toContain("rejected: expected 0, got 1");
});

test("a file that is no simulation is refused with the field that is wrong", async () => {
  const path = join(freshFolder(), "wrong.json");
  writeFileSync(path, '{"id": 7}');
  const ran = await signalbox(["sims", path]);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain("is no simulation: id:");
});
