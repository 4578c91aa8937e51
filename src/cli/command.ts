import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Subscription, throttleTime } from "rxjs";
import { ConfigError } from "../config/config.ts";
import { UnconfirmedConfigError } from "../config/confirmed.ts";
import { requireOutsideGates } from "../decisions/outside-gates.ts";
import { Refusal } from "../decisions/refusal.ts";
import { logPathBeside, openStore } from "../decisions/store.ts";
import { launchedEnvironment } from "../environment.ts";
import { LogError } from "../events/log-error.ts";
import { checkFolder } from "../events/project-folder.ts";
import { openSqliteLog } from "../events/sqlite-log.ts";
import { type TaskStatus, taskStatuses } from "../events/types/fields.ts";
import { ExchangeError } from "../exchange/exchange-error.ts";
import { recordInterrupted } from "../gates/interrupted.ts";
import { RunnerError } from "../gates/runner/runner-error.ts";
import { GateSyntaxError } from "../gates/syntax/gate-syntax-error.ts";
import { PromptError } from "../loop/prompt/prompt-error.ts";
import { LaunchError } from "../mcp/launch.ts";
import { NoClosingVerbError } from "../mcp/launching/closing.ts";
import { McpConfigError } from "../mcp/launching/mcp-config.ts";
import { findProject, Project, readModelPathIn } from "../project.ts";
import { takePartInKeeping } from "../projections/keeper.ts";
import type { ReadModel } from "../projections/read-model.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { AuditError, type AuditErrorCode } from "../replay/audit/audit-error.ts";
import { SimulationError } from "../replay/simulation.ts";
import { asHistoryError } from "../replay/time-travel/history/state-in-history.ts";
import { openKeptStates } from "../replay/time-travel/kept-states.ts";
import { pastStore } from "../replay/time-travel/past-store.ts";
import { PointError } from "../replay/time-travel/point-error.ts";
import { TelemetryError } from "../telemetry/telemetry-error.ts";
import { GitError } from "../workspace/git.ts";
import { fail, quoteLine } from "./output.ts";

/** Exit codes of every command. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unusable: 3 } as const;

export interface CommonOptions {
  readonly db?: string;
  readonly json?: boolean;
  readonly actor?: string;
  readonly key?: string;
  /** A point of the log, as `pointAt` understands it; only commands that show what follows from the log have it. */
  readonly at?: string;
  /** Of a command that must not record anything, not even what anybody records who opens the log. */
  readonly readOnly?: boolean;
}

/** `--db` and `--json`, which every command has that works on a project. */
export function projectOptions(command: Command): Command {
  return command
    .option("--db <path>", "the read model's file; absent: that of the nearest folder upwards with .ralph/")
    .option("--json", "print JSON for machines");
}

/** The same, and `--at`, for commands that show what follows from the log: `withProject` gives them the project as it was. */
export function readingOptions(command: Command): Command {
  return pointOption(projectOptions(command));
}

/** `--at` alone, for a command that shows what follows from the log and can record something too. */
export function pointOption(command: Command): Command {
  return command.option(
    "--at <point>",
    'as it was then: a position, HEAD~10, a time in UTC, or e.g. "2 hours ago"',
  );
}

/** The options of all, and who decides under which key, for commands that record something. */
export function writingOptions(command: Command, actor = "human"): Command {
  return projectOptions(command)
    .option("--actor <name>", "who decides, as the log names them", actor)
    .option("--key <key>", "your own key: sent again under it, the command is not done again");
}

/** Opens the project that the options name, as it is or as it was `at` a point, runs `work` on it, and closes it again. */
export async function withProject<T>(
  options: CommonOptions,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const path = readModelPath(options);
  warnOfFolder(path);
  if (options.at !== undefined) return withPast(path, options.at, options.actor ?? "human", work);
  const project = new Project(openStore(path, launchedEnvironment(process.env)), options.actor ?? "human");
  // What ends within half a second takes no part in it.
  const keeper = takePartInKeeping(project.store);
  const telling = tellRebuild(project.store.readModel);
  try {
    if (!options.readOnly) await recordInterrupted(project.store);
    // Every command that records something, and no other, says in whose name. Before anything else of it, as waiting for a lock.
    if (options.actor !== undefined) requireOutsideGates(project.store.readModel);
    return await work(project);
  } finally {
    telling.unsubscribe();
    keeper.stop();
    await project.close();
  }
}

/** A command that waits for a rebuild says so, and how far that is; a short one says nothing. */
function tellRebuild({ rebuilding }: ReadModel): Subscription {
  return rebuilding
    .pipe(throttleTime(REBUILD_NEWS_MS, undefined, { leading: false, trailing: true }))
    .subscribe(({ position, head }) =>
      warn(`rebuilding the read model: ${position} of ${Math.max(head, position)} events`),
    );
}

const REBUILD_NEWS_MS = 2_000;

