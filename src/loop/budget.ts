import type { Config } from "../config/config.ts";

/** What one run of a loop may use, and has used. */
export class Budget {
  readonly #limits: Config["budget"];
  readonly #jobs: number;
  #usd = 0;
  #tokens = 0;
  #unknown = 0;

  constructor({ budget, jobs }: Config) {
    this.#limits = budget;
    this.#jobs = jobs;
  }

  /** @param costUsd undefined where the agent did not tell: such a session counts by its tokens alone */
  add({ costUsd, tokens }: { costUsd: number | undefined; tokens: number }): void {
    this.#usd += costUsd ?? 0;
    this.#tokens += tokens;
    if (costUsd === undefined) this.#unknown += 1;
  }

  /** Why no further session may be started, if so. */
  exhausted(): string | undefined {
    const { usd, tokens } = this.#limits;
    if (usd !== undefined && this.#usd >= usd) {
      return `the budget of $${usd} is used up: $${this.#usd.toFixed(2)}${this.#beside()}`;
    }
    if (tokens !== undefined && this.#tokens >= tokens) {
      return `the budget of ${tokens} tokens is used up: ${this.#tokens}`;
    }
    return undefined;
  }

  /** What a session may cost: jobs share what is left. Never so little that an agent could not begin. */
  shareUsd(): number | undefined {
    const { usd } = this.#limits;
    return usd === undefined ? undefined : Math.max(LEAST_USD, (usd - this.#usd) / this.#jobs);
  }

  #beside(): string {
    return this.#unknown > 0 ? `, beside ${this.#unknown} sessions whose cost nobody knows` : "";
  }
}

const LEAST_USD = 0.01;
