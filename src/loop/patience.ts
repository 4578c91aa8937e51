import type { Config } from "../config/config.ts";
import type { Environment } from "../events/environment.ts";
import type { PauseKind } from "../events/types/loops.ts";
import { adviceOn, deniedAdvice } from "./agent/advice.ts";
import type { SessionRun } from "./session-run.ts";

/** What a loop does after a session. */
export type Next = { readonly do: "go_on" } | { readonly do: "stop"; readonly reason: string } | Pause;

/** No session is started before `until`. */
export interface Pause {
  readonly do: "wait";
  readonly why: PauseKind;
  readonly reason: string;
  readonly until: Date;
}

/**
 * How a loop deals with sessions that could not do anything. A usage limit or an outage is waited out, however long it takes: until the
 * client says that it is over, else with pauses that grow. What only a human can mend stops the loop at once, anything else after
 * three sessions in a row.
 */
export class Patience {
  readonly #limits: Config["limits"];
  readonly #environment: Pick<Environment, "now" | "jitter">;
  /** Unusable sessions in a row. */
  #unusable = 0;
  /** Pauses in a row of which nobody has named the end. */
  #pauses = 0;
  #until = 0;

  constructor({ limits }: Pick<Config, "limits">, environment: Pick<Environment, "now" | "jitter">) {
    this.#limits = limits;
    this.#environment = environment;
  }

  after(run: SessionRun): Next {
    const { verdict, problem, denied, closing, outcome } = run;
    const reason = verdict.reason ?? problem?.text ?? "";
    if (problem?.kind === "limit" || problem?.kind === "outage")
      return this.#wait(problem.kind, reason, problem.resetsAt);
    if (verdict.setup) return stop(`${reason}. ${adviceOn(verdict.setup, run)}`);
    if (denied.size > 0 && closing === "stuck") return stop(deniedAdvice(run));
    if (verdict.cause === "tools" || verdict.cause === "model") {
      return this.#tooMany()
        ? stop(`${UNUSABLE_LIMIT} sessions in a row: ${reason}. Try \`signalbox doctor\`.`)
        : this.#wait("unusable", reason);
    }
    // A done that stands was not kept from anything.
    if (denied.size > 0 && outcome !== "success") {
      return this.#tooMany()
        ? stop(`${UNUSABLE_LIMIT} sessions in a row: ${deniedAdvice(run)}`)
        : { do: "go_on" };
    }
    if (verdict.exit !== "cancelled") {
      this.#unusable = 0;
      this.#pauses = 0;
    }
    return { do: "go_on" };
  }

  #tooMany(): boolean {
    this.#unusable += 1;
    return this.#unusable >= UNUSABLE_LIMIT;
  }

  #wait(why: PauseKind, reason: string, resetsAt?: Date): Pause {
    const now = this.#environment.now() / 1_000;
    const named = resetsAt?.getTime() ?? 0;
    if (named > now && named - now <= LONGEST_RESET_MS) this.#until = Math.max(this.#until, named);
    // Sessions beside each other that meet the same outage are one reason to wait.
    else if (this.#until <= now) this.#until = now + this.#backOff_ms();
    return { do: "wait", why, reason, until: new Date(this.#until) };
  }

  /** Twice as long each time, with jitter, so that many loops do not ask an overloaded model at the same moment. */
  #backOff_ms(): number {
    const { backoff_s: first, backoff_most_s: most } = this.#limits;
    const base = Math.min(first * 2 ** this.#pauses, most / SPREAD);
    this.#pauses += 1;
    return Math.min(base * (1 + (SPREAD - 1) * this.#environment.jitter()), most) * 1_000;
  }
}

/** Sessions running whose agents could not do anything, after which the loop stops. */
const UNUSABLE_LIMIT = 3;
const SPREAD = 1.5;
/** No plan's limit lasts longer; a time that is further away was misread. */
const LONGEST_RESET_MS = 32 * 86_400_000;

function stop(reason: string): Next {
  return { do: "stop", reason };
}
