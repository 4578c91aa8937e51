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
} from "rxjs";
import { endSession } from "../decisions/sessions.ts";
import type { LoopEnding } from "../events/types/loops.ts";
import type { Project } from "../project.ts";
import { type Claimed, claimTask } from "./claim.ts";
import type { Config } from "./config.ts";
import { endOrphan, recover } from "./drivers/recovery.ts";
import { BEAT_MS, beat, signOff } from "./drivers/registry.ts";
import { pruneRunFolders } from "./run-folder.ts";
import { runSession } from "./session-run.ts";
import { writeStateFiles } from "./state-files.ts";
import type { Step } from "./steps.ts";
import { sayWhatWaits, type Waiting, whatWaits } from "./waiting.ts";

export interface LoopOptions {
  readonly readModelPath: string;
  readonly config: Config;
  /** The id of this run, which claims bear. */
  readonly driver: string;
  /** Stop after one session. */
  readonly once?: boolean | undefined;
  /** Stop after so many sessions. */
  readonly maxSessions?: number | undefined;
  /** Where nothing is ready, wait until something is. */
  readonly wait?: boolean | undefined;
  /** Gives a reason: no further session is started. */
  readonly finish: Observable<string>;
  /** Gives a reason: those that run are ended, as `cancelled`. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
}

export interface LoopResult {
  readonly ending: LoopEnding;
  readonly reason: string;
  readonly sessions: number;
  /** What is not ready, and why; empty unless that is why the loop stopped. */
  readonly waiting: readonly Waiting[];
}

/** Sessions running whose agents could not start or reach their tools, after which the loop stops. */
const UNUSABLE_LIMIT = 3;

/**
 * Runs agents on tasks until nothing is ready, or until it is told to stop: takes the next ready task, starts a session, lets
 * the agent work, ends the session by how it really ended, goes on (seed 000, Execution Flow). Before that it ends what drivers
 * that died have left open.
 *
 * @throws PromptError, ConfigError, GitError, LogError: what stopped it, after the other jobs have come to their end
 */
export async function runLoop(project: Project, options: LoopOptions): Promise<LoopResult> {
  const loop = new Loop(project, options);
  return loop.run();
}

