import { z } from "zod";
import { hasPassword, LOG_URL_VARIABLE, urlFault } from "../events/log-location.ts";
import { line, name } from "../events/types/fields.ts";
import { GATE_COMMAND_LIMIT } from "../events/types/gates.ts";
import { AUTHOR } from "../lib/author.ts";
import { packagePath } from "../lib/package-root.ts";
import { noticeSettings } from "./notice-settings.ts";
import { loginSettings, peopleSettings } from "./people-settings.ts";
import { type SandboxEngine, type SandboxSettings, sandboxSettings } from "./sandbox-settings.ts";
import { githubSettings, gitlabSettings } from "./tracker-settings.ts";

const seconds = z
  .int()
  .min(1)
  .max(7 * 24 * 3_600);
const pause = z
  .int()
  .min(1)
  .max(24 * 3_600);

const model = line.optional().describe("The model, as the agent's program names it.");

/** What an agent may do without asking; docs/clients.md says what each client makes of it. */
export const permissionLevels = ["read", "edit", "full"] as const;
export type Permissions = (typeof permissionLevels)[number];

/** What each level means, for people who choose one. */
export const PERMISSIONS_MEAN: Readonly<Record<Permissions, string>> = {
  read: "it may read files, but not change them or run commands",
  edit: "it may edit files in its folder; whether it may run commands depends on the client",
  full: "it may do anything you may do; run it in a container or a virtual machine",
};

/** A client that the loop knows how to launch and to read. */
function client<Kind extends string>(kind: Kind, program: string, title: string) {
  return z.strictObject({
    kind: z.literal(kind).describe(`${title}: signalbox knows its flags and its output.`),
    command: z.string().min(1).default(program).describe("The program: a name on PATH, or a path."),
    model,
    args: z.array(z.string()).max(100).default([]).describe("More arguments, added after ours."),
    permissions: z
      .enum(permissionLevels)
      .optional()
      .describe(
        "What it may do without asking: read files, also edit them, or anything. Default: run asks on a terminal; elsewhere edit.",
      ),
  });
}

const clientPrograms = [
  client("claude", "claude", "Claude Code"),
  client("codex", "codex", "Codex"),
  client("opencode", "opencode", "opencode"),
  client("gemini", "gemini", "Gemini CLI"),
] as const;

const agentProgram = z.discriminatedUnion("kind", [
  ...clientPrograms,
  z.strictObject({
    kind: z.literal("command").describe("Any program, with a template for its command line."),
    command: z
      .string()
      .min(1)
      .describe(
        "The template, which may contain {prompt_file}, {mcp_config}, {task}, {session}, {conversation} and {model}. It runs without a shell. The prompt is also on standard input.",
      ),
    model,
  }),
]);
export type AgentProgram = z.infer<typeof agentProgram>;
/** An agent of one of the clients that the loop knows. */
export type ClientProgram = Exclude<AgentProgram, { kind: "command" }>;
export type ClientKind = ClientProgram["kind"];

/** The kinds of agents, as the configuration names them. */
export const agentKinds = agentProgram.options.map(({ shape }) => shape.kind.value);

/** The recipes (src/mcp/recipes.ts) whose agents can close a session; a test holds that they are those. */
export const LOOP_RECIPES = ["signals", "task_execution", "all"] as const;

const commandLine = z.string().trim().min(1).max(GATE_COMMAND_LIMIT);
const path = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0\n]*$/, { error: "must be one line" });

