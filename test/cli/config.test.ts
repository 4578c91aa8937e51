import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fails, prints, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

test("config check exits with 2 where the configuration cannot be used, and config show with the same", async () => {
  const { folder } = await freshProject();
  const file = join(folder, ".ralph", "config.json");
  expect(await signalbox(["config", "check"], { cwd: folder })).toMatchObject(prints("the defaults apply"));
  writeFileSync(file, '{"jbos": 2, "limits": {"grace_s": "\\u001b[2J"}}');
  const checked = await signalbox(["config", "check", "--json"], { cwd: folder });
  expect(checked).toMatchObject({ exitCode: 2, stderr: "" });
  expect(JSON.parse(checked.stdout)).toMatchObject({
    file,
    exists: true,
    valid: false,
    faults: [{ path: "limits.grace_s" }, { path: "jbos", message: 'is not a field (did you mean "jobs"?)' }],
  });
  expect((await signalbox(["config", "check"], { cwd: folder })).stdout).toContain("✕ jbos is not a field");
  expect(await signalbox(["config", "show"], { cwd: folder })).toMatchObject({
    ...fails(2, /jbos: is not a field.*\[config\]/),
    stdout: "",
  });
  writeFileSync(file, "{");
  expect(await signalbox(["config", "check"], { cwd: folder })).toMatchObject({
    exitCode: 2,
    stdout: expect.stringContaining("is not JSON"),
  });
});

test("config show prints the values that hold, and which of them are the file's", async () => {
  const { folder } = await freshProject();
  const file = join(folder, ".ralph", "config.json");
  writeFileSync(file, '{"jobs": 2, "limits": {"grace_s": 10}, "agents": {"claude": {"kind": "claude"}}}');
  expect(await signalboxJson(["config", "show"], { cwd: folder })).toEqual({
    file,
    exists: true,
    config: expect.objectContaining({
      jobs: 2,
      limits: expect.objectContaining({ grace_s: 10, session_s: 3_600 }),
    }),
    from_file: ["jobs", "limits.grace_s", "agents.claude.kind"],
  });
  const { stdout } = await signalbox(["config", "show"], { cwd: folder });
  expect(stdout).toMatch(/limits\.grace_s +10 +file/);
  expect(stdout).toMatch(/limits\.session_s +3600 +default/);
  expect(stdout).toMatch(/budget\.usd +none +default/);
});