/** The read model of the present is not opened, and nothing is appended. */
async function withPast<T>(
  path: string,
  at: string,
  actor: string,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const environment = launchedEnvironment(process.env);
  const log = openSqliteLog(logPathBeside(path), environment);
  try {
    const { store, point } = await pastStore({ log, environment }, at, openKeptStates(path, warn));
    try {
      return await work(new Project(store, actor, point));
    } catch (error) {
      throw asHistoryError(error, store.readModel);
    } finally {
      store.readModel.close();
    }
  } finally {
    await log.close();
  }
}

/** Tells the user what a command goes on without. */
export function warn(sentence: string): void {
  process.stderr.write(`signalbox: ${quoteLine(sentence, 300)}\n`);
}

/** Says it where a project belongs to somebody else. @throws LogError `disk`: its folder is a symbolic link */
export function warnOfFolder(path: string): void {
  const warning = checkFolder(path);
  if (warning) warn(warning);
}

/** The read model's file that the options name; a folder given to `--db` is that of a project. */
export function readModelPath({ db }: Pick<CommonOptions, "db">): string {
  if (db === undefined) return readModelPathIn(findProject(process.cwd()));
  const path = resolve(db);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readModelPathIn(path) : path;
}

/** The project's folder, for people: `.ralph/db/ralph.db` lies three below it. */
export function folderOf(options: Pick<CommonOptions, "db">): string {
  return dirname(dirname(dirname(readModelPath(options))));
}

/** Runs a command's action; an error that is meant for the user is printed as one, with its exit code. */
export async function guarded(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Refusal) fail(wordsOf(error), error.code, EXIT.refused);
    else if (error instanceof LogError && USAGE.has(error.code)) fail(error.message, error.code, EXIT.usage);
    else if (error instanceof LogError || error instanceof ReadModelError)
      fail(error.message, error.code, EXIT.unusable);
    else if (error instanceof LaunchError || error instanceof SimulationError)
      fail(error.message, "usage", EXIT.usage);
    else if (error instanceof GateSyntaxError || error instanceof PointError)
      fail(error.message, error.code, EXIT.usage);
    else if (error instanceof UnconfirmedConfigError) fail(error.message, "unconfirmed", EXIT.usage);
    else if (error instanceof ConfigError) fail(error.message, "config", EXIT.usage);
    else if (error instanceof McpConfigError) fail(error.message, "server_clash", EXIT.refused);
    else if (error instanceof NoClosingVerbError) fail(error.message, "no_closing_verb", EXIT.refused);
    else if (error instanceof RunnerError) fail(error.message, error.code, EXIT.unusable);
    else if (error instanceof GitError) fail(error.message, "git", EXIT.unusable);
    else if (error instanceof AuditError)
      fail(error.message, error.code, AUDIT_EXITS[error.code] ?? EXIT.refused);
    else if (error instanceof ExchangeError)
      fail(error.message, error.code, error.code === "not_found" ? EXIT.usage : EXIT.refused);
    else if (error instanceof TelemetryError)
      fail(error.message, error.code, error.code === "no_endpoint" ? EXIT.usage : EXIT.refused);
    else if (error instanceof PromptError)
      fail(error.message, error.code, error.code === "too_large" ? EXIT.usage : EXIT.refused);
    else if (isOfSystem(error)) fail(error.message, "disk", EXIT.unusable);
    else throw error;
  }
}

/** A refusal's message, with the option that its decision knows nothing of. */
function wordsOf({ code, message }: Refusal): string {
  return code === "not_ready" ? `${message.slice(0, -1)} (--force).` : message;
}

/** What the operating system refuses: no right to write, no room, no such folder. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

const USAGE: ReadonlySet<string> = new Set(["invalid_event", "unknown_event_type", "id_conflict"]);

/** Of heads, keys and proofs: what cannot be read as what it must be, and what is not read at all. All else is refused. */
const AUDIT_EXITS: Readonly<Partial<Record<AuditErrorCode, number>>> = {
  bad_key: EXIT.usage,
  bad_head: EXIT.usage,
  unused_key: EXIT.usage,
  too_large: EXIT.unusable,
};

export function parseId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1) {
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  }
  return id;
}

export function parseCount(text: string): number {
  return parseId(text);
}

export function parseWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 0 on.");
  return Number(text);
}

/** US dollars. */
export function parseAmount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It must be an amount such as 2.50.");
  return Number(text);
}

/** The values of an option that can be given more than once. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The same, for lists that can be emptied: an empty value stands for none. */
export function collectOrNone(value: string, before: readonly string[] = []): string[] {
  return value === "" ? [...before] : [...before, value];
}

/** Names, separated by commas; an empty text for none. */
export function parseNames(text: string): string[] {
  return text === "" ? [] : text.split(",").map((part) => part.trim());
}

export function parseIds(text: string): number[] {
  return text === "" ? [] : text.split(",").map((part) => parseId(part.trim()));
}

/** `completed` is an alias of `done` (rules.md, Task statuses). */
export function parseStatus(text: string): TaskStatus {
  const status = taskStatuses.find((known) => known === (text === "completed" ? "done" : text));
  if (!status) throw new InvalidArgumentError(`It must be one of ${taskStatuses.join(", ")}.`);
  return status;
}
