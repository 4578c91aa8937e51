import { setTimeout as delay } from "node:timers/promises";
import {
  firstValueFrom,
  interval,
  merge,
  type Observable,
  ReplaySubject,
  Subject,
  take,
  takeUntil,
  timer,
} from "rxjs";
import { agentNamed, type Config } from "../config/config.ts";
import { worktreesOf } from "../config/schema.ts";
import type { LoopEnding } from "../events/types/loops.ts";
import { turns } from "../lib/turns.ts";
import { NoClosingVerbError } from "../mcp/launching/closing.ts";
import { McpConfigError } from "../mcp/launching/mcp-config.ts";
import { endSession } from "../operations/sessions.ts";
import type { Project } from "../project/project.ts";
import type { TaskView } from "../projections/queries/tasks.ts";
import { catchUp } from "../projections/worker.ts";
import { writeStateFiles } from "../state-files/write.ts";
import type { OtlpEndpoint } from "../telemetry/endpoint.ts";
import { TraceSender } from "../telemetry/trace-sender.ts";
import { GitError } from "../workspace/git.ts";
import { permissionsOf } from "./agent/clients.ts";
import { Budget } from "./budget.ts";
import { type Claimed, claimTask } from "./claim.ts";
import { endOrphan, recover } from "./drivers/recovery.ts";
import { BEAT_MS, beat, signOff } from "./drivers/registry.ts";
import { commitWork } from "./merge/commit-work.ts";
import { type MergeQueue, openMergeQueue } from "./merge/queue.ts";
import { Patience, type Pause } from "./patience.ts";
import { PromptError } from "./prompt/prompt-error.ts";
import { pruneRunFolders } from "./run-folder.ts";
import { runSession } from "./session-run.ts";
import type { Step } from "./steps.ts";
import { describeWaiting, type Waiting, whatWaits } from "./waiting.ts";

export interface LoopOptions {
  readonly readModelPath: string;
  readonly config: Config;
  /** The id of this run, recorded in its claims. */
  readonly driver: string;
  /** Stop after one session. */
  readonly once?: boolean | undefined;
  readonly maxSessions?: number | undefined;
  /** If no task is ready, wait for one. */
  readonly wait?: boolean | undefined;
  /** The receiver of its sessions' traces; absent: none. */
  readonly tracesTo?: OtlpEndpoint | undefined;
  /** Emits a reason: no further session starts. */
  readonly finish: Observable<string>;
  /** Emits a reason: running sessions end, as `cancelled`. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
  /** Emits after so many milliseconds; by default a timer of this machine. */
  readonly after?: ((ms: number) => Observable<unknown>) | undefined;
}

export interface LoopResult {
  readonly ending: LoopEnding;
  readonly reason: string;
  readonly sessions: number;
  /** The tasks that are not ready, and why; empty unless that is why the loop stopped. */
  readonly waiting: readonly Waiting[];
}

/** How often a waiting loop checks for dead drivers. */
const LOOK_AGAIN_MS = 5_000;
/** Timers stop while the machine sleeps, so the clock is checked this often. */
const LONGEST_TIMER_MS = 60_000;

/**
 * Ends the open sessions of dead drivers, then runs agents on the ready tasks, one session each,
 * until no task is ready or it is told to stop.
 *
 * @throws LogError, ReadModelError or a system error, after the other jobs have ended
 */
export async function runLoop(project: Project, options: LoopOptions): Promise<LoopResult> {
  const loop = new Loop(project, options);
  return loop.run();
}

