import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ralphFolderOf } from "../events/project-folder.ts";
import { type ConfigFault, faultsIn } from "./faults.ts";
import { type AgentProgram, agentNames, type Config, configSchema, findAgent } from "./schema.ts";

export type { AgentProgram, Config } from "./schema.ts";

/** `.ralph/config.json` cannot be used; `message` names each fault and what would be right. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly ConfigFault[];

  constructor(message: string, options: ErrorOptions & { readonly faults?: readonly ConfigFault[] } = {}) {
    super(message, options);
    this.faults = options.faults ?? [];
  }
}

export function configPathOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "config.json");
}

/**
 * The configuration of the project of a read model; defaults where there is none.
 *
 * @throws ConfigError
 */
export function readConfig(readModelPath: string): Config {
  const path = configPathOf(readModelPath);
  return parseConfig(readConfigFile(path) ?? {}, path);
}

/** What the file holds, not yet looked at; undefined where there is none. @throws ConfigError: it cannot be read */
export function readConfigFile(path: string): unknown {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`${path} is no JSON: ${messageOf(cause)}.`, { cause });
  }
}

/** @throws ConfigError */
export function parseConfig(value: unknown, path: string): Config {
  const faults = faultsIn(value);
  if (faults.length > 0) {
    const listed = faults.map((fault) => `${fault.path || "the whole"}: ${fault.message}`).join("; ");
    throw new ConfigError(`${path} cannot be used. ${listed}.`, { faults });
  }
  return configSchema.parse(value);
}

/** @throws ConfigError: there is no agent of that name */
export function agentNamed(config: Config, name: string): AgentProgram {
  const program = findAgent(config, name);
  if (!program) {
    throw new ConfigError(
      `There is no agent "${name}"; .ralph/config.json has ${agentNames(config).join(", ")}.`,
    );
  }
  return program;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
