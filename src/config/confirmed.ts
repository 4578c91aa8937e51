import { lstatSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { errorMessage } from "../lib/error-message.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { writeWhole } from "../lib/write-whole.ts";
import { type Config, ConfigError, type ConfigFile, configIn, readConfigFile, valueIn } from "./config.ts";
import { configPathOf } from "./config-path.ts";
import { projectName, stateRootOf } from "./project-state.ts";
import { STATE_VARIABLE } from "./state-folder.ts";

/**
 * The configuration by which something may be started or sent: the one that a human has confirmed (docs/decisions/0035).
 * The file travels with git, so whoever can bring a branch could else choose the programs that are run here.
 *
 * @param env the variables that say where confirmations are kept
 * @throws UnconfirmedConfigError; ConfigError
 */
export function confirmedConfig(
  readModelPath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  return requireConfirmed(inspectConfig(readModelPath, env));
}

/** Nobody has confirmed the configuration as it is, or whether somebody has cannot be told; `message` says what to do. */
export class UnconfirmedConfigError extends ConfigError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, code: "unconfirmed" });
  }
}

/** A configuration, and what a human has said of it. */
export interface InspectedConfig {
  readonly readModelPath: string;
  readonly path: string;
  /** Undefined if there is no file. */
  readonly file: ConfigFile | undefined;
  /** Parsed from the very bytes of `file`. */
  readonly config: Config;
  /** What was confirmed last; undefined: that there is no file, or nothing yet, which is the same. */
  readonly confirmed: ConfigFile | undefined;
  readonly isConfirmed: boolean;
  /** Where the confirmation is kept, or why it cannot be. */
  readonly record: { readonly path: string } | { readonly problem: string };
}

/**
 * Reads the configuration once, and what was confirmed. Without a file the defaults hold, which nobody must confirm; but a file that
 * was confirmed and is gone is a change too: it may have asked for isolation.
 *
 * @throws ConfigError: the file cannot be used; UnconfirmedConfigError: what was confirmed cannot be looked up
 */
export function inspectConfig(
  readModelPath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): InspectedConfig {
  const path = configPathOf(readModelPath);
  const file = readConfigFile(path);
  const config = configIn(file, path);
  const record = recordOf(dirname(path), env);
  if ("problem" in record) {
    if (file) throw new UnconfirmedConfigError(cannotTell(path, record.problem));
    return { readModelPath, path, file, config, confirmed: undefined, isConfirmed: true, record };
  }
  const confirmed = readRecord(record.path);
  const isConfirmed = file?.sha256 === confirmed?.sha256;
  return { readModelPath, path, file, config, confirmed, isConfirmed, record };
}

/** @throws UnconfirmedConfigError */
export function requireConfirmed({ readModelPath, path, config, isConfirmed }: InspectedConfig): Config {
  if (isConfirmed) return config;
  const folder = dirname(path);
  const command =
    basename(folder) === ".ralph"
      ? `\`signalbox config trust\` in ${dirname(folder)}`
      : `\`signalbox config trust --db ${readModelPath}\``;
  throw new UnconfirmedConfigError(
    `${path} has changes that no human has confirmed, so signalbox runs and sends nothing. Review and confirm them with ${command}.`,
  );
}

/**
 * Where the configuration has the log, as a human confirmed it; the rest of the file may have changed since. A stranger's log would
 * get what agents write, and give the gates' commands.
 *
 * @throws UnconfirmedConfigError; ConfigError
 */
export function confirmedLog(
  readModelPath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config["log"] {
  const inspected = inspectConfig(readModelPath, env);
  const { path, config, confirmed } = inspected;
  return isDeepStrictEqual(logIn(confirmed), logIn(inspected.file))
    ? config.log
    : requireConfirmed(inspected).log;

  function logIn(file: ConfigFile | undefined): unknown {
    const value = valueIn(file, path);
    return typeof value === "object" && value !== null && "log" in value ? value.log : undefined;
  }
}

/** Records that a human has confirmed a configuration, as it was inspected. @throws ConfigError: it cannot be kept */
export function confirmConfig({ path, file, record }: InspectedConfig): void {
  if ("problem" in record) throw new ConfigError(cannotTell(path, record.problem));
  try {
    if (!file) rmSync(record.path, { force: true });
    else {
      for (const folder of [dirname(dirname(record.path)), dirname(record.path)]) makePrivateFolder(folder);
      writeWhole(record.path, `${JSON.stringify({ path, ...file }, undefined, 2)}\n`);
    }
  } catch (cause) {
    throw new ConfigError(
      `The confirmation of ${path} cannot be saved in ${dirname(record.path)}: ${reason(cause)}. ` +
        `Make that folder writable, or set ${STATE_VARIABLE} to one that is.`,
      { cause },
    );
  }
}

function recordOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): InspectedConfig["record"] {
  const state = stateRootOf(folder, env);
  return "problem" in state ? state : { path: join(state.folder, "config", `${projectName(folder)}.json`) };
}

/** Undefined where nothing was confirmed, or a text is there that is no record: then it is to be confirmed anew. */
function readRecord(path: string): ConfigFile | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isFile() || (process.getuid && stats.uid !== process.getuid()))
      throw new Error("it is not a file of yours");
    const { success, data } = recordSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return success ? data : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw new UnconfirmedConfigError(
      `The confirmed configurations cannot be read in ${path}: ${reason(cause)}. ` +
        `Make that file readable, or set ${STATE_VARIABLE} to another folder.`,
      { cause },
    );
  }
}

const recordSchema = z.object({ text: z.string(), sha256: z.string() });

/** As a part of a sentence. */
function reason(cause: unknown): string {
  return errorMessage(cause).replace(/\.$/, "");
}

function cannotTell(path: string, problem: string): string {
  return `Nothing is run or sent, because it is unknown whether a human confirmed ${path}: ${problem}`;
}
