import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Subscription, take, throttleTime } from "rxjs";
import { findProject } from "../../api/find-project.ts";
import { Project, readModelPathIn } from "../../api/project.ts";
import { trustAdvice } from "../../config/known-log.ts";
import { requireOutsideGates } from "../../decisions/outside-gates.ts";
import { closeStore, openStore, type Store } from "../../decisions/store.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import { HUMAN, isNameOfPerson } from "../../events/actors.ts";
import { recordInterrupted } from "../../gates/interrupted.ts";
import { LogError } from "../../lib/log-error.ts";
import { checkFolder } from "../../lib/project-folder.ts";
import { fail, quoteLine } from "../../lib/terminal/output.ts";
import { ToldError } from "../../lib/told-error.ts";
import { BadValue } from "../../operations/command-words.ts";
import type { LeftToAgents } from "../../operations/tool-use.ts";
import { isInReach } from "../../read-model/ask.ts";
import { takePartInKeeping } from "../../read-model/keeper.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ReadModelError } from "../../read-model/read-model-error.ts";
import { makeAnew } from "../../read-model/worker.ts";
import { calledVia } from "./called-via.ts";
import { carriedSessions } from "./carried-sessions.ts";
import { NOT_AN_ID } from "./plain-command.ts";

/** Exit codes of every command. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unusable: 3 } as const;

export interface CommonOptions extends LeftToAgents {
  readonly db?: string;
  readonly json?: boolean;
  readonly actor?: string;
  readonly key?: string;
  /** A point of the log, as `pointAt` understands it; only commands that show what follows from the log have it. */
  readonly at?: string;
  /** Of a command that answers from the read model while the log's server does not answer, and says so. */
  readonly mayLag?: boolean;
  /** Of a command that must not record anything, not even what anybody records who opens the log. */
  readonly readOnly?: boolean;
}

/** `--db` and `--json`, which every command has that works on a project. */
export function projectOptions(command: Command): Command {
  return jsonOption(
    command.option(
      "--db <path>",
      "the read model's file (default: the nearest .ralph/ in this folder or above)",
    ),
  );
}

/** `--json` alone, for a command that needs no project. */
export function jsonOption(command: Command): Command {
  return command.option("--json", "print JSON for machines");
}

/** The same, and `--at`, for commands that show what follows from the log: `withProject` gives them the project as it was. */
export function readingOptions(command: Command): Command {
  return pointOption(projectOptions(command));
}

/** `--at` alone, for a command that shows what follows from the log and can record something too. */
export function pointOption(command: Command): Command {
  return command.option(
    "--at <point>",
    'show the state at this point: a position, HEAD~10, a time in UTC, or e.g. "2 hours ago"',
  );
}

/** The options of all, and who decides under which key, for commands that record something. */
export function writingOptions(command: Command, actor = "human"): Command {
  return projectOptions(command)
    .option("--actor <name>", "the actor's name in the log", actor)
    .option("--key <key>", "an idempotency key: a command sent again with the same key is not repeated");
}

/** Opens the project that the options name, as it is or as it was `at` a point, runs `work` on it, and closes it again. */
export async function withProject<T>(
  options: CommonOptions,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const path = readModelPath(options);
  warnOfFolder(path);
  if (options.at !== undefined) {
    // Most commands ask of the present: they need not load what looks into the past.
    const { withPast } = await import("./with-past.ts");
    return withPast({ path, at: options.at, actor: options.actor ?? "human", warn }, work);
  }
  const store = await openStore(path, launchedEnvironment(process.env), { mayLag: options.mayLag ?? false });
  // What ends within half a second takes no part in it.
  const keeper = takePartInKeeping(store);
  const { readModel, log } = store;
  const telling = tellRebuild(readModel);
  let isOutdated = false;
  telling.add(
    readModel.outdated.pipe(take(1)).subscribe((position) => {
      isOutdated = true;
      warn(
        `an older version of signalbox built this, up to event ${position}; it is being rebuilt from the log.`,
      );
    }),
  );
  try {
    const isReached = !options.mayLag || (await isInReach(log));
    // Whoever wants to record something is refused with the same words.
    if (isReached && options.actor === undefined) await warnOfLog(store, path);
    if (!options.readOnly && isReached) await recordInterrupted(store);
    const result = await work(await actingProject(store, options));
    if (isOutdated && isReached) await makeAnew(readModel, log).catch(warnOfReadModel);
    return result;
  } finally {
    telling.unsubscribe();
    keeper.stop();
    await closeStore(store);
  }
}