class Loop {
  readonly #project: Project;
  readonly #options: LoopOptions;
  readonly #budget: Budget;
  readonly #traces: TraceSender | undefined;
  readonly #merges: MergeQueue | undefined;
  readonly #cancelled = new AbortController();
  /** Tasks that could not be started in this run, and why. */
  readonly #skipped = new Map<number, string>();
  readonly #changed = new Subject<void>();
  /** Replays the reason for sessions that start after it. */
  readonly #cancel = new ReplaySubject<string>(1);
  /** Jobs pick tasks one at a time, so that no two prepare the same one. */
  readonly #inTurn = turns();
  #sessions = 0;
  #running = 0;
  readonly #patience: Patience;
  /** No session starts before this time. */
  #pause: Pause | undefined;
  /** All jobs share one end of it. */
  #pausing: Promise<void> | undefined;
  #end: Omit<LoopResult, "sessions"> | undefined;
  #error: unknown;

  constructor(project: Project, options: LoopOptions) {
    this.#project = project;
    this.#options = options;
    this.#budget = new Budget(options.config);
    this.#patience = new Patience(options.config, project.store.environment);
    const { tracesTo, tell, readModelPath, config, driver } = options;
    const { signal } = this.#cancelled;
    this.#merges = openMergeQueue({ project, readModelPath, config, signal, tell }, driver, (change) => {
      this.#running += change;
      if (change < 0) this.#changed.next();
    });
    this.#traces =
      tracesTo && new TraceSender(project, tracesTo, (reason) => tell({ step: "traces_failed", reason }));
  }

  async run(): Promise<LoopResult> {
    const { readModelPath, config, driver, finish, cancel, tell } = this.#options;
    const over = new Subject<void>();
    beat(readModelPath, driver, process.pid);
    interval(BEAT_MS)
      .pipe(takeUntil(over))
      .subscribe(() => beatAgain(readModelPath, driver));
    cancel.pipe(takeUntil(over)).subscribe(this.#cancel);
    cancel.pipe(takeUntil(over)).subscribe(() => this.#cancelled.abort());
    merge(finish, cancel)
      .pipe(takeUntil(over))
      .subscribe((reason) => {
        tell({ step: "stopping", reason });
        // A second signal replaces the reason.
        if (this.#end?.ending === "signal") this.#end = undefined;
        this.#stop("signal", reason);
      });
    try {
      await this.#record("loop.started", { driver, agent: config.agent, jobs: config.jobs });
      tell({
        step: "loop_started",
        driver,
        agent: config.agent,
        jobs: config.jobs,
        ...permissionsOf(agentNamed(config, config.agent)),
      });
      // After an upgrade, the old tables do not tell which tasks are ready.
      await catchUp(this.#project.store.readModel, this.#project.log);
      await this.#recover();
      writeStateFiles(this.#project.store.readModel, readModelPath);
      const job = () => this.#work().catch((error) => this.#fail(error));
      await Promise.all(Array.from({ length: config.jobs }, job));
      const goesOn = () => this.#end?.ending !== "signal" && this.#end?.ending !== "error";
      await this.#merges?.drain(goesOn).catch((error) => this.#fail(error));
      await this.#traces?.settled();
      const { ending = "error", reason = "", waiting = [] } = this.#end ?? {};
      const result = { ending, reason, sessions: this.#sessions, waiting };
      tell({ step: "loop_stopped", ...result });
      // The error that stopped it may also prevent this event: the first error is thrown.
      await this.#record("loop.stopped", { driver, ending, reason, sessions: this.#sessions }).catch(
        (error) => {
          this.#error ??= error;
        },
      );
      if (this.#error !== undefined) throw this.#error;
      return result;
    } finally {
      over.next();
      signOff(readModelPath, driver);
    }
  }

  /** One job: runs sessions one after another. */
  async #work(): Promise<void> {
    while (!this.#end) {
      // Before the next session, which starts with everything merged by then.
      const merge = await this.#nextMerge();
      if (merge) {
        await merge();
        continue;
      }
      await this.#untilMayBegin();
      const begun = await this.#inTurn(() => this.#begin());
      if (begun) await begun();
      else if (this.#end) return;
      else if (this.#running > 0) await this.#untilSomethingHappens();
      else if (await this.#recover()) continue;
      else if (this.#options.wait) await this.#untilReady();
      else await this.#stopIdle();
    }
  }

  /** No task is ready, nothing runs here, and no waiting was requested. */
  async #stopIdle(): Promise<void> {
    const waiting = await whatWaits(this.#project);
    // A task may have become ready between the two checks.
    if (await this.#nextTask()) return;
    const [skipped] = this.#skipped;
    if (skipped) this.#stop("error", `task ${skipped[0]} could not be started: ${skipped[1]}`, waiting);
    else this.#stop("nothing_ready", describeWaiting(waiting), waiting);
  }

  /** Ends the open sessions of dead drivers. True if there were any. */
  async #recover(): Promise<boolean> {
    const recovered = await recover(this.#project, this.#options.readModelPath);
    for (const { agentRan, ...rest } of recovered) {
      this.#options.tell({ step: "recovered", ...rest, agent_ran: agentRan });
      const worktrees = worktreesOf(this.#options.config);
      if (worktrees) await commitWork(this.#project, rest, { ...this.#options, author: worktrees.author });
      this.#traces?.send(rest.session);
    }
    return recovered.length > 0;
  }

  /** Stops the loop when it has reached its limit of sessions or its budget. */
  #checkLimits(): void {
    const { once, maxSessions = once ? 1 : Number.POSITIVE_INFINITY } = this.#options;
    const exhausted = this.#budget.exhausted();
    if (this.#sessions >= maxSessions) {
      if (once) this.#stop("once", "reached --once: 1 session");
      else this.#stop("max_sessions", `reached --max-sessions ${maxSessions}`);
    } else if (exhausted !== undefined) this.#stop("budget", exhausted);
  }

  /** Claims the next ready task; undefined if there is none, or the loop is stopping. */
  async #begin(): Promise<(() => Promise<void>) | undefined> {
    const { readModelPath, config, driver, tell } = this.#options;
    for (;;) {
      this.#checkLimits();
      const next = this.#end ? undefined : await this.#nextTask();
      if (!next || this.#end) return undefined;
      try {
        const budgetUsd = this.#budget.shareUsd();
        const claimed = await claimTask(this.#project, next, { readModelPath, config, driver, budgetUsd });
        // If another driver was faster, the next check finds another task.
        if (!claimed) continue;
        this.#sessions += 1;
        this.#running += 1;
        return () => this.#runOne(claimed);
      } catch (error) {
        if (!isOfOneTask(error)) this.#fail(error);
        else {
          this.#skipped.set(next.id, error.message);
          tell({ step: "skipped", task: next.id, reason: error.message });
        }
      }
    }
  }

  async #nextMerge(): Promise<(() => Promise<void>) | undefined> {
    return this.#inTurn(async () => (this.#end ? undefined : this.#merges?.next()));
  }

  async #nextTask(): Promise<TaskView | undefined> {
    const ready = await this.#project.queries.readyTasks(this.#skipped.size + 1);
    return ready.find(({ id }) => !this.#skipped.has(id));
  }

  async #runOne({ claim, prompt }: Claimed): Promise<void> {
    const { readModelPath, config, tell } = this.#options;
    const project = this.#project;
    const cancel = this.#cancel;
    try {
      const run = await runSession(claim, prompt, { project, readModelPath, config, cancel, tell });
      writeStateFiles(project.store.readModel, readModelPath);
      await this.#prune();
      this.#budget.add(run.used);
      const next = this.#patience.after(run);
      if (next.do === "stop") this.#stop("agent_unusable", next.reason);
      else if (next.do === "wait") this.#pause = next;
    } catch (error) {
      this.#fail(error);
      await this.#giveUp(claim.session, error);
    } finally {
      this.#traces?.send(claim.session);
      this.#running -= 1;
      this.#changed.next();
    }
  }

  async #prune(): Promise<void> {
    const open = await this.#project.queries.sessions({ open: true });
    pruneRunFolders(this.#options.readModelPath, new Set(open.map(({ id }) => id)));
  }

  /**
   * Our own failure says nothing about the task; if even this fails, the next driver ends the
   * session.
   */
  async #giveUp(session: string, error: unknown): Promise<void> {
    const reason = `its driver failed: ${error instanceof Error ? error.message : String(error)}`;
    try {
      await endOrphan(this.#options.readModelPath, session);
      await this.#project.decide(endSession({ session, exit: "cancelled", reason, cause: "driver" }));
    } catch {
      // The first error is thrown.
    }
  }

  /** The other jobs finish. */
  #fail(error: unknown): void {
    this.#error ??= error;
    this.#stop("error", error instanceof Error ? error.message : String(error));
  }

  async #untilReady(): Promise<void> {
    this.#options.tell({ step: "waiting", waiting: await whatWaits(this.#project) });
    while (!this.#end && !(await this.#nextTask())) {
      const merge = await this.#nextMerge();
      if (merge) return await merge();
      await this.#untilSomethingHappens();
      await this.#recover();
    }
  }

  /** Resolves on an event after the last check, the end of a session, a stop, or a timeout. */
  async #untilSomethingHappens(): Promise<void> {
    const changed = firstValueFrom(
      merge(
        this.#changed,
        this.#project.log.follow(await this.#project.log.head()),
        timer(LOOK_AGAIN_MS),
      ).pipe(take(1)),
    );
    if (this.#end || (await this.#nextTask())) this.#changed.next();
    await changed;
    // By then, simultaneous events, such as the rest of a batch, are reduced too.
    await delay(1);
  }

  /** Waits for the end of a pause, if there is one and a session could start without it. */
  async #untilMayBegin(): Promise<void> {
    this.#checkLimits();
    if (this.#end || this.#pauseLeft_ms() <= 0 || !(await this.#nextTask())) return;
    this.#pausing ??= this.#sitOutPause().finally(() => {
      this.#pausing = undefined;
    });
    await this.#pausing;
  }

  /**
   * The log tells others about the pause; it may get longer meanwhile, and stopping the loop ends
   * it.
   */
  async #sitOutPause(): Promise<void> {
    const { driver, after = timer } = this.#options;
    let told: Pause | undefined;
    for (let left_ms = this.#pauseLeft_ms(); !this.#end && left_ms > 0; left_ms = this.#pauseLeft_ms()) {
      if (this.#pause && this.#pause.until.getTime() !== told?.until.getTime()) {
        told = this.#pause;
        const { why, reason } = told;
        const wait = { why, reason: reason === "" ? why : reason, until: told.until.toISOString() };
        await this.#record("loop.waiting", { driver, ...wait });
        this.#options.tell({ step: "paused", ...wait });
      }
      if (this.#end) return;
      await firstValueFrom(merge(this.#changed, after(Math.min(left_ms, LONGEST_TIMER_MS))).pipe(take(1)));
    }
  }

  #pauseLeft_ms(): number {
    const until = this.#pause?.until.getTime() ?? 0;
    return until - this.#project.store.environment.now() / 1_000;
  }

  /** The first reason counts. */
  #stop(ending: LoopEnding, reason: string, waiting: readonly Waiting[] = []): void {
    this.#end ??= { ending, reason, waiting };
    this.#changed.next();
  }

  async #record<Type extends "loop.started" | "loop.waiting" | "loop.stopped">(
    type: Type,
    payload: object,
  ): Promise<void> {
    await this.#project.log.append([{ type, payload, actor: this.#project.actor }]);
  }
}

/** A task whose workspace, prompt, servers or tools fail does not stop the others. */
function isOfOneTask(error: unknown): error is Error {
  return [GitError, PromptError, McpConfigError, NoClosingVerbError].some((known) => error instanceof known);
}

/**
 * A heartbeat that fails, for example on a full disk, is skipped; the process itself is still
 * visible.
 */
function beatAgain(readModelPath: string, driver: string): void {
  try {
    beat(readModelPath, driver, process.pid);
  } catch {
    // The next one may succeed.
  }
}
