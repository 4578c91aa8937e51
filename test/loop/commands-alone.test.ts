import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { ownHost } from "../../src/events/own-host.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { useBundle } from "../children.ts";
import { signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { makeRepository, statuses } from "./given-loop.ts";
import { type Script, works } from "./script.ts";

/* A driver in another language: commands alone, as examples/ralph.sh has them. */
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("the driver of examples/ralph.sh does what `signalbox run` does, with commands alone", {
  tags: "jq",
}, async () => {
  const { project, folder } = await freshProject();
  makeRepository(folder);
  await project.decide(createTask({ title: "Export" }));
  await project.decide(createTask({ title: "Mail it", depends_on: [1] }));
  // The stand-in changes nothing.
  await project.decide(setPolicy({ policy: "evidence.no_change", value: "note" }));
  const script: Script = {
    journal: join(folder, ".ralph/journal"),
    atWork: join(folder, ".ralph/at-work"),
    tasks: {},
    others: [
      [
        { init: "connected" },
        { call: "partial", with: { summary: "Half.", remaining: "Rest." } },
        { result: {} },
      ],
      works(),
    ],
  };
  writeFileSync(join(folder, ".ralph/script.json"), JSON.stringify(script));
  const wrapper = join(folder, ".ralph/agent");
  // The stand-in learns its task from its environment; this driver gives it by the configuration alone.
  writeFileSync(
    wrapper,
    `#!/bin/bash\nexport RALPH_TASK_ID=$(jq -r .mcpServers.ralph.env.RALPH_TASK_ID "$MCP_CONFIG")\n` +
      `export RALPH_SESSION_ID=$(jq -r .mcpServers.ralph.env.RALPH_SESSION_ID "$MCP_CONFIG")\n` +
      `grep -q 'How to report' || exit 9\nexec ${process.execPath} ${agent} ${join(folder, ".ralph/script.json")} "$MCP_CONFIG"\n`,
  );
  chmodSync(wrapper, 0o755);
  const ralph = spawn("bash", [packagePath("examples/ralph.sh")], {
    cwd: folder,
    env: { ...process.env, AGENT: wrapper, PATH: `${packagePath("bin")}${delimiter}${process.env.PATH}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  ralph.stderr.on("data", (data) => {
    stderr += data;
  });
  const [code] = await once(ralph, "close");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await statuses(project)).toEqual({ 1: "done", 2: "done" });
  const rows = await project.queries.sql(
    "SELECT exit, closing, driver IS NOT NULL AS watched, workspace_start = workspace_end AS unchanged FROM sessions ORDER BY started_position",
  );
  const session = (closing: string) => ({ exit: "exited", closing, watched: 1, unchanged: 1 });
  expect(rows).toEqual([session("partial"), session("done"), session("partial"), session("done")]);
  expect(await project.queries.sql("SELECT count(*) AS prompts FROM prompts")).toEqual([{ prompts: 4 }]);
  expect(await signalboxJson(["driver", "list"], { cwd: folder })).toEqual([]);
});

test("a driver's heartbeats by command: it is alive with its process, and its sessions are recovered afterwards", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const driver = spawn("sleep", ["600"], { stdio: "ignore" });
  await signalboxJson(["driver", "beat", "d-1", "--pid", String(driver.pid)], { cwd: folder });
  await signalboxJson(["session", "start", "1", "--session", "s-1", "--driver", "d-1"], { cwd: folder });
  expect(await signalboxJson(["driver", "list"], { cwd: folder })).toMatchObject([
    { driver: "d-1", alive: true },
  ]);
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toEqual([]);
  driver.kill("SIGKILL");
  await once(driver, "close");
  expect(await signalboxJson(["driver", "list"], { cwd: folder })).toMatchObject([
    { driver: "d-1", alive: false },
  ]);
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toEqual([
    { session: "s-1", task: 1, driver: "d-1", agent_ran: false },
  ]);
  expect((await project.queries.sessions())[0]).toMatchObject({ exit: "cancelled", driver: "d-1" });
});

test("a driver of another host is not judged here: recovery leaves its session open, and ends it where it began", async () => {
  const { project, folder } = await freshProject();
  const host = join(folder, ".ralph/host.json");
  await project.decide(createTask({ title: "Export" }));
  await signalboxJson(["session", "start", "1", "--session", "s-1", "--driver", "d-of-host-a"], {
    cwd: folder,
  });
  const [session] = await project.queries.sessions();
  expect(session?.host).toBe(ownHost(readModelPathIn(folder)).host);
  renameSync(host, `${host}-of-a`);
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toEqual([]);
  expect(await statuses(project)).toEqual({ 1: "in_progress" });
  renameSync(`${host}-of-a`, host);
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toMatchObject([
    { session: "s-1", driver: "d-of-host-a" },
  ]);
  expect(await statuses(project)).toEqual({ 1: "pending" });
});

test("a moved folder judges its drivers by their files, though it is another host now", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const driver = spawn("sleep", ["600"], { stdio: "ignore" });
  await signalboxJson(["driver", "beat", "d-1", "--pid", String(driver.pid)], { cwd: folder });
  await signalboxJson(["session", "start", "1", "--session", "s-1", "--driver", "d-1"], { cwd: folder });
  rmSync(join(folder, ".ralph/host.json"));
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toEqual([]);
  driver.kill("SIGKILL");
  await once(driver, "close");
  expect(await signalboxJson(["driver", "recover"], { cwd: folder })).toMatchObject([{ session: "s-1" }]);
});

test("a driver's observations of an agent are recorded by commands, and shown with the session", async () => {
  const { project, folder } = await freshProject();
  for (const title of ["One", "Two"]) await project.decide(createTask({ title }));
  for (const task of ["1", "2"]) {
    await signalboxJson(["session", "start", task, "--session", `s-${task}`], { cwd: folder });
  }
  await signalboxJson(
    ["session", "agent", "s-1", "--agent", "mine", "--model", "m-1", "--server", "connected"],
    { cwd: folder },
  );
  await signalboxJson(["session", "agent", "s-1", "--turns", "3"], { cwd: folder });
  await signalboxJson(["session", "agent", "s-1", "--turns", "5", "--cost-usd", "0.61", "--exit-code", "0"], {
    cwd: folder,
  });
  expect(
    await project.queries.sql(
      "SELECT agent, model, server, turns, cost_micro_usd, exit_code, input_tokens FROM agents",
    ),
  ).toEqual([
    {
      agent: "mine",
      model: "m-1",
      server: "connected",
      turns: 5,
      cost_micro_usd: 610_000,
      exit_code: 0,
      input_tokens: null,
    },
  ]);
  await signalboxJson(["session", "files", "s-1", "b.ts", "a.ts"], { cwd: folder });
  expect(await signalboxJson(["session", "files", "s-2", "a.ts"], { cwd: folder })).toEqual({
    session: "s-2",
    overlaps: [{ path: "a.ts", session: "s-1", task: 1 }],
  });
  await expect(signalboxJson(["session", "files", "s-9", "a.ts"], { cwd: folder })).rejects.toThrow(
    /no session s-9/,
  );
});
