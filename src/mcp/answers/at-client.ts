import type { Store } from "../../decisions/store.ts";
import type { Caller } from "../caller.ts";
import { type Forms, InputRequired } from "./forms.ts";
import type { AskHuman, Recorded } from "./recorded.ts";
import type { Waiting } from "./waiting.ts";

/**
 * The human whom a server reaches through its client (decision 0025). The code and the
 * configuration are loaded at the first question.
 */
export class HumanAtClient {
  readonly #readModelPath: string;
  readonly #report: (error: unknown) => void;
  readonly #gone = new AbortController();
  #waiting: Waiting | undefined;

  /** @param readModelPath the read model's file; the project's configuration is found beside it */
  constructor(readModelPath: string, report: (error: unknown) => void) {
    this.#readModelPath = readModelPath;
    this.#report = report;
  }

  /** For one call; undefined if its client cannot show forms. */
  forCall(store: Store, caller: Caller): AskHuman | undefined {
    const { forms } = caller;
    if (!forms) return undefined;
    return async (recorded) => {
      try {
        return await this.#ask(store, recorded, { caller, forms });
      } catch (error) {
        if (error instanceof InputRequired) throw error;
        this.#report(error);
        return recorded;
      }
    };
  }

  /**
   * The client disconnected: waiting calls go on without an answer, and no new question is shown.
   */
  leave(): void {
    this.#gone.abort();
  }

  async #ask(
    store: Store,
    recorded: Recorded,
    from: { readonly caller: Caller; readonly forms: Forms },
  ): Promise<Recorded> {
    const { askHuman, confirmedConfig, Waiting } = await import("./ask-human.ts");
    const { now, wait_s } = confirmedConfig(this.#readModelPath).answers;
    if (!now) return recorded;
    this.#waiting ??= new Waiting(store, this.#gone.signal);
    return askHuman({ store, waiting: this.#waiting, wait_s }, recorded, from);
  }
}
