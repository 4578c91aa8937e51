import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentNamed, ConfigError, parseConfig, readConfig } from "../../src/config/config.ts";
import { faultsIn } from "../../src/config/faults.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a misspelt field that is passed over, an agent that is missed only in the middle of a run. */
const command = { kind: "command", command: "my-agent {prompt_file}" };

test.each([
  [{ jbos: 2 }, "jbos", 'is not a field (did you mean "jobs"?)'],
  [{ limits: { sessionS: 60 } }, "limits.sessionS", 'is not a field (did you mean "session_s"?)'],
  [{ session_s: 60 }, "session_s", 'is not a field here; it belongs at "limits.session_s"'],
  [{ colour: 1 }, "colour", "is not a field; the fields are $schema, agent, agents, recipe, jobs,"],
  [{ jobs: "2" }, "jobs", 'is "2"; it must be a whole number from 1 to 100'],
  [{ jobs: 0 }, "jobs", "is 0; it must be a whole number from 1 to 100"],
  [{ recipe: "yap" }, "recipe", 'is "yap"; it must be one of signals, task_execution, all'],
  [
    { worktrees: "yes" },
    "worktrees",
    'is "yes"; it must be true or false, or an object with base, integrate',
  ],
  [{ worktrees: { integrate: "maybe" } }, "worktrees.integrate", "it must be one of auto, ask, never"],
  [{ worktrees: { integrat: "auto" } }, "worktrees.integrat", "integrate"],
  [{ worktrees: { author: "Ada" } }, "worktrees.author", "must be a name and an address"],
  [{ worktrees: { base: "a b" } }, "worktrees.base", "must be the name of a branch"],
  [{ budget: { usd: 0 } }, "budget.usd", "is 0; it must be a number above 0"],
  [{ limits: 3 }, "limits", "is 3; it must be an object"],
  [[], "", "is []; it must be an object"],
  [
    { agents: { x: { kind: "comand" } } },
    "agents.x.kind",
    'is "comand"; it must be one of claude, codex, opencode, gemini, command',
  ],
  [
    { agents: { x: {} } },
    "agents.x.kind",
    "is missing; it must be one of claude, codex, opencode, gemini, command",
  ],
  [{ agents: { x: { kind: "command" } } }, "agents.x.command", "is missing; it must be text"],
  [{ agents: { x: { kind: "claude", arg: [] } } }, "agents.x.arg", 'is not a field (did you mean "args"?)'],
  [{ agents: { "x\n": command } }, "agents.x\n", "must be a short name"],
  [{ agent: "cluade" }, "agent", 'is "cluade", which is not a declared agent (did you mean "claude"?)'],
  [{ agent: "other" }, "agent", '; declare it in "agents", or use claude'],
  [
    { agents: { x: command }, escalation: { agent: "y" } },
    "escalation.agent",
    'is "y", which is not a declared agent',
  ],
  [
    { agents: { x: { ...command, command: "a {weights}" } } },
    "agents.x.command",
    "has an unknown {weights}; it may have {prompt_file}, {mcp_config}",
  ],
  [
    { agents: { x: { ...command, command: "my-agent {prompt-file}" } } },
    "agents.x.command",
    "has an unknown {prompt-file} (did you mean {prompt_file}?)",
  ],
  [
    { agents: { x: { ...command, command: "my'agent x" } } },
    "agents.x.command",
    "has a quote that is not closed",
  ],
  [{ escalation: { after_stuck: 3 } }, "escalation", 'has neither "agent" nor "model"'],
  [{ escalation: { agent: "claude" } }, "escalation", "the same agent and model as before"],
  [
    { agents: { claude: { kind: "claude", model: "opus" } }, escalation: { model: "opus" } },
    "escalation",
    "the same agent and model as before",
  ],
  [
    { agent: "x", agents: { x: command }, escalation: { model: "large" } },
    "escalation.model",
    'the template of "x" has no {model}',
  ],
])("%j has one fault, reported with its path and a correct value", (value, path, message) => {
  expect(faultsIn(value)).toEqual([{ path, message: expect.stringContaining(message) }]);
  expect(() => parseConfig(value, "config.json")).toThrow(ConfigError);
});

test.each([
  {},
  { escalation: {} },
  { escalation: { model: "opus" } },
  { agents: { x: command }, escalation: { agent: "x" } },
  { agents: { claude: { kind: "claude", model: "sonnet" } }, escalation: { agent: "claude", model: "opus" } },
  { agents: { x: { ...command, command: "a {prompt_file} {conversation} {model}" } }, agent: "x" },
])("%j can be used", (value) => {
  expect(faultsIn(value)).toEqual([]);
});

test("all faults of a file are reported together", () => {
  const value = { jobs: 0, limits: { grace_s: -1, grease_s: 1 }, agents: { x: { kind: "command" } } };
  expect(faultsIn(value).map(({ path }) => path)).toEqual([
    "agents.x.command",
    "jobs",
    "limits.grace_s",
    "limits.grease_s",
  ]);
});

test("an agent is the declared one, then the built-in one, and a name of JavaScript's own is none", () => {
  const config = parseConfig(
    { agents: { claude: { kind: "claude", model: "opus" }, x: command } },
    "config.json",
  );
  expect(agentNamed(config, "claude")).toMatchObject({ model: "opus", args: [] });
  expect(agentNamed(parseConfig({}, "config.json"), "claude")).toMatchObject({
    kind: "claude",
    command: "claude",
  });
  for (const name of ["toString", "__proto__", "y"]) {
    expect(() => agentNamed(config, name)).toThrow(/are claude, x/);
    expect(faultsIn({ agent: name })).toHaveLength(1);
  }
});

test("a configuration that is not there is the default; one that cannot be read or is not JSON says so", () => {
  const folder = freshFolder();
  const db = join(folder, ".ralph", "db", "ralph.db");
  mkdirSync(join(folder, ".ralph"));
  expect(readConfig(db)).toMatchObject({ agent: "claude", jobs: 1, escalation: { after_stuck: 2 } });
  writeFileSync(join(folder, ".ralph", "config.json"), '{"jobs": 2,}');
  expect(() => readConfig(db)).toThrow(/config\.json is not JSON: /);
  const other = freshFolder();
  mkdirSync(join(other, ".ralph", "config.json"), { recursive: true });
  expect(() => readConfig(join(other, ".ralph", "db", "ralph.db"))).toThrow(
    /config\.json cannot be read: EISDIR/,
  );
});

test.each([
  ["localhost:4318", 'is "localhost:4318"; it must be a URL that begins with http:// or https://'],
  ["ftp://collector", 'is "ftp://collector"; it must be a URL that begins with http:// or https://'],
  ["http://me:key@collector", "contains a user name or a password; put keys into OTEL_EXPORTER_OTLP_HEADERS"],
])("an OTLP endpoint %s is a fault", (endpoint, message) => {
  expect(faultsIn({ metrics: { otlp: { endpoint } } })).toEqual([{ path: "metrics.otlp.endpoint", message }]);
});
