import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { givenProgram } from "../loop/doctor-given.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, freshProject, givenConfig } from "../support/project.ts";
import { signalboxOnTerminal } from "../support/terminal.ts";

/* Catches: an agent that gets more than somebody chose, a choice that nobody is asked for or that is not kept. */
const configIn = (folder: string) => JSON.parse(readFileSync(join(folder, ".ralph", "config.json"), "utf8"));

test("on a terminal, init asks once for the agents' permissions, explains each level, and saves the answer", {
  tags: "script",
}, async () => {
  const cwd = freshFolder();
  const init = signalboxOnTerminal(["init"], { cwd });
  await init.shows("[pretend]:");
  init.type("claude\r");
  const asked = await init.shows("[edit]:");
  for (const level of ["read:", "edit:", "full:"]) expect(asked).toContain(level);
  expect(asked).toContain("container");
  init.type("everything\r");
  await init.shows("Answer with read, edit, full.");
  init.type("full\r");
  await init.shows("[y/N]");
  init.type("\r\r");
  await init.ended();
  const agents = { claude: { kind: "claude", permissions: "full" } };
  expect(configIn(cwd)).toEqual({ agent: "claude", agents });
});

test("run asks on a terminal where no level is set, keeps all else of the configuration, and asks no more", {
  tags: "script",
}, async () => {
  const { folder } = await freshProject();
  givenConfig(folder, { jobs: 2, agents: { claude: { kind: "claude", model: "opus" } } });
  const first = signalboxOnTerminal(["run"], { cwd: folder });
  await first.shows("[edit]:");
  first.type("\r");
  await first.ended();
  const after = { jobs: 2, agents: { claude: { kind: "claude", model: "opus", permissions: "edit" } } };
  expect(configIn(folder)).toEqual(after);
  const second = signalboxOnTerminal(["run"], { cwd: folder });
  expect(await second.shows("loop stopped")).not.toContain("[edit]:");
  await second.ended();
  expect(configIn(folder)).toEqual(after);
});

test("without a terminal, run starts with edit and says so, and init writes no configuration", async () => {
  const folder = freshFolder();
  await signalbox(["init"], { cwd: folder });
  expect(existsSync(join(folder, ".ralph", "config.json"))).toBe(false);
  const { stdout } = await signalbox(["run"], { cwd: folder });
  expect(stdout).toContain('permissions edit, since "permissions" of agents.claude is not set');
});

test("doctor shows an agent's permissions, whether they were chosen, and whether its client is logged in", async () => {
  const { folder } = await freshProject();
  const bin = freshFolder();
  givenProgram(
    bin,
    "codex",
    'if [ "$1" = login ]; then echo "Not logged in" >&2; exit 1; else echo "codex-cli 0.169.0"; fi',
  );
  const env = { PATH: `${bin}:${process.env.PATH}` };
  givenConfig(folder, { agent: "codex", agents: { codex: { kind: "codex", permissions: "read" } } });
  const set = await signalbox(["doctor"], { cwd: folder, env });
  expect(set.stdout).toMatch(/agent codex permissions.*read: it may read files/);
  expect(set.stdout).toMatch(/Codex is not logged in/);
  givenConfig(folder, { agent: "codex" });
  expect((await signalbox(["doctor"], { cwd: folder, env })).stdout).toMatch(
    /not set in agents\.codex, so edit/,
  );
});

test.each([
  [{ agent: "codex" }, "name its model"],
  [{ agent: "gemini", agents: { gemini: { kind: "gemini", model: "pro" } } }, 'add the price of "pro"'],
])("a budget in dollars that cannot be held, with %j, is refused at the start", async (config, right) => {
  const { folder } = await freshProject();
  givenConfig(folder, config);
  const ran = await signalbox(["run", "--budget-usd", "5"], { cwd: folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain("budget.usd: cannot be enforced");
  expect(ran.stderr).toContain(right);
});

test("a budget is accepted if the model's price is known or the client reports its cost", async () => {
  const { folder } = await freshProject();
  const run = () => signalbox(["run", "--budget-usd", "5"], { cwd: folder });
  const prices = { pro: { input: 1, output: 2 } };
  givenConfig(folder, { agent: "gemini", agents: { gemini: { kind: "gemini", model: "pro" } }, prices });
  expect((await run()).exitCode).toBe(0);
  givenConfig(folder, {});
  expect((await run()).exitCode).toBe(0);
});
