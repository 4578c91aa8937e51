import { z } from "zod";
import { line, name } from "../events/types/fields.ts";
import { AUTHOR } from "../lib/author.ts";
import { packagePath } from "../lib/package-root.ts";

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
  read: "it reads files; it changes none and runs no commands",
  edit: "it edits files of its folder; whether it runs commands depends on the client",
  full: "it does whatever it likes, with your rights; run it in a container or a virtual machine",
};

/** A client that the loop knows how to launch and to read. */
function client<Kind extends string>(kind: Kind, program: string, title: string) {
  return z.strictObject({
    kind: z.literal(kind).describe(`${title}: launched with its own flags, its output understood.`),
    command: z.string().min(1).default(program).describe("The program: a name on PATH, or a path."),
    model,
    args: z.array(z.string()).max(100).default([]).describe("Further arguments, after ours."),
    permissions: z
      .enum(permissionLevels)
      .optional()
      .describe("What it may do without asking: read files, edit them too, or everything."),
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
    kind: z.literal("command").describe("Any program, by a template of its command line."),
    command: z
      .string()
      .min(1)
      .describe(
        "The template: words with {prompt_file}, {mcp_config}, {task}, {session}, {conversation}, {model} in them; no shell reads it. The prompt is its standard input too.",
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

const worktrees = z.strictObject({
  base: name
    .refine((branch) => !/^-|\s|\.\.|[~^:?*[\\]/.test(branch), { error: "must be the name of a branch" })
    .optional()
    .describe("The branch that tasks begin on and are merged into; absent: the one that is checked out."),
  integrate: z
    .enum(["auto", "ask", "never"])
    .default("never")
    .describe("Whether the branch of a done task is merged: by itself, when you say so, or never."),
  author: z
    .string()
    .max(300)
    .refine((author) => AUTHOR.test(author), {
      error: 'must be a name and an address, as in "Ada <ada@example.org>"',
    })
    .optional()
    .describe("Who is named as the author of what was left uncommitted; absent: the user whom git knows."),
  reopen: z
    .int()
    .min(0)
    .max(10)
    .default(1)
    .describe("How often auto gives a task back to an agent whose merge conflicts or fails its gates."),
});
export type Worktrees = z.infer<typeof worktrees>;

/** How tasks have worktrees; undefined where they have none. */
export function worktreesOf({ worktrees: set }: Pick<Config, "worktrees">): Worktrees | undefined {
  if (set === false) return undefined;
  return set === true ? worktrees.parse({}) : set;
}

/** The configuration of a project's loop, `.ralph/config.json`. Everything in it may be absent. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("Where editors find this schema."),
  agent: name.default("claude").describe("The agent that is launched, by its name in agents."),
  agents: z
    .record(name, agentProgram)
    .default({})
    .describe("Agents by their names; claude, codex, opencode and gemini need no declaration."),
  recipe: z
    .enum(LOOP_RECIPES)
    .default("signals")
    .describe("What agents are launched for, and so the tools that they have."),
  jobs: z.int().min(1).max(100).default(1).describe("Sessions at the same time, at most."),
  worktrees: z
    .union([z.boolean(), worktrees])
    .default(false)
    .describe("Each task is worked on in a git worktree of its own; true: and nothing is merged."),
  limits: z
    .strictObject({
      session_s: seconds.default(3_600).describe("Seconds for a whole session."),
      silence_s: seconds.default(900).describe("Seconds without a line of output from the agent."),
      after_closing_s: seconds
        .default(60)
        .describe("Seconds for an agent that has called a closing verb and does not end."),
      grace_s: seconds.default(10).describe("Seconds from TERM to KILL."),
      backoff_s: pause
        .default(15)
        .describe(
          "Seconds before the next session, after one whose agent could not reach its model or its tools; each time twice as long.",
        ),
      backoff_most_s: pause.default(900).describe("Seconds of such a pause, at most."),
      workspace_s: seconds
        .default(15)
        .describe("Seconds between two looks at the files that a running session has changed."),
    })
    .prefault({}),
  budget: z
    .strictObject({
      usd: z.number().positive().optional().describe("US dollars for one run of the loop."),
      tokens: z.int().positive().optional().describe("Tokens in and out for one run of the loop."),
    })
    .prefault({}),
  prices: z
    .record(
      line,
      z.strictObject({
        input: z.number().min(0).describe("US dollars for a million tokens in."),
        cached_input: z.number().min(0).optional().describe("The same for those from a cache."),
        output: z.number().min(0).describe("US dollars for a million tokens out."),
      }),
    )
    .default({})
    .describe("Prices by model, for agents whose client does not tell its cost."),
  prompt: z
    .strictObject({
      tokens: z
        .int()
        .min(1_000)
        .max(1_000_000)
        .default(12_000)
        .describe("The size of a prompt, at most; estimated as a quarter of its characters."),
    })
    .prefault({}),
  escalation: z
    .strictObject({
      after_stuck: z
        .int()
        .min(1)
        .max(1_000)
        .default(2)
        .describe("How often a task has been stuck when the next session is started differently."),
      agent: name.optional().describe("Another agent, by its name in agents."),
      model: line.optional().describe("Another model, for that agent or the same one."),
    })
    .prefault({})
    .describe("What is done differently for a task that is stuck."),
  gates: z
    .strictObject({
      folder: z
        .string()
        .min(1)
        .max(4_096)
        .default(".")
        .describe("Where gates are run: the workspace, or a folder in it, as a path from there."),
      environment: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of a variable" }))
        .max(100)
        .default([])
        .describe("Names of variables that gates get beside PATH, HOME, LANG, LC_*, TZ, TERM and CI."),
      isolation: z
        .boolean()
        .default(false)
        .describe("True: gates are run without network and with a read-only root, or not at all."),
      baseline: z
        .boolean()
        .default(false)
        .describe("True: the loop runs a task's gates before each session, to know what fails already."),
    })
    .prefault({}),
  answers: z
    .strictObject({
      now: z
        .boolean()
        .default(false)
        .describe("True: a blocking question is put to the human at the agent's client at once."),
      wait_s: seconds.default(300).describe("Seconds that it waits there for an answer."),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      otlp: z
        .strictObject({
          endpoint: z
            .url({ protocol: /^https?$/ })
            .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
              error: "has a user name or a password in it; keys belong into OTEL_EXPORTER_OTLP_HEADERS",
            })
            .optional()
            .describe("Where traces of sessions are sent, by OTLP/HTTP; /v1/traces is added."),
        })
        .prefault({}),
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

/** The agent of a name, declared or built in; undefined where there is none. */
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
