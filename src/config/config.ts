import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { errorMessage } from "../lib/error-message.ts";
import { ToldError } from "../lib/told-error.ts";
import { configPathOf } from "./config-path.ts";
import type { ConfigFault } from "./fault.ts";
import { faultsIn } from "./faults.ts";
import { type AgentProgram, agentNames, type Config, configSchema, findAgent } from "./schema.ts";

export type { AgentProgram, Config } from "./schema.ts";

/** `.ralph/config.json` cannot be used; `message` names each fault and what would be right. */
export class ConfigError extends ToldError<"config" | "unconfirmed"> {
  override readonly name = "ConfigError";
  readonly fault = "usage";
  readonly faults: readonly ConfigFault[];

  constructor(
    message: string,
    options: ErrorOptions & { readonly faults?: readonly ConfigFault[]; readonly code?: "unconfirmed" } = {},
  ) {
    super(options.code ?? "config", message, options);
    this.faults = options.faults ?? [];
  }
}

/** A configuration's file as it was read: all that follows from it follows from the same bytes. */
export interface ConfigFile {
  readonly text: string;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * The configuration of the project of a read model; defaults where there is none. Only to show it, or to build a text: nobody may
 * have confirmed it. Whatever starts or sends something by it takes `confirmedConfig`.
 *
 * @throws ConfigError
 */
export function readConfig(readModelPath: string): Config {
  const path = configPathOf(readModelPath);
  return configIn(readConfigFile(path), path);
}

/** Undefined where there is no file. @throws ConfigError: it cannot be read */
export function readConfigFile(path: string): ConfigFile | undefined {
  const bytes = readBytes(path);
  return bytes && { text: bytes.toString("utf8"), sha256: hash("sha256", bytes) };
}

/** The configuration in a file; the defaults if there is no file. @throws ConfigError */
export function configIn(file: ConfigFile | undefined, path: string): Config {
  return parseConfig(valueIn(file, path), path);
}

/** A file's content, not yet validated; an empty object if there is no file. @throws ConfigError: it is not JSON */
export function valueIn(file: ConfigFile | undefined, path: string): unknown {
  if (!file) return {};
  try {
    return JSON.parse(file.text);
  } catch (cause) {
    throw new ConfigError(`${path} is not JSON: ${errorMessage(cause)}.`, { cause });
  }
}

/** @throws ConfigError */
export function parseConfig(value: unknown, path: string): Config {
  const faults = faultsIn(value);
  if (faults.length > 0) {
    const listed = faults.map((fault) => `${fault.path || "the whole file"}: ${fault.message}`).join("; ");
    throw new ConfigError(`${path} cannot be used. ${listed}.`, { faults });
  }
  return configSchema.parse(value, { jitless: true });
}

/** @throws ConfigError: there is no agent of that name */
export function agentNamed(config: Config, name: string): AgentProgram {
  const program = findAgent(config, name);
  if (!program) {
    throw new ConfigError(
      `There is no agent "${name}". The agents in .ralph/config.json are ${agentNames(config).join(", ")}.`,
    );
  }
  return program;
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read: ${errorMessage(cause)}.`, { cause });
  }
}
