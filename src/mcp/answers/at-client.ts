import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Config } from "../../config/config.ts";
import type { Store } from "../../decisions/store.ts";
import type { Caller } from "./shown-form.ts";
import type { Waiting } from "./waiting.ts";

/** What `ask` answers an agent. */
export interface Recorded {
  /** Where the ask stands in the log, which is the question's id. */
  readonly position: number;
  readonly recorded: string;
  readonly next: string;
  /** What a human answered, if one did. */
  readonly answer?: string | undefined;
}

/** Puts a recorded question to a human, and completes its answer. It never throws: what is recorded stays recorded. */
export type AskHuman = (recorded: Recorded) => Promise<Recorded>;

/** How the project wants its questions answered. @throws ConfigError */
export type ReadAnswersConfig = () => Promise<Config["answers"]>;

/**
 * The human whom a server can reach through its client (decision 25). All that it takes is loaded, and the configuration
 * read, when somebody is to be asked.
 */
export class HumanAtClient {
  readonly #server: Server;
  readonly #readConfig: ReadAnswersConfig;
  readonly #gone = new AbortController();
  #waiting: Promise<Waiting> | undefined;

  constructor(server: Server, readConfig: ReadAnswersConfig) {
    this.#server = server;
    this.#readConfig = readConfig;
  }

  /** For one call; undefined where its client can show no form. */
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

  /** The client has gone: whoever waits for a human goes on without, and nobody is asked any more. */
  leave(): void {
    this.#gone.abort();
  }

  async #ask(store: Store, recorded: Recorded, caller: Caller): Promise<Recorded> {
    const { now, wait_s } = await this.#readConfig();
    if (!now) return recorded;
    this.#waiting ??= this.#prepare(store);
    const [waiting, { askHuman }] = await Promise.all([this.#waiting, import("./ask-human.ts")]);
    return askHuman({ store, waiting, wait_s }, recorded, caller);
  }

  async #prepare(store: Store): Promise<Waiting> {
    const { Waiting } = await import("./waiting.ts");
    // Clients made with the SDK pass over a cancellation of request 0, a server's first (modelcontextprotocol/typescript-sdk
    // issue 2283): with this one ahead no form has that id.
    void this.#server.ping().catch(() => {});
    return new Waiting(store, this.#gone.signal);
  }
}