export const worktrees = z.strictObject({
  base: name
    .refine((branch) => !/^-|\s|\.\.|[~^:?*[\\]/.test(branch), { error: "must be the name of a branch" })
    .optional()
    .describe("The branch that tasks start from and are merged into. Default: the current branch."),
  integrate: z
    .enum(["auto", "ask", "never"])
    .default("never")
    .describe(
      "When the branch of a done task is merged: automatically (auto), when you say so (ask), or never.",
    ),
  author: z
    .string()
    .max(300)
    .refine((author) => AUTHOR.test(author), {
      error: 'must be a name and an address, as in "Ada <ada@example.org>"',
    })
    .optional()
    .describe("The author of commits of uncommitted work. Default: git's user."),
  reopen: z
    .int()
    .min(0)
    .max(10)
    .default(1)
    .describe("How often auto returns a task to an agent after its merge conflicts or fails a gate."),
  setup: commandLine
    .optional()
    .describe(
      "A command line that runs in a new worktree before its first session, such as npm ci; with the shell and the environment of gates, but never isolated: it installs packages.",
    ),
  copy: z
    .array(path)
    .max(100)
    .default([])
    .describe(
      "Ignored files to copy from the checkout into a new worktree, as patterns of a .gitignore: .env, /config/*.local.json.",
    ),
  share: z
    .array(
      path.refine((one) => !one.split(/[\\/]/).some((part) => ["", "..", ".git", ".ralph"].includes(part)), {
        error: "must be a folder in the project, such as .cache/packages",
      }),
    )
    .max(20)
    .default([])
    .describe(
      "Ignored folders of the checkout that every worktree has as a link, such as a package cache; relative to the project.",
    ),
  keep: z
    .union([z.enum(["merged", "never"]), z.int().min(1).max(3_650)])
    .default("merged")
    .describe(
      "When the worktree and the branch of a done task are removed, if the base has its work and nothing is left in them: once merged, after so many days, or never.",
    ),
});
export type Worktrees = z.infer<typeof worktrees>;

/** How tasks have worktrees; undefined where they have none. */
export function worktreesOf({ worktrees: set }: Pick<Config, "worktrees">): Worktrees | undefined {
  if (set === false) return undefined;
  return set === true ? worktrees.parse({}) : set;
}

const relay = z.strictObject({
  folder: z
    .string()
    .max(100)
    .regex(/^\//, { error: "must be an absolute path" })
    .optional()
    .describe("The folder in which signalbox makes one for the sockets, signalbox-UID. Default: /tmp."),
  group: z
    .string()
    .regex(/^[\w.-]+\$?$/, { error: "must be the name or the number of a group" })
    .optional()
    .describe(
      "The group whose users may connect, for agents that run as another user. Default: only your own user.",
    ),
});
export type RelaySettings = z.infer<typeof relay>;

/** How agents reach their tools through the loop; undefined where they start servers of their own. */
export function relayOf(
  config: Pick<Config, "relay"> & Partial<Pick<Config, "sandbox">>,
): RelaySettings | undefined {
  if (config.relay === false) return sandboxOf(config) && {};
  return config.relay === true ? {} : config.relay;
}

/** How agents are kept in a sandbox; undefined where they are not. */
export function sandboxOf({ sandbox }: Partial<Pick<Config, "sandbox">>): Sandboxing | undefined {
  if (sandbox === undefined || sandbox.engine === "none") return undefined;
  return { ...sandbox, engine: sandbox.engine };
}

export type Sandboxing = SandboxSettings & { readonly engine: SandboxEngine };

/** This file travels with git, so no password may stand in it. */
const serverUrl = z
  .string()
  .min(1)
  .max(2_000)
  .superRefine((url, { addIssue }) => {
    const fault = hasPassword(url)
      ? `contains a password; put that into ~/.pgpass, or name the whole URL with ${LOG_URL_VARIABLE}`
      : urlFault(url);
    if (fault !== undefined) addIssue({ code: "custom", message: fault });
  })
  .optional();

/** The configuration of a project's loop, `.ralph/config.json`. Everything in it may be absent. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("The address of this schema, for editors."),
  agent: name.default("claude").describe("The agent to launch, by its name in agents."),
  agents: z
    .record(name, agentProgram)
    .default({})
    .describe("Agents by name; claude, codex, opencode and gemini need no entry."),
  recipe: z
    .enum(LOOP_RECIPES)
    .default("signals")
    .describe(
      "The agents' purpose, which decides their tools. signals: only to report; task_execution: also to read and extend their task, notes and learnings; all: every tool.",
    ),
  jobs: z.int().min(1).max(100).default(1).describe("Maximum number of sessions in parallel."),
  worktrees: z
    .union([z.boolean(), worktrees])
    .default(false)
    .describe("Gives each task its own git worktree. true is the same as an object with integrate never."),
  relay: z
    .union([z.boolean(), relay])
    .default(false)
    .describe(
      "Agents reach their tools through a socket of the loop, with signalbox mcp --via, instead of opening the log themselves. true is the same as an object without settings.",
    ),
  sandbox: sandboxSettings.prefault({}),
  limits: z
    .strictObject({
      session_s: seconds.default(3_600).describe("Time limit for a session, in seconds."),
      silence_s: seconds.default(900).describe("Time limit without output from the agent, in seconds."),
      after_closing_s: seconds
        .default(60)
        .describe("Time for an agent to exit after its closing verb, in seconds."),
      setup_s: seconds.default(1_800).describe("Time limit for the setup of a worktree, in seconds."),
      grace_s: seconds.default(10).describe("Time between SIGTERM and SIGKILL, in seconds."),
      backoff_s: pause
        .default(15)
        .describe(
          "Pause after an agent could not reach its model or its tools, in seconds; doubles each time, plus up to half as jitter.",
        ),
      backoff_most_s: pause.default(900).describe("Maximum length of such a pause, in seconds."),
      workspace_s: seconds
        .default(15)
        .describe("Interval for checking which files a running session has changed, in seconds."),
    })
    .prefault({}),
  budget: z
    .strictObject({
      usd: z.number().positive().optional().describe("Budget for one run of the loop, in US dollars."),
      tokens: z
        .int()
        .positive()
        .optional()
        .describe("Budget for one run of the loop, in input and output tokens."),
    })
    .prefault({}),
  prices: z
    .record(
      line,
      z.strictObject({
        input: z.number().min(0).describe("US dollars per million input tokens."),
        cached_input: z
          .number()
          .min(0)
          .optional()
          .describe("US dollars per million cached input tokens. Default: as input."),
        output: z.number().min(0).describe("US dollars per million output tokens."),
      }),
    )
    .default({})
    .describe("Prices by model, for agents whose client does not report its cost (codex, gemini)."),
  prompt: z
    .strictObject({
      tokens: z
        .int()
        .min(1_000)
        .max(1_000_000)
        .default(12_000)
        .describe("Maximum size of a prompt in tokens, estimated as a quarter of its characters."),
    })
    .prefault({}),
  escalation: z
    .strictObject({
      after_stuck: z
        .int()
        .min(1)
        .max(1_000)
        .default(2)
        .describe("The stuck count from which the next session uses the agent or model named here."),
      agent: name.optional().describe("Another agent, by its name in agents."),
      model: line.optional().describe("Another model, for that agent or the current one."),
    })
    .prefault({})
    .describe("Another agent or model for a task that is stuck."),
  gates: z
    .strictObject({
      folder: z
        .string()
        .min(1)
        .max(4_096)
        .default(".")
        .describe("The folder where gates run, relative to the workspace."),
      environment: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of a variable" }))
        .max(100)
        .default([])
        .describe(
          "Environment variables that gates get in addition to PATH, HOME, LANG, LC_*, TZ, TERM and CI.",
        ),
      shell: z
        .array(z.string().max(4_096))
        .min(1)
        .max(20)
        .optional()
        .describe(
          'The shell of gates with its arguments, as in ["bash", "-c"]; the command follows as the last one. Default: sh; on Windows that of Git for Windows, else PowerShell.',
        ),
      isolation: z
        .boolean()
        .default(false)
        .describe("Runs gates only without network and with a read-only root."),
      baseline: z
        .boolean()
        .default(false)
        .describe(
          "Runs a task's gates without its work, to know which fail then: with worktrees once on the base, in a copy that is thrown away; else before each session.",
        ),
      protect: z
        .array(path)
        .max(100)
        .default([])
        .describe(
          "Files that decide whether gates pass, as globs relative to the top of the repository: a human is asked about a done that changed or deleted one.",
        ),
      prove: z
        .boolean()
        .default(false)
        .describe(
          "With worktrees, after a verified done: runs its gates on a copy without the task's changes, those of tests left in; a gate that still passes did not test the work.",
        ),
      prove_runs: z
        .int()
        .min(1)
        .max(20)
        .default(3)
        .describe("How often changes are taken out for one gate, to find the files that it needs."),
    })
    .prefault({}),
  evidence: z
    .boolean()
    .default(true)
    .describe("Looks in the workspace at the end of a session for what its agent did there, if git is used."),
  fleet: z
    .strictObject({
      host_silence_s: z
        .int()
        .min(30)
        .max(24 * 3_600)
        .default(60)
        .describe(
          "On a log that hosts share: a host that is silent for so many seconds is suspect. 15 s earlier it ends its own agents.",
        ),
      recover: z
        .enum(["ask", "auto"])
        .default("ask")
        .describe(
          "Who declares a suspect host lost, which ends its sessions: you, with signalbox fleet lost (ask), or any driver (auto).",
        ),
    })
    .prefault({}),
  answers: z
    .strictObject({
      now: z
        .boolean()
        .default(false)
        .describe("Asks the human a blocking question at once, in the agent's client; never in a sandbox."),
      wait_s: seconds.default(300).describe("Time to wait there for an answer, in seconds."),
    })
    .prefault({}),
  people: peopleSettings,
  login: loginSettings,
  notices: noticeSettings.prefault({}),
  github: githubSettings,
  gitlab: gitlabSettings,
  metrics: z
    .strictObject({
      otlp: z
        .strictObject({
          endpoint: z
            .url({ protocol: /^https?$/ })
            .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
              error: "contains a user name or a password; put keys into OTEL_EXPORTER_OTLP_HEADERS",
            })
            .optional()
            .describe("The OTLP/HTTP endpoint for traces of sessions; /v1/traces is added."),
        })
        .prefault({}),
    })
    .prefault({}),
  log: z
    .strictObject({
      url: serverUrl.describe(
        `The log on a PostgreSQL that several hosts share, as in postgres://shop@db.example/fleet?schema=shop. ${LOG_URL_VARIABLE} overrides it. Default: the file beside the read model.`,
      ),
      patience_s: z
        .int()
        .min(1)
        .max(3_600)
        .default(60)
        .describe("How long an append waits for a primary, in seconds."),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** The agents that are there without being declared. */
const BUILT_IN_AGENTS: Readonly<Record<string, AgentProgram>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(clientPrograms.map((one) => builtIn(one))),
  // No model: it only reports, so that a loop can be tried.
  pretend: {
    kind: "command",
    command: `"${process.execPath}" "${packagePath("bin/signalbox.js")}" pretend {mcp_config}`,
  },
});

function builtIn(schema: (typeof clientPrograms)[number]): [string, AgentProgram] {
  const { value: kind } = schema.shape.kind;
  return [kind, agentProgram.parse({ kind })];
}

/** The agent with this name, declared or built in; undefined if there is none. */
export function findAgent({ agents }: Config, name: string): AgentProgram | undefined {
  return (Object.hasOwn(agents, name) && agents[name]) || BUILT_IN_AGENTS[name];
}

/** The names of all agents, declared ones first. */
export function agentNames({ agents }: Config): string[] {
  return [...new Set([...Object.keys(agents), ...Object.keys(BUILT_IN_AGENTS)])];
}

/** What a template of an agent's command line can have in braces. */
export const TEMPLATE_PLACES = [
  "prompt_file",
  "mcp_config",
  "task",
  "session",
  "conversation",
  "model",
] as const;
