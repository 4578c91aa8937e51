import { setTimeout as delay } from "node:timers/promises";
import { firstValueFrom, interval, merge, Subject, take, takeUntil } from "rxjs";
import type { LoopEnding } from "../events/types/loops.ts";
import type { Project } from "../project.ts";
import type { TaskView } from "../projections/queries/tasks.ts";
import { claimTask } from "./claim.ts";
import type { Config } from "./config.ts";
import { recover } from "./drivers/recovery.ts";
import { BEAT_MS, beat, signOff } from "./drivers/registry.ts";
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
  readonly finish: Subject<string>;
  /** Gives a reason: those that run are ended, as `cancelled`. */
  readonly cancel: Subject<string>;
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
  #sessions = 0;
  #running = 0;
  #costUsd = 0;
  #tokens = 0;
  #unusable = 0;
  #end: Omit<LoopResult, "sessions"> | undefined;
  #error: unknown;

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
      .subscribe(() => beat(readModelPath, driver, process.pid));
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
      const [next] = await this.#project.queries.readyTasks(1);
      if (next) {
        // The count goes up before the first wait, so that jobs together start no more than they may.
        if (!this.#mayStart()) return;
        await this.#runOne(next);
      } else if (this.#running > 0 || this.#options.wait) {
        await this.#untilSomethingHappens();
      } else {
        const waiting = await whatWaits(this.#project);
        // Something may have become ready between the two looks.
        if (waiting.some(({ what }) => what === "is ready")) continue;
        this.#stop("nothing_ready", sayWhatWaits(waiting), waiting);
      }
    }
  }

  #mayStart(): boolean {
    const { once, maxSessions = once ? 1 : Number.POSITIVE_INFINITY, config } = this.#options;
    const { usd, tokens } = config.budget;
    if (this.#sessions >= maxSessions) {
      this.#stop(once ? "once" : "max_sessions", `${this.#sessions} session(s) were run, as asked`);
    } else if (usd !== undefined && this.#costUsd >= usd) {
      this.#stop("budget", `the budget of $${usd} is used up: $${this.#costUsd.toFixed(2)}`);
    } else if (tokens !== undefined && this.#tokens >= tokens) {
      this.#stop("budget", `the budget of ${tokens} tokens is used up: ${this.#tokens}`);
    }
    if (this.#end) return false;
    this.#sessions += 1;
    return true;
  }

  async #runOne(task: TaskView): Promise<void> {
    const { readModelPath, config, driver, cancel, tell } = this.#options;
    const { usd } = config.budget;
    this.#running += 1;
    try {
      const claimed = await claimTask(this.#project, task, {
        readModelPath,
        config,
        driver,
        budgetUsd: usd === undefined ? undefined : usd - this.#costUsd,
      });
      if (!claimed) {
        this.#sessions -= 1;
        return;
      }
      const run = await runSession(claimed.claim, claimed.prompt, {
        project: this.#project,
        readModelPath,
        config,
        cancel,
        tell,
      });
      writeStateFiles(this.#project.store.readModel, readModelPath);
      this.#costUsd += run.costUsd ?? 0;
      this.#tokens += run.tokens;
      this.#unusable = run.unusable ? this.#unusable + 1 : 0;
      if (this.#unusable >= UNUSABLE_LIMIT) {
        this.#stop("agent_unusable", `${UNUSABLE_LIMIT} sessions in a row: ${run.reason}`);
      }
    } catch (error) {
      // Its session may be open still; the other jobs come to their end, and the next driver ends it.
      this.#error ??= error;
      this.#stop("error", error instanceof Error ? error.message : String(error));
    } finally {
      this.#running -= 1;
      this.#changed.next();
    }
  }

  async #untilSomethingHappens(): Promise<void> {
    const head = await this.#project.log.head();
    if ((await this.#project.queries.readyTasks(1)).length > 0) return;
    await firstValueFrom(
      merge(this.#changed, this.#options.finish, this.#options.cancel, this.#project.log.follow(head)).pipe(
        take(1),
      ),
      { defaultValue: undefined },
    );
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
