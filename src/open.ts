import { parse } from "node:path";
import { argv, execPath } from "node:process";
import type { InitOptions, Project, ProjectOptions } from "./api/project.ts";
import type { RedactionInput } from "./decisions/rules/redact.ts";
import type { SignalReport } from "./decisions/rules/signal-report.ts";
import { AGENT, isNameOfPerson, PROGRAM } from "./events/actors.ts";
import type { LogLocation } from "./events/log-location.ts";
import type { Verb } from "./events/types/signals.ts";
import type { GateRun, GatesToRun } from "./gates/run-gates.ts";
import type { Damage } from "./history/audit/damage.ts";
import type { Redacted } from "./history/redaction/redact.ts";
import { visible } from "./lib/visible.ts";
import type { LoopResult } from "./loop/loop-options.ts";
import type { Step } from "./loop/steps.ts";

/* What opens a project, and what is done with one. The code for it is loaded by the first call: importing the API costs little. */

/**
 * Opens the project in a folder that `signalbox init` or `initProject` made. Close it when it is not needed any more.
 *
 * Own tables (`projections`) are kept up to date by the programs that open the project with them, and by no others: these read past own
 * events that they do not know, and leave own tables as they are. Opened again, the tables catch up with the first question.
 *
 * @example
 * import { initProject, openProject } from "signalbox";
 *
 * await initProject("shop");
 * await using project = await openProject("shop", { actor: "driver:shop" });
 * console.log(await project.log.head());
 *
 * @throws LogError `disk`: there is no project; `damaged`; `newer_schema`
 * @throws Error an own event or projection is not as it must be; the message says what to change
 */
export async function openProject(folder: string, options?: ProjectOptions): Promise<Project> {
  const { openProject: open } = await import("./api/project.ts");
  return open(folder, byProgram(options));
}

/**
 * Makes a project in a folder, with a feature and a discipline `general`. Does nothing if the folder has a project.
 *
 * @example
 * import { initProject } from "signalbox";
 *
 * const isNew = await initProject("shop", { title: "The shop" });
 * console.log(isNew ? "made" : "was there");
 *
 * @returns true if it was made
 * @throws LogError `invalid_event`: a title or description that cannot be; nothing was made
 */
export async function initProject(folder: string, options?: InitOptions): Promise<boolean> {
  const { initProject: init } = await import("./api/project.ts");
  return init(folder, byProgram(options));
}

/** Decisions by the API are signed by the program, unless it names an actor; those of a person say which program carried them. */
function byProgram(options: InitOptions = {}): InitOptions {
  const name =
    visible(parse(argv[1] ?? execPath).name)
      .trim()
      .slice(0, 80) || "node";
  const { actor = `${PROGRAM}:${name}` } = options;
  const isSigned = isNameOfPerson(actor) || options.actor === undefined;
  return { ...options, actor, via: isSigned ? { channel: "program", program: name } : undefined };
}

/** Runs gates of a task, in its order, and records each attempt. @throws RunnerError; Refusal; LogError */
export async function runGates(project: Project, gates: GatesToRun): Promise<readonly GateRun[]> {
  const { runGates: run } = await import("./gates/run-gates.ts");
  return run(project, gates);
}

/** What an agent reports. */
export interface Report {
  /** The session that reports, and the task that it works on. */
  readonly session: string;
  readonly task: number;
  readonly verb: Verb;
  /** The verb's own fields, as docs/tools.md has them. */
  readonly args: Record<string, unknown>;
  /** The agent's name in the log; `agent` by default. */
  readonly actor?: string;
  /** The caller's own: the same report sent again under it is not recorded twice. */
  readonly key?: string;
}

/**
 * Records what an agent reports, and says what may come next. Unlike the MCP tool of the verb it runs no gates: for a `done` on
 * a task with gates call `runGates` with the session.
 *
 * @example
 * import { createTask, reportSignal } from "signalbox";
 * import { openTestProject } from "signalbox/testing";
 *
 * await using project = await openTestProject();
 * const [created] = await project.decide(createTask({ title: "Export orders as CSV" }));
 * const done = { session: "s-1", task: created.payload.task, verb: "done", args: { summary: "14 tests pass." } } as const;
 * const { recorded } = await reportSignal(project, done);
 * console.log(recorded);
 *
 * @throws Refusal `not_found`: there is no such task; `not_possible`: the session is of another one
 * @throws LogError `invalid_event`: a field is not as it must be
 */
export async function reportSignal(project: Project, report: Report): Promise<SignalReport> {
  const { idFromKey } = await import("./lib/ids.ts");
  const { reportSignal: record } = await import("./decisions/rules/signal-report.ts");
  const { session, task, verb, args, actor = AGENT, key } = report;
  const id = key === undefined ? project.store.environment.newId() : idFromKey(key, "0");
  return record(
    project.store,
    { session, task, actor },
    { verb, args, id },
    { unknownTask: "Call `listTasks` to see all tasks.", otherTask: "Name the session's own task." },
  );
}

