import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Store } from "../../decisions/store.ts";
import type { AskHuman, Recorded } from "./recorded.ts";
import type { Caller } from "./shown-form.ts";
import type { Waiting } from "./waiting.ts";

/**
 * The human whom a server reaches through its client (decision 0025). The code and the
 * configuration are loaded at the first question.
 */
export class HumanAtClient {
  readonly #server: Server;
  readonly #readModelPath: string;
  readonly #gone = new AbortController();
  #waiting: Waiting | undefined;

  /** @param readModelPath the read model's file; the project's configuration is found beside it */
  constructor(server: Server, readModelPath: string) {
    this.#server = server;
    this.#readModelPath = readModelPath;
  }

  /** For one call; undefined if its client cannot show forms. */
  forCall(store: Store, caller: Caller): AskHuman | undefined {
    if (!this.#server.getClientCapabilities()?.elicitation?.form) return undefined;
    return async (recorded) => {
      try {
        return await this.#ask(store, recorded, caller);
      } catch (error) {
        this.#server.onerror?.(error instanceof Error ? error : new Error(String(error)));
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

  async #ask(store: Store, recorded: Recorded, caller: Caller): Promise<Recorded> {
    const { askHuman, confirmedConfig, Waiting } = await import("./ask-human.ts");
    const { now, wait_s } = confirmedConfig(this.#readModelPath).answers;
    if (!now) return recorded;
    if (!this.#waiting) {
      this.#waiting = new Waiting(store, this.#gone.signal);
      // Clients made with the SDK ignore a cancellation of request 0, a server's first: with this one ahead no form has
      // that id (modelcontextprotocol/typescript-sdk issue 2283).
      void this.#server.ping().catch(() => {});
    }
    return askHuman({ store, waiting: this.#waiting, wait_s }, recorded, caller);
  }
}