/**
 * Every command that records something, and no other, says in whose name.
 *
 * @throws Refusal `in_gate`; `not_possible`: an agent's process asks for what is not its own
 */
async function actingProject(store: Store, { actor, ...asked }: CommonOptions): Promise<Project> {
  if (actor === undefined) return new Project(store, HUMAN);
  // Before anything else of it, as waiting for a lock.
  requireOutsideGates(store.readModel);
  const carried = carriedSessions();
  if (carried.length > 0) {
    const { agentProject } = await import("./agent-project.ts");
    const project = await agentProject(store, carried, asked);
    if (project) return project;
  }
  return new Project(store, actor, { via: isNameOfPerson(actor) ? calledVia() : undefined });
}

/** The command has answered by now: what keeps the new tables from being made fails the next decision. */
function warnOfReadModel(error: unknown): void {
  if (!(error instanceof ReadModelError)) throw error;
  warn(error.message);
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

/** Tells the user what a command goes on without. */
export function warn(sentence: string): void {
  process.stderr.write(`signalbox: ${quoteLine(sentence, 300)}\n`);
}

/** Says it where a project belongs to somebody else. @throws LogError `disk`: its folder is a symbolic link */
export function warnOfFolder(path: string): void {
  const warning = checkFolder(path);
  if (warning) warn(warning);
}

/** Whoever reads a log that nobody here knows is told so. */
async function warnOfLog({ guard, log }: Store, path: string): Promise<void> {
  try {
    const standing = (await guard?.standing(log)) ?? "known";
    if (standing !== "known") warn(trustAdvice(standing, path));
  } catch (error) {
    if (!(error instanceof LogError && error.code === "no_state")) throw error;
    warn(`Nothing can be recorded here: ${error.message}`);
  }
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
    if (error instanceof ToldError) fail(wordsOf(error), error.code, EXIT[error.fault]);
    else if (isWithoutNativeCode(error)) fail(NO_NATIVE_CODE, "no_native_code", EXIT.unusable);
    else if (isOfSystem(error)) fail(error.message, "disk", EXIT.unusable);
    else throw error;
  }
}

/** A refusal's message, with the option that its decision knows nothing of. */
function wordsOf({ code, message }: ToldError): string {
  return code === "not_ready" || code === "paused" ? `${message.slice(0, -1)} (--force).` : message;
}

/** better-sqlite3 has no binary for this platform, or it does not load. */
function isWithoutNativeCode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("code" in error && error.code === "ERR_DLOPEN_FAILED") ||
    /^Cannot find module .*better_sqlite3\.node/.test(error.message)
  );
}

const NO_NATIVE_CODE =
  "better-sqlite3 has no binary that loads here: it brings them for Linux, macOS and Windows on x64 and arm64. " +
  "If this is one of them, install signalbox again on this machine with `npm install --global signalbox`.";

/** What the operating system refuses: no right to write, no room, no such folder. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

export function parseId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1) {
    throw new InvalidArgumentError(NOT_AN_ID);
  }
  return id;
}

export function parseCount(text: string): number {
  return parseId(text);
}

export function parseWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number, 0 or higher.");
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

export function parseIds(text: string): number[] {
  return text === "" ? [] : text.split(",").map((part) => parseId(part.trim()));
}

/** Reads a value as `parse` does, and tells commander what is wrong with it. @param must what to say, where it is not what `parse` says */
export function asParser<Value>(
  parse: (text: string, before: never) => Value,
  must?: string,
): (text: string, before: unknown) => Value {
  return (text, before) => {
    try {
      // Commander gives what this gave before.
      return parse(text, before as never);
    } catch (error) {
      if (error instanceof BadValue) throw new InvalidArgumentError(error.message);
      throw must === undefined ? error : new InvalidArgumentError(must);
    }
  };
}