/** How a loop is run. */
export interface LoopSettings {
  /** Stop after one session. */
  readonly once?: boolean;
  /** Stop after so many sessions. */
  readonly maxSessions?: number;
  /** Wait for a task to become ready. */
  readonly wait?: boolean;
  /** Once it is aborted, no further session is started. */
  readonly finish?: AbortSignal;
  /** Once it is aborted, the sessions that run are ended as `cancelled`. */
  readonly cancel?: AbortSignal;
  /** Told what happens, step by step. */
  readonly tell?: (step: Step) => void;
}

/**
 * Runs agents on the ready tasks of a project by its confirmed `.ralph/config.json`, as `signalbox run` does.
 *
 * @param folder the project's, in which the agents work
 * @throws ConfigError; UnconfirmedConfigError; LogError; ReadModelError
 */
export async function runLoop(
  project: Project,
  folder: string,
  settings: LoopSettings = {},
): Promise<LoopResult> {
  const { finish, cancel, tell = () => {}, ...limits } = settings;
  const { confirmedConfig } = await import("./config/confirmed.ts");
  const { readModelPathIn } = await import("./api/project.ts");
  const { runLoop: run } = await import("./loop/run.ts");
  const { abortOf } = await import("./lib/abort-of.ts");
  const readModelPath = readModelPathIn(folder);
  return run(project, {
    ...limits,
    readModelPath,
    config: confirmedConfig(readModelPath),
    driver: `d-${project.store.environment.newId()}`,
    finish: abortOf(finish),
    cancel: abortOf(cancel),
    tell,
  });
}

/**
 * Removes texts of an event from the log and from all that follows from it, as `signalbox redact` does. An own event is redacted by a
 * project that was opened with its definition: without it nobody knows what of it is text, and what a name.
 *
 * @param folder the project's
 * @throws Refusal: nothing was changed; LogError
 */
export async function redactEvent(
  project: Project,
  folder: string,
  redaction: RedactionInput,
): Promise<Redacted> {
  const { readModelPathIn } = await import("./api/project.ts");
  const { redact } = await import("./history/redaction/redact.ts");
  return redact(project.store, readModelPathIn(folder), redaction, {
    actor: project.actor,
    via: project.via,
    wait_ms: CLEANING_MS,
  });
}

/** How long other processes are waited for that keep a file from being cleaned. */
const CLEANING_MS = 10_000;

/**
 * Looks at each event of a project's log as it lies in its file, and whether the log continues what was seen here last; tells the
 * first damage.
 *
 * @example
 * import { initProject, verifyLog } from "signalbox";
 *
 * await initProject("shop");
 * const { events, damage } = await verifyLog("shop");
 * console.log(damage ? `Position ${damage.position}: ${damage.what}` : `${events} events, all unchanged`);
 *
 * @throws LogError `disk`, `busy`; `newer_schema`: what a newer program wrote cannot be checked
 */
export async function verifyLog(folder: string): Promise<VerifiedLog> {
  const { verifyLog: verify } = await import("./history/audit/verify-log.ts");
  const { logToAudit } = await import("./events/open-log.ts");
  const { systemEnvironment } = await import("./decisions/system-environment.ts");
  const { readModelPathIn } = await import("./api/project.ts");
  const { knownHead } = await import("./history/audit/known-head.ts");
  const known = knownHead(readModelPathIn(folder));
  const log = logToAudit(await locationIn(folder), systemEnvironment());
  const { events, head, damage } = await verify(log, known ? [known] : []);
  return { events, root: head.root.toString("hex"), damage };
}

/** What came of verifying a log. */
export interface VerifiedLog {
  /** How many events were found in order, up to the first damage. */
  readonly events: number;
  /** The first that is wrong; undefined for a log without damage. */
  readonly damage: Damage | undefined;
  /** The root of the Merkle tree over these events, in hex. */
  readonly root: string;
}

/**
 * The log of a project as text, a line for each event that there is now behind a header: what `signalbox import` takes.
 *
 * @example
 * import { exportLog, initProject } from "signalbox";
 *
 * await initProject("shop");
 * for await (const text of exportLog("shop")) console.log(text.trimEnd());
 *
 * @throws LogError `disk`, `damaged`, `newer_schema`
 */
export async function* exportLog(folder: string): AsyncGenerator<string> {
  const { exportLog: begin } = await import("./outside/exchange/export-log.ts");
  const { openLog } = await import("./events/open-log.ts");
  const { systemEnvironment } = await import("./decisions/system-environment.ts");
  const log = await openLog(await locationIn(folder), systemEnvironment());
  try {
    yield* (await begin(log)).text;
  } finally {
    await log.close();
  }
}

async function locationIn(folder: string): Promise<LogLocation> {
  const { readModelPathIn } = await import("./api/project.ts");
  const { locationOf } = await import("./config/locate-log.ts");
  return locationOf(readModelPathIn(folder));
}
