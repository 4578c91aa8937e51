import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runLoop } from "../../src/open.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject, givenConfig } from "../support/project.ts";

/* Catches: the log's password in the hands of an agent. */
test("an agent gets the loop's environment without the log's URL", async () => {
  const { project, folder } = await freshProject();
  const script = join(folder, "agent.mjs");
  const told = join(folder, "environment.json");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.env));`,
  );
  const command = `"${process.execPath}" "${script}"`;
  givenConfig(folder, { agent: "telling", agents: { telling: { kind: "command", command } } });
  await project.decide(createTask({ title: "Export" }));
  vi.stubEnv("SIGNALBOX_LOG_URL", "postgres://shop:canary@127.0.0.1:1/fleet");
  vi.stubEnv("SHOP_TOKEN", "kept");
  onTestFinished(() => void vi.unstubAllEnvs());
  await runLoop(project, folder, { once: true });
  const text = readFileSync(told, "utf8");
  expect(JSON.parse(text)).toMatchObject({ SHOP_TOKEN: "kept", RALPH_TASK_ID: "1" });
  expect(text).not.toMatch(/SIGNALBOX_LOG_URL|canary/);
});
