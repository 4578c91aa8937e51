import type { Config } from "../config/config.ts";
import type { LoopEnding, PauseKind } from "../events/types/loops.ts";
import type { Environment } from "../lib/environment.ts";
import { adviceOn, deniedAdvice } from "./agent/advice.ts";
import type { SessionRun } from "./session-run.ts";

/** The loop's next step after a session. */
export type Next = { readonly do: "go_on" } | Stop | Pause;

interface Stop {
  readonly do: "stop";
  readonly ending: LoopEnding;
  readonly reason: string;
}

/** No session starts before `until`. */
export interface Pause {
  readonly do: "wait";
  readonly why: PauseKind;
  readonly reason: string;
  readonly until: Date;
}

/**
 * The loop's reaction to sessions that could not work. A usage limit or an outage is waited out,
 * however long: until the time given by the client, else with growing pauses. A fault that only a
 * human can fix stops the loop at once, any other fault after three sessions in a row. After three in a row that ended
 * at once and left their task ready, each next one waits as after an outage.
 */
export class Patience {
  readonly #limits: Config["limits"];
  readonly #environment: Pick<Environment, "now" | "jitter">;
  /** Consecutive unusable sessions, and failed setups. */
  #unusable = 0;
  /** Consecutive sessions that ended at once and left their task ready. */
  #fruitless = 0;
  /** Consecutive pauses without a known end. */
  #pauses = 0;
  #until = 0;

  constructor({ limits }: Pick<Config, "limits">, environment: Pick<Environment, "now" | "jitter">) {
    this.#limits = limits;
    this.#environment = environment;
  }

  after(run: SessionRun): Next {
    const { verdict, problem, denied, closing, outcome } = run;
    const reason = (verdict.reason ?? problem?.text ?? "").replace(/\.$/, "");
    if (problem?.kind === "limit" || problem?.kind === "outage")
      return this.#wait(problem.kind, reason, problem.resetsAt);
    if (verdict.setup) return stop(`${reason}. ${adviceOn(verdict.setup, run)}`);
    if (denied.size > 0 && closing === "stuck") return stop(deniedAdvice(run));
    if (verdict.cause === "tools" || verdict.cause === "model") {
      return this.#tooMany()
        ? stop(`${UNUSABLE_LIMIT} sessions in a row: ${reason}. Try \`signalbox doctor\`.`)
        : this.#wait("unusable", reason);
    }
    // A confirmed done proves that the session could work.
    if (denied.size > 0 && outcome !== "success") {
      return this.#tooMany()
        ? stop(`${UNUSABLE_LIMIT} sessions in a row: ${deniedAdvice(run)}`)
        : { do: "go_on" };
    }
    if (verdict.exit === "cancelled") return { do: "go_on" };
    this.#unusable = 0;
    this.#fruitless = run.tookMs < AT_ONCE_MS && run.status === "pending" ? this.#fruitless + 1 : 0;
    if (this.#fruitless >= FRUITLESS_LIMIT) {
      const seconds = AT_ONCE_MS / 1_000;
      return this.#wait(
        "unusable",
        `${this.#fruitless} sessions in a row ended within ${seconds} s and left their task ready`,
      );
    }
    this.#pauses = 0;
    return { do: "go_on" };
  }

  /** A setup may fail because of what is out of reach, and would for every task: it is tried again. */
  afterSetup({ message }: Error): Next {
    return this.#tooMany()
      ? stop(
          `${UNUSABLE_LIMIT} times in a row: ${message}. \`signalbox inbox\` shows its output.`,
          "setup_failed",
        )
      : this.#wait("unusable", message);
  }

  #tooMany(): boolean {
    this.#unusable += 1;
    return this.#unusable >= UNUSABLE_LIMIT;
  }

  #wait(why: PauseKind, reason: string, resetsAt?: Date): Pause {
    const now = this.#environment.now() / 1_000;
    const named = resetsAt?.getTime() ?? 0;
    if (named > now && named - now <= LONGEST_RESET_MS) this.#until = Math.max(this.#until, named);
    // Concurrent sessions that meet the same outage count as one reason to wait.
    else if (this.#until <= now) this.#until = now + this.#backOff_ms();
    return { do: "wait", why, reason, until: new Date(this.#until) };
  }

  /** Doubles each time, with jitter, so that many loops do not ask an overloaded model at once. */
  #backOff_ms(): number {
    const { backoff_s: first, backoff_most_s: most } = this.#limits;
    const base = Math.min(first * 2 ** this.#pauses, most / SPREAD);
    this.#pauses += 1;
    return Math.min(base * (1 + (SPREAD - 1) * this.#environment.jitter()), most) * 1_000;
  }
}

/** Consecutive sessions whose agents could not work, after which the loop stops. */
const UNUSABLE_LIMIT = 3;
/** No model reads its prompt and gets on with a task in less. */
const AT_ONCE_MS = 10_000;
/** Consecutive sessions of that kind, after which the loop slows down. */
const FRUITLESS_LIMIT = 3;
const SPREAD = 1.5;
/** No plan's limit lasts longer; a later time was misread. */
const LONGEST_RESET_MS = 32 * 86_400_000;

function stop(reason: string, ending: LoopEnding = "agent_unusable"): Stop {
  return { do: "stop", ending, reason };
}
