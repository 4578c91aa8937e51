import { lstatSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { concatAll, type Observable } from "rxjs";
import type { z } from "zod";
import { forgetLog, knownLog, trustLog } from "../config/known-log.ts";
import { locationOf } from "../config/locate-log.ts";
import { projectState } from "../config/project-state.ts";
import { type Decided, type Decision, type DecisionOptions, decide } from "../decisions/decide.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { closeStore, openStore, type Store } from "../decisions/store.ts";
import { systemEnvironment } from "../decisions/system-environment.ts";
import { together } from "../decisions/together.ts";
import { HUMAN } from "../events/actors.ts";
import { encodeEvent } from "../events/encoding.ts";
import type { EventDefinition, StoredEvent, Via } from "../events/event.ts";
import type { EventLog } from "../events/log.ts";
import { type LogLocation, logExists } from "../events/log-location.ts";
import { createLog, openLog } from "../events/open-log.ts";
import type { Event, EventType } from "../events/types/index.ts";
import { giveOwnEvents, type OwnEvent } from "../events/types/own.ts";
import { recordInterrupted } from "../gates/interrupted.ts";
import { asHistoryError } from "../history/time-travel/history/state-in-history.ts";
import { pastIsPast } from "../history/time-travel/log-until.ts";
import { pastStore } from "../history/time-travel/past-store.ts";
import type { Point } from "../history/time-travel/point-at.ts";
import type { OnProgress } from "../history/time-travel/state-at.ts";
import type { Environment } from "../lib/environment.ts";
import { errorMessage } from "../lib/error-message.ts";
import { LogError } from "../lib/log-error.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { checkFolder } from "../lib/project-folder.ts";
import { regenerate } from "../mcp/generating/regenerate.ts";
import { createGeneral } from "../operations/general.ts";
import { describeProject } from "../operations/project.ts";
import type { Projection } from "../projections/projection.ts";
import { ask } from "../read-model/ask.ts";
import { withOwn } from "../read-model/own.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { catchUp } from "../read-model/worker.ts";
import { bindQueries } from "./queries.ts";
import { readModelPathIn } from "./read-model-path.ts";

export { readModelPathIn };

export interface ProjectOptions {
  /** Who decides, as the log names them: a person, or a driver as `driver:NAME`; `program:` and this program's name if absent. */
  readonly actor?: string;
  /** @internal How the decisions come, if they are a human's. */
  readonly via?: Via | undefined;
  /** Time, ids and randomness; the system's if absent. */
  readonly environment?: Environment;
  /** Own events that may be recorded (`signalbox/projections`), besides those that the projections name. */
  readonly events?: readonly OwnEvent[];
  /** Own projections: their tables lie beside ours, and whoever has opened the project with them keeps them up to date. */
  readonly projections?: readonly Projection[];
}

export interface InitOptions extends ProjectOptions {
  /** What the project says of itself, where that is known already. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Opens the project in a folder that `signalbox init` or `initProject` made.
 *
 * @throws LogError `disk`: there is no project; `damaged`; `newer_schema`
 */
export async function openProject(folder: string, options: ProjectOptions = {}): Promise<Project> {
  const { actor = HUMAN, via, environment = systemEnvironment() } = options;
  const store = await openStore(readModelPathIn(folder), environment, {
    projections: projectionsOf(options),
  });
  await recordInterrupted(store);
  return new Project(store, actor, { via });
}

/**
 * Makes a project in a folder, with a feature and a discipline `general`, and `.ralph/mcp/` for clients. One append; where
 * a project is already, nothing happens.
 *
 * @returns true if it was made
 * @throws LogError `invalid_event`: a title or description that cannot be; nothing was made
 */
export async function initProject(folder: string, options: InitOptions = {}): Promise<boolean> {
  const first = firstEntries(options);
  const path = readModelPathIn(folder);
  const location = await locationOf(path);
  const wasThere = "path" in location && logExists(location);
  prepareFolder(folder);
  await createLog(location);
  if (!wasThere) await knowOwnLog(location, path, options);
  const project = await openProject(folder, options);
  try {
    const hasBegun = (await project.log.head()) === 0 && (await begin(project, first));
    // Each host that works on a log has its own.
    if (hasBegun || "url" in location) regenerate(project.store.readModel, path);
    return "path" in location ? !wasThere : hasBegun;
  } finally {
    await project.close();
  }
}

/** A log that is made here is known here; one on a server too, whose place a human has named, unless another one was known. */
async function knowOwnLog(
  location: LogLocation,
  readModelPath: string,
  { environment = systemEnvironment() }: ProjectOptions,
): Promise<void> {
  if ("path" in location) return forgetLog(readModelPath);
  if (knownLog(projectState(readModelPath))) return;
  const log = await openLog(location, environment);
  await trustLog(log, readModelPath).finally(() => log.close());
}

/** False if another host, or another process, has begun the log just now. */
async function begin(project: Project, first: Decision): Promise<boolean> {
  try {
    await project.decide(first);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "already_exists") return false;
    throw error;
  }
}

/**
 * Makes `.ralph/db` in a folder, for a log that is to come there.
 *
 * @returns the read model's path
 * @throws LogError `disk`
 */
export function prepareFolder(folder: string): string {
  const path = readModelPathIn(folder);
  checkFolder(path);
  try {
    makePrivateFolder(dirname(path));
  } catch (cause) {
    const why = errorMessage(cause);
    throw new LogError("disk", `Cannot create a project in ${folder}: ${why}.`, { cause });
  }
  keepFromGit(folder);
  return path;
}

/** An agent that stashes or commits whatever lies there must not take the log along; what is written there already stays. */
function keepFromGit(folder: string): void {
  const path = join(folder, ".ralph", ".gitignore");
  // A link that leads nowhere is something, too: a file would be made where it leads.
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  writeFileSync(path, ["*", "!.gitignore", "!config.json", ""].join("\n"));
}

/** Makes own events known, and gives all projections. @throws Error: one of them is not as it must be */
export function projectionsOf({ events = [], projections = [] }: ProjectOptions): readonly Projection[] {
  const named = projections.flatMap((projection) => projection.events ?? []);
  giveOwnEvents([...events, ...named]);
  return withOwn(projections);
}

/** A project, opened: its log, decisions on it, and queries that answer from the state at the head of the log. */
export class Project {
  /** @internal What the program itself works on. */
  readonly store: Store;
  /** Who decides, as the log names them. */
  readonly actor: string;
  /** Where in the log it is, for a project as it was; undefined for one as it is. */
  readonly asOf: Point | undefined;
  /** How the decisions come, if they are a human's. */
  readonly via: Via | undefined;
  /** The session whose agent decides; undefined: no session's. */
  readonly #session: string | undefined;

  /** @internal */
  constructor(
    store: Store,
    actor: string,
    {
      asOf,
      session,
      via,
    }: { readonly asOf?: Point; readonly session?: string; readonly via?: Via | undefined } = {},
  ) {
    this.store = store;
    this.actor = actor;
    this.asOf = asOf;
    this.via = via;
    this.#session = session;
  }

  get log(): EventLog {
    return this.store.log;
  }

  /**
   * Takes a decision, such as `createTask({ title: "…" })`, and returns its events as stored.
   *
   * @param key the caller's own: sent again under it, the decision is not taken again but answered as before
   * @throws Refusal: nothing was recorded (`not_possible` of a project as it was); LogError `invalid_event`: a field is not as it must be
   */
  async decide<First extends EventType>(decision: Decision<First>, key?: string): Promise<Decided<First>> {
    this.#checkPresent();
    const session = this.#session;
    const isOwn = (one: string) => one === session;
    const by: DecisionOptions = { actor: this.actor, via: this.via, key, correlation: session, isOwn };
    return decide(this.store, decision, by);
  }

  /**
   * Records an own event.
   *
   * @param key the caller's own: sent again under it, nothing is recorded again
   * @returns the event as stored
   * @throws LogError `invalid_event`: the payload is not as its schema has it; `unknown_event_type`: the project was not opened with the definition
   */
  async record<Type extends string, Payload extends z.ZodObject>(
    { type }: EventDefinition<Type, Payload>,
    payload: z.input<Payload>,
    key?: string,
  ): Promise<StoredEvent<Type, z.infer<Payload>>> {
    // The types of decisions know our events alone; the log checks this one by the definition that it was given.
    const decision = { type, input: payload, plan: () => [{ type, payload }] } as unknown as Decision;
    const [event] = await this.decide(decision, key);
    return event as unknown as StoredEvent<Type, z.infer<Payload>>;
  }

  /**
   * The project as it was: queries answer from the state after the last event then, the log ends there, and no decision is
   * taken. The history (`signalbox history make`) makes it fast on a long log. To be closed, before this one.
   *
   * @param when a position; or what `--at` takes: `"HEAD~10"`, `"2026-02-11T10:23"`, `"2 hours ago"`
   * @param warn is told why a history is not used
   * @param onProgress is told how far a long reduction has come
   * @throws PointError `no_point`: it names no point; Refusal `not_found`: the log has no such point
   */
  async at(
    when: number | string,
    warn: (sentence: string) => void = () => {},
    onProgress?: OnProgress,
  ): Promise<Project> {
    const readModelPath = this.store.readModel.database.name;
    const cache = readModelPath === ":memory:" ? undefined : { readModelPath, warn, onProgress };
    const { store, point } = await pastStore(this.store, String(when), cache);
    return new Project(store, this.actor, { asOf: point });
  }

  /** @internal The program's own questions see all of the read model. */
  ask<Answer>(question: (readModel: ReadModel) => Answer): Promise<Answer>;
  /**
   * Answers a question from the read model, brought to the head of the log first, all of it as of one position.
   *
   * @throws ReadModelError; `stopped`: it reads a table of an own projection that stopped; what the question throws
   */
  ask<Answer>(question: (tables: ReadView) => Answer): Promise<Answer>;
  async ask<Answer>(question: (readModel: ReadModel) => Answer): Promise<Answer> {
    try {
      return await ask(this.store, question);
    } catch (error) {
      throw asHistoryError(error, this.store.readModel);
    }
  }

  /** Every event after a position, then each one as it comes, from any process; of a project as it was, those there were. */
  follow(after = 0): Observable<Event> {
    return this.log.follow(after).pipe(concatAll());
  }

  /** Answers of the read model, brought to the head of the log first. */
  readonly queries = {
    ...bindQueries((question) => this.ask(question)),
    projections: () => this.ask(({ checkpoints }) => checkpoints.list()),
    /** Any SELECT on the tables and views of docs/read-model.md. */
    sql: async (query: string, ...values: (string | number | null)[]) => {
      await catchUp(this.store.readModel, this.log);
      this.store.readModel.requireWhole(query);
      return this.store.readModel.database.prepare(query).all(...values);
    },
  };

  async close(): Promise<void> {
    await closeStore(this.store);
  }

  /** Closes it where `await using project = await openProject(…)` goes out of scope. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Before the decision is planned: it may be refused for a reason that applies only then. */
  #checkPresent(): void {
    if (this.asOf) throw pastIsPast(this.asOf.position);
  }
}

/** @throws LogError `invalid_event`, before anything is made */
function firstEntries({ title, description }: InitOptions): Decision {
  const words = givenFields({ title, description });
  encodeEvent({ type: "project.described", actor: HUMAN, payload: words });
  return Object.keys(words).length > 0 ? together(createGeneral(), describeProject(words)) : createGeneral();
}
