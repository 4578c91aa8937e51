import { setTimeout as delay } from "node:timers/promises";
import { firstValueFrom, map, merge, ReplaySubject, Subject, take, takeUntil, timer } from "rxjs";
import { loadTelemetry, type TraceSender } from "../adapters.ts";
import type { Project } from "../api/project.ts";
import { agentNamed } from "../config/config.ts";
import { worktreesOf } from "../config/schema.ts";
import type { LoopEnding } from "../events/types/loops.ts";
import { errorMessage } from "../lib/error-message.ts";
import { turns } from "../lib/turns.ts";
import { endSession } from "../operations/sessions.ts";
import type { WorkPause } from "../queries/pause.ts";
import type { TaskView } from "../queries/tasks.ts";
import { catchUp } from "../read-model/worker.ts";
import { writeStateFiles } from "../workspace/state-files/write.ts";
import { permissionsOf } from "./agent/clients.ts";
import { Budget } from "./budget.ts";
import { type Claimed, claimTask, isOfOneTask } from "./claim.ts";
import { type HostWatch, watchHost } from "./drivers/host-watch.ts";
import { declareSuspectsLost } from "./drivers/hosts.ts";
import { endOrphan, recover } from "./drivers/recovery.ts";
import { keepAlive } from "./drivers/registry.ts";
import type { LoopOptions, LoopResult } from "./loop-options.ts";
import { commitWork } from "./merge/commit-work.ts";
import { type MergeQueue, openMergeQueue } from "./merge/queue.ts";
import { SetupError } from "./merge/setup.ts";
import { type Next, Patience, type Pause } from "./patience.ts";
import { recordStart } from "./record-start.ts";
import { pruneRunFolders } from "./run-folder.ts";
import { runSession } from "./session-run.ts";
import { Spread } from "./spread.ts";
import { stopWishes } from "./stop-wishes.ts";
import { type Waiting, whyNothingIsReady } from "./waiting.ts";
import { openWays, type Ways } from "./ways.ts";

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
  #traces: TraceSender | undefined;
  readonly #merges: MergeQueue | undefined;
  readonly #cancelled = new AbortController();
  /** Tasks that could not be started in this run, and why. */
  readonly #skipped = new Map<number, string>();
  readonly #spread = new Spread();
  readonly #changed = new Subject<void>();
  /** Replays the reason for sessions that start after it. */
  readonly #cancel = new ReplaySubject<string>(1);
  /** Jobs pick tasks one at a time, so that no two prepare the same one. */
  readonly #inTurn = turns();
  #host: HostWatch | undefined;
  #ways: Ways | undefined;
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
    const { tell, readModelPath, config, driver } = options;
    const { signal } = this.#cancelled;
    this.#merges = openMergeQueue({ project, readModelPath, config, signal, tell }, driver, (change) => {
      this.#running += change;
      if (change < 0) this.#changed.next();
    });
  }

  async run(): Promise<LoopResult> {
    const { readModelPath, config, driver, finish, cancel, tell, tracesTo } = this.#options;
    this.#ways = await openWays(config, readModelPath);
    const over = new Subject<void>();
    let signOff = () => {};
    this.#watchHost();
    cancel.pipe(takeUntil(over)).subscribe(this.#cancel);
    cancel.pipe(takeUntil(over)).subscribe(() => this.#cancelled.abort());
    const stop = (reason: string) => {
      tell({ step: "stopping", reason });
      // A second signal replaces the reason.
      if (this.#end?.ending === "signal") this.#end = undefined;
      this.#stop("signal", reason);
    };
    merge(finish, cancel).pipe(takeUntil(over)).subscribe(stop);
    try {
      const loop = { driver, agent: config.agent, jobs: config.jobs };
      const failed = (reason: string) => tell({ step: "traces_failed", reason });
      if (tracesTo) this.#traces = new (await loadTelemetry()).TraceSender(this.#project, tracesTo, failed);
      const start = await recordStart(this.#project, loop, config);
      // Not before: a second run under this name must not touch the first one's sign of life.
      signOff = keepAlive(readModelPath, driver);
      stopWishes(this.#project.log, driver, start).pipe(takeUntil(over)).subscribe(stop);
      tell({ step: "loop_started", ...loop, ...permissionsOf(agentNamed(config, config.agent)) });
      // After an upgrade, the old tables do not tell which tasks are ready.
      await catchUp(this.#project.store.readModel, this.#project.log);
      await this.#recover();
      // What a human merged since the last run.
      await this.#merges?.sweep();
      writeStateFiles(this.#project.store.readModel, readModelPath);
      await Promise.all(Array.from({ length: config.jobs }, () => this.#workOn()));
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
      this.#host?.stop();
      signOff();
    }
  }

  /** On a log that hosts share: gives this host's signs of life, and ends its agents while it is cut off. */
  #watchHost(): void {
    const { config, tell, ticks } = this.#options;
    const isIdle = () => this.#running === 0;
    this.#host = watchHost(this.#project.store, config.fleet, { ticks, isIdle });
    this.#host?.changes.subscribe((why) => {
      tell({ step: "fenced", why });
      this.#changed.next();
    });
  }

  /** One job, which outlasts that a shared log is out of reach. */
  async #workOn(): Promise<void> {
    while (!this.#end) {
      try {
        return await this.#work();
      } catch (error) {
        if (!(await this.#outlasts(error))) return this.#fail(error);
      }
    }
  }

  async #outlasts(error: unknown): Promise<boolean> {
    return (await this.#host?.outlasts(error, this.#changed, () => !this.#end)) ?? false;
  }

  /** One job: runs sessions one after another. */
  async #work(): Promise<void> {
    while (!this.#end) {
      await this.#untilUnfenced();
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
      else if (await this.#mayWait()) await this.#untilReady();
      else await this.#stopIdle();
    }
  }

  /** A loop that was not told to wait outlasts a pause all the same: nobody has to start it again. */
  async #mayWait(): Promise<boolean> {
    return this.#options.wait || (await this.#project.queries.workPause()) !== undefined;
  }

  async #untilUnfenced(): Promise<void> {
    while (!this.#end && this.#host?.isFenced) await firstValueFrom(this.#changed);
  }

  /** No task is ready, nothing runs here, and no waiting was requested. */
  async #stopIdle(): Promise<void> {
    const { waiting, reason } = await whyNothingIsReady(this.#project);
    // A task may have become ready between the two checks.
    if (await this.#nextTask()) return;
    const [skipped] = this.#skipped;
    if (skipped) this.#stop("error", `task ${skipped[0]} could not be started: ${skipped[1]}`, waiting);
    else this.#stop("nothing_ready", reason, waiting);
  }

  /** Ends the open sessions of dead drivers. True if there were any. */
  async #recover(): Promise<boolean> {
    const { readModelPath, config } = this.#options;
    const { recover: who, host_silence_s } = config.fleet;
    const worktrees = worktreesOf(config);
    const recovered = await recover(this.#project, readModelPath, async (left) => {
      const { task, session } = left;
      if (worktrees && task !== null)
        await commitWork(this.#project, { task, session }, { ...this.#options, author: worktrees.author });
    });
    if (who === "auto" && this.#host && !this.#host.isFenced)
      recovered.push(...(await declareSuspectsLost(this.#project, readModelPath, host_silence_s * 1_000)));
    for (const { agentRan, hostLost, ...rest } of recovered) {
      this.#options.tell({ step: "recovered", ...rest, host_lost: hostLost, agent_ran: agentRan });
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
      const next = this.#mayNotBegin() ? undefined : await this.#nextTask();
      if (!next || this.#mayNotBegin()) return undefined;
      try {
        const budgetUsd = this.#budget.shareUsd();
        const { signal } = this.#cancelled;
        const claiming = { readModelPath, config, driver, budgetUsd, signal, tell };
        const claimed = await claimTask(this.#project, next, claiming);
        // If another driver was faster, the next check finds another task.
        if (!claimed) {
          this.#spread.lost();
          continue;
        }
        this.#spread.claimed(next);
        this.#sessions += 1;
        this.#running += 1;
        return () => this.#runOne(claimed);
      } catch (error) {
        // An aborted setup is left to the next driver.
        if (error === this.#cancelled.signal.reason) return undefined;
        if (error instanceof SetupError) return this.#react(this.#patience.afterSetup(error));
        if (!isOfOneTask(error)) this.#fail(error);
        else {
          this.#skipped.set(next.id, error.message);
          tell({ step: "skipped", task: next.id, reason: error.message });
        }
      }
    }
  }

  #mayNotBegin(): boolean {
    return this.#end !== undefined || this.#host?.isFenced === true;
  }

  async #nextMerge(): Promise<(() => Promise<void>) | undefined> {
    return this.#inTurn(async () => (this.#mayNotBegin() ? undefined : this.#merges?.next()));
  }

  async #nextTask(): Promise<TaskView | undefined> {
    const { among } = this.#spread;
    return this.#spread.choose(await this.#project.queries.startableApart(among, [...this.#skipped.keys()]));
  }

  async #runOne({ claim, prompt }: Claimed): Promise<void> {
    const { readModelPath, config, tell } = this.#options;
    const project = this.#project;
    const cancelled = this.#cancel.pipe(map((reason) => ({ why: "cancelled" as const, reason })));
    const cancel = this.#host ? merge(cancelled, this.#host.cuts) : cancelled;
    try {
      const ways = this.#ways ?? { relays: undefined, sandboxes: undefined };
      const run = await runSession(claim, prompt, { project, readModelPath, config, cancel, tell, ...ways });
      writeStateFiles(project.store.readModel, readModelPath);
      await this.#prune();
      this.#budget.add(run.used);
      if (run.outcome === "success") this.#spread.finished(claim.task);
      this.#react(this.#patience.after(run));
    } catch (error) {
      if (!(await this.#outlasts(error))) this.#fail(error);
      await this.#giveUp(claim.session, error);
    } finally {
      this.#traces?.send(claim.session);
      this.#running -= 1;
      this.#changed.next();
    }
  }

  #react(next: Next): undefined {
    if (next.do === "stop") this.#stop(next.ending, next.reason);
    else if (next.do === "wait") this.#pause = next;
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
    const reason = `its driver failed: ${errorMessage(error)}`;
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
    this.#stop("error", errorMessage(error));
  }

  async #untilReady(): Promise<void> {
    let told: number | undefined;
    while (!this.#end && !(await this.#nextTask())) {
      const pause = await this.#project.queries.workPause();
      if (!pause && !this.#options.wait) return;
      if (told !== (pause?.position ?? 0)) await this.#tellWaiting(pause);
      told = pause?.position ?? 0;
      const merge = await this.#nextMerge();
      if (merge) return await merge();
      await this.#untilSomethingHappens();
      await this.#recover();
    }
  }

  async #tellWaiting(pause: WorkPause | undefined): Promise<void> {
    if (pause) this.#options.tell({ step: "work_paused", ...pause });
    else this.#options.tell({ step: "waiting", ...(await whyNothingIsReady(this.#project)) });
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

  /** The log tells others about the pause; it may get longer, and stopping the loop ends it. */
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

  async #record(type: "loop.waiting" | "loop.stopped", payload: object): Promise<void> {
    await this.#project.log.append([{ type, payload, actor: this.#project.actor }]);
  }
}
