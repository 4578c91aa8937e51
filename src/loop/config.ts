import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/** The configuration of a project's loop, `.ralph/config.json`. Everything in it may be absent. */
const seconds = z
  .int()
  .min(1)
  .max(7 * 24 * 3_600);

const agentProgram = z.discriminatedUnion("kind", [
  z.strictObject({
    /** Claude Code: launched with its own flags, its stream understood. */
    kind: z.literal("claude"),
    command: z.string().min(1).default("claude"),
    model: z.string().min(1).optional(),
    /** Further arguments, after ours. */
    args: z.array(z.string()).max(100).default([]),
  }),
  z.strictObject({
    /** Any program, by a template of its command line; no shell reads it. */
    kind: z.literal("command"),
    /** Words with `{prompt_file}`, `{mcp_config}`, `{task}`, `{session}`, `{model}` in them. */
    command: z.string().min(1),
    model: z.string().min(1).optional(),
  }),
]);
export type AgentProgram = z.infer<typeof agentProgram>;

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The agent that is launched, by its name in `agents`. */
  agent: z.string().min(1).default("claude"),
  agents: z.record(z.string().min(1).max(100), agentProgram).default({}),
  /** Sessions at the same time, at most. */
  jobs: z.int().min(1).max(100).default(1),
  /** True: each task is worked on in a git worktree of its own. */
  worktrees: z.boolean().default(false),
  limits: z
    .strictObject({
      /** For a whole session. */
      session_s: seconds.default(3_600),
      /** Without a line of output from the agent. */
      silence_s: seconds.default(900),
      /** For an agent that has called a closing verb and does not end. */
      after_closing_s: seconds.default(60),
      /** From TERM to KILL. */
      grace_s: seconds.default(10),
      /** How often the workspace of a running session is looked at for files that changed. */
      workspace_s: seconds.default(15),
    })
    .prefault({}),
  budget: z
    .strictObject({
      /** For one run of the loop. */
      usd: z.number().positive().optional(),
      tokens: z.int().positive().optional(),
    })
    .prefault({}),
  prompt: z
    .strictObject({
      /** The size of a prompt, at most; estimated as a quarter of its characters. */
      tokens: z.int().min(1_000).max(1_000_000).default(12_000),
    })
    .prefault({}),
  /** What is done differently when a task has been stuck this many times. */
  escalation: z
    .strictObject({
      after_stuck: z.int().min(1).max(1_000).default(2),
      /** Another agent of `agents`, or another model for the same one. */
      agent: z.string().min(1).optional(),
      model: z.string().min(1).optional(),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** The agents that are there without being declared. */
const BUILT_IN: Readonly<Record<string, AgentProgram>> = Object.assign(Object.create(null), {
  claude: { kind: "claude", command: "claude", args: [] },
});

/** `.ralph/config.json` cannot be used; `message` names each fault and what would be right. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export function configPathOf(readModelPath: string): string {
  return join(dirname(dirname(readModelPath)), "config.json");
}

/**
 * The configuration of the project of a read model; defaults where there is none.
 *
 * @throws ConfigError
 */
export function readConfig(readModelPath: string): Config {
  const path = configPathOf(readModelPath);
  if (!existsSync(path)) return parseConfig({}, path);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ConfigError(`${path} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
  return parseConfig(value, path);
}

/** @throws ConfigError */
export function parseConfig(value: unknown, path: string): Config {
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path: at, message }) => `${at.join(".") || "the whole"}: ${message}`,
    );
    throw new ConfigError(`${path} cannot be used. ${faults.join("; ")}.`);
  }
  const config = parsed.data;
  agentNamed(config, config.agent);
  if (config.escalation.agent !== undefined) agentNamed(config, config.escalation.agent);
  return config;
}

/** @throws ConfigError: there is no agent of that name */
export function agentNamed(config: Config, name: string): AgentProgram {
  const program = (Object.hasOwn(config.agents, name) && config.agents[name]) || BUILT_IN[name];
  if (!program) {
    const known = [...new Set([...Object.keys(config.agents), ...Object.keys(BUILT_IN)])].join(", ");
    throw new ConfigError(`There is no agent "${name}"; .ralph/config.json has ${known}.`);
  }
  return program;
}
