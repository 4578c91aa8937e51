import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
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

test("a simulation with another result is named with each difference, and the exit code is 1", async () => {
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

test("a missing file, and a folder without simulations, are wrong usage", async () => {
  const folder = freshFolder();
  for (const path of [folder, join(folder, "none.json")]) {
    const ran = await signalbox(["sims", file, path]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(path) });
  }
});

test.each([["--in-process"], []])(
  "a call of a tool that the session does not have is refused like any other, expected or not %s",
  async (...flags) => {
    const folder = freshFolder();
    const simulation = JSON.parse(readFileSync(file, "utf8"));
    const call = {
      after_seconds: 1,
      do: "call",
      session: simulation.steps[0].session,
      tool: "reboot",
      arguments: {},
    };
    const start = simulation.steps[0];
    const write = (name: string, steps: readonly object[], rejected: number) =>
      writeFileSync(
        join(folder, name),
        JSON.stringify({
          ...simulation,
          id: name,
          steps: [start, ...steps, ...simulation.steps.slice(1)],
          expected: { ...simulation.expected, rejected: simulation.expected.rejected + rejected },
        }),
      );
    write("a.json", [call], 1);
    write("b.json", [{ ...call, expect: "rejected" }], 1);
    const ran = await signalbox(["sims", folder, "--json", ...flags]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
    const [wrong, right] = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(wrong).toMatchObject({
      id: "a.json",
      ok: false,
      differences: [expect.stringMatching(/^step 2: reboot was refused: .*Unknown tool reboot/)],
    });
    expect(right).toMatchObject({ id: "b.json", ok: true, differences: [] });
  },
);

test("an invalid file or one that cannot be replayed fails alone", async () => {
  const folder = freshFolder();
  const simulation = JSON.parse(readFileSync(file, "utf8"));
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  const [task] = simulation.project.tasks;
  write("a.json", { id: 7 });
  write("b.json", "no JSON");
  write("c.json", {
    ...simulation,
    project: { ...simulation.project, tasks: [{ ...task, depends_on: [task.id] }] },
  });
  write("d.json", simulation);
  const ran = await signalbox(["sims", folder, "--in-process"]);
  expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
  expect(ran.stdout).toMatch(/✗ \S+a\.json\n {4}\S+a\.json is not a simulation: `id` is 7, it must be text/);
  expect(ran.stdout).toMatch(/✗ \S+b\.json\n {4}\S+b\.json is not JSON/);
  expect(ran.stdout).toMatch(/✗ 056-L07\n {4}.*depend on each other in a circle/);
  expect(ran.stdout).toContain(`✓ ${simulation.id}\n\n1 of 4 simulations ended as expected.`);
});

test("a step with invalid fields counts as refused", async () => {
  const path = join(freshFolder(), "blank.json");
  const simulation = JSON.parse(readFileSync(file, "utf8"));
  const comment = {
    after_seconds: 1,
    do: "comment",
    task: simulation.project.tasks[0].id,
    author: "me",
    body: " ",
  };
  writeFileSync(path, JSON.stringify({ ...simulation, steps: [comment, ...simulation.steps] }));
  const ran = await signalbox(["sims", path, "--in-process", "--json"]);
  expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(ran.stdout).differences).toEqual([
    expect.stringMatching(/^step 1: comment was refused: .*`body` is blank/),
  ]);
});
