import type { Config } from "../config/config.ts";

/** The budget of one run of a loop. */
export class Budget {
  readonly #limits: Config["budget"];
  readonly #jobs: number;
  #usd = 0;
  #tokens = 0;
  #costUnknown = false;
  #tokensUnknown = false;

  constructor({ budget, jobs }: Config) {
    this.#limits = budget;
    this.#jobs = jobs;
  }

  /**
   * @param used a session's usage; undefined if unknown: from then on its budget cannot be enforced
   */
  add({ costUsd, tokens }: { costUsd: number | undefined; tokens: number | undefined }): void {
    this.#usd += costUsd ?? 0;
    this.#tokens += tokens ?? 0;
    this.#costUnknown ||= costUsd === undefined;
    this.#tokensUnknown ||= tokens === undefined;
  }

  /** Why no further session may start, if so. */
  exhausted(): string | undefined {
    const { usd, tokens } = this.#limits;
    if (usd !== undefined && this.#usd >= usd) {
      return `the budget of $${usd} is used up: $${this.#usd.toFixed(2)}`;
    }
    if (usd !== undefined && this.#costUnknown) {
      return `the budget of $${usd} cannot be enforced: the cost of a session is unknown; set "prices" for its model, or a budget in tokens`;
    }
    if (tokens !== undefined && this.#tokens >= tokens) {
      return `the budget of ${tokens} tokens is used up: ${this.#tokens}`;
    }
    if (tokens !== undefined && this.#tokensUnknown) {
      return `the budget of ${tokens} tokens cannot be enforced: the agent did not report its tokens`;
    }
    return undefined;
  }

  /**
   * The budget of one session: jobs share the rest equally. Never too little for an agent to begin.
   */
  shareUsd(): number | undefined {
    const { usd } = this.#limits;
    return usd === undefined ? undefined : Math.max(LEAST_USD, (usd - this.#usd) / this.#jobs);
  }
}

const LEAST_USD = 0.01;
