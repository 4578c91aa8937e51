import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { givenInstallation } from "../loop/doctor-given.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

test("doctor prints a line for each finding, how to mend it below, and exits with 1 only where something failed", async () => {
  const place = await givenInstallation();
  const env = { PATH: place.env.PATH ?? "" };
  const well = await signalbox(["doctor", "--json"], { cwd: place.folder, env });
  expect(well).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(well.stdout)).toContainEqual({
    name: "mcp server",
    state: "ok",
    found: expect.any(String),
  });

  for (const name of [".gitignore", ".ralph/.gitignore"]) rmSync(join(place.folder, name), { force: true });
  const warned = await signalbox(["doctor"], { cwd: place.folder, env });
  expect(warned.exitCode).toBe(0);
  expect(warned.stdout).toMatch(/^✓ node .*\n✓ sqlite /);
  expect(warned.stdout).toMatch(/^! git ignore +.*\n +→ Add `\.ralph\/` to \.gitignore/m);

  rmSync(join(place.folder, ".ralph", "db", "events.db"));
  const broken = await signalbox(["doctor"], { cwd: place.folder, env });
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toMatch(/^✕ log +There is no event log.*\n +→ /m);
});

test("doctor without a project says so, and how to make one", async () => {
  const { env } = await givenInstallation();
  const ran = await signalbox(["doctor"], { cwd: freshFolder(), env: { PATH: env.PATH ?? "" } });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toMatch(/^! project +There is no \.ralph\/.*\n +→ Create one with `signalbox init`/m);
});