class Loop {
  readonly #project: Project;
  readonly #options: LoopOptions;
  readonly #changed = new Subject<void>();
  /** Also for sessions that begin while it comes. */
  readonly #cancel = new ReplaySubject<string>(1);
  #sessions = 0;
  #running = 0;
  #costUsd = 0;
  #tokens = 0;
  #unusable = 0;
  #end: Omit<LoopResult, "sessions"> | undefined;
  #error: unknown;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(project: Project, options: LoopOptions) {
    this.#project = project;
    this.#options = options;
  }

  async run(): Promise<LoopResult> {
    const { readModelPath, config, driver, finish, cancel, tell } = this.#options;
    const over = new Subject<void>();
    beat(readModelPath, driver, process.pid);
    interval(BEAT_MS)
      .pipe(takeUntil(over))
      .subscribe(() => beatAgain(readModelPath, driver));
    cancel.pipe(takeUntil(over)).subscribe(this.#cancel);
    merge(finish, cancel)
      .pipe(takeUntil(over))
      .subscribe((reason) => {
        tell({ step: "stopping", reason });
        this.#stop("signal", reason);
      });
    try {
      await this.#record("loop.started", { driver, agent: config.agent, jobs: config.jobs });
      tell({ step: "loop_started", driver, agent: config.agent, jobs: config.jobs });
      for (const { agentRan, ...recovered } of await recover(this.#project, readModelPath)) {
        tell({ step: "recovered", ...recovered, agent_ran: agentRan });
      }
      writeStateFiles(this.#project.store.readModel, readModelPath);
      await Promise.all(Array.from({ length: config.jobs }, () => this.#work()));
      const { ending = "error", reason = "", waiting = [] } = this.#end ?? {};
      const result = { ending, reason, sessions: this.#sessions, waiting };
      await this.#record("loop.stopped", { driver, ending, reason, sessions: this.#sessions });
      tell({ step: "loop_stopped", ...result });
      if (this.#error !== undefined) throw this.#error;
      return result;
    } finally {
      over.next();
      signOff(readModelPath, driver);
    }
  }

  /** One job: a session after the other. */
  async #work(): Promise<void> {
    while (!this.#end) {
      const begun = await this.#inTurn(() => this.#begin());
      if (begun) await begun();
      else if (this.#end) return;
      else if (this.#running > 0) await this.#untilSomethingHappens();
      else if (this.#options.wait) {
        this.#options.tell({ step: "waiting", waiting: await whatWaits(this.#project) });
        await this.#untilReady();
      } else {
        const waiting = await whatWaits(this.#project);
        // Something may have become ready between the two looks.
        if (waiting.some(({ what }) => what === "is ready")) continue;
        this.#stop("nothing_ready", sayWhatWaits(waiting), waiting);
      }
    }
  }

  /** Ends the loop where it has run as many sessions, or used as much, as it may. */
  #checkLimits(): void {
    const { once, maxSessions = once ? 1 : Number.POSITIVE_INFINITY, config } = this.#options;
    const { usd, tokens } = config.budget;
    if (this.#sessions >= maxSessions) {
      this.#stop(once ? "once" : "max_sessions", `${this.#sessions} session(s) were run, as asked`);
    } else if (usd !== undefined && this.#costUsd >= usd) {
      this.#stop("budget", `the budget of $${usd} is used up: $${this.#costUsd.toFixed(2)}`);
    } else if (tokens !== undefined && this.#tokens >= tokens) {
      this.#stop("budget", `the budget of ${tokens} tokens is used up: ${this.#tokens}`);
    }
  }

  /** Jobs look for a task one after the other, so that no two prepare the same one. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Claims the next ready task; undefined where there is none, or the loop has come to its end. */
  async #begin(): Promise<(() => Promise<void>) | undefined> {
    const { readModelPath, config, driver } = this.#options;
    const { usd } = config.budget;
    for (;;) {
      this.#checkLimits();
      const [next] = this.#end ? [] : await this.#project.queries.readyTasks(1);
      if (!next || this.#end) return undefined;
      try {
        const budgetUsd = usd === undefined ? undefined : usd - this.#costUsd;
        const claimed = await claimTask(this.#project, next, { readModelPath, config, driver, budgetUsd });
        // Where another driver was faster, the next look finds another task.
        if (!claimed) continue;
        this.#sessions += 1;
        this.#running += 1;
        return () => this.#runOne(claimed);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  async #runOne({ claim, prompt }: Claimed): Promise<void> {
    const { readModelPath, config, tell } = this.#options;
    const project = this.#project;
    const cancel = this.#cancel;
    try {
      const run = await runSession(claim, prompt, { project, readModelPath, config, cancel, tell });
      writeStateFiles(project.store.readModel, readModelPath);
      await this.#prune();
      this.#costUsd += run.costUsd ?? 0;
      this.#tokens += run.tokens;
      this.#unusable = run.unusable ? this.#unusable + 1 : 0;
      if (this.#unusable >= UNUSABLE_LIMIT) {
        this.#stop("agent_unusable", `${UNUSABLE_LIMIT} sessions in a row: ${run.reason}`);
      }
    } catch (error) {
      this.#fail(error);
      await this.#giveUp(claim.session, error);
    } finally {
      this.#running -= 1;
      this.#changed.next();
    }
  }

  async #prune(): Promise<void> {
    const open = await this.#project.queries.sessions({ open: true });
    pruneRunFolders(this.#options.readModelPath, new Set(open.map(({ id }) => id)));
  }

  /** What went wrong with us is no word about the task; where even this fails, the next driver ends the session. */
  async #giveUp(session: string, error: unknown): Promise<void> {
    const reason = `its driver failed: ${error instanceof Error ? error.message : String(error)}`;
    try {
      await endOrphan(this.#options.readModelPath, session);
      await this.#project.decide(endSession({ session, exit: "cancelled", reason }));
    } catch {
      // The first error is told.
    }
  }

  /** The other jobs come to their end. */
  #fail(error: unknown): void {
    this.#error ??= error;
    this.#stop("error", error instanceof Error ? error.message : String(error));
  }

  async #untilReady(): Promise<void> {
    while (!this.#end && (await this.#project.queries.readyTasks(1)).length === 0) {
      await this.#untilSomethingHappens();
    }
  }

  /** Until an event comes that was not there at the last look, a session ends, or the loop is to stop. */
  async #untilSomethingHappens(): Promise<void> {
    const head = await this.#project.log.head();
    if (this.#end || (await this.#project.queries.readyTasks(1)).length > 0) return;
    await firstValueFrom(merge(this.#changed, this.#project.log.follow(head)).pipe(take(1)), {
      defaultValue: undefined,
    });
    // What comes with it, such as the other events of a batch, is reduced by then.
    await delay(1);
  }

  /** The first reason counts. */
  #stop(ending: LoopEnding, reason: string, waiting: readonly Waiting[] = []): void {
    this.#end ??= { ending, reason, waiting };
    this.#changed.next();
  }

  async #record<Type extends "loop.started" | "loop.stopped">(type: Type, payload: object): Promise<void> {
    await this.#project.log.append([{ type, payload, actor: this.#project.actor }]);
  }
}

/** A sign of life that cannot be given, on a full disk for one, is missed; the process is there to be seen all the same. */
function beatAgain(readModelPath: string, driver: string): void {
  try {
    beat(readModelPath, driver, process.pid);
  } catch {
    // The next one may succeed.
  }
}
