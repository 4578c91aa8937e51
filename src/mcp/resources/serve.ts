import type { Store } from "../../decisions/store.ts";
import { turns } from "../../lib/turns.ts";
import type { ResourceMethod } from "./methods.ts";
import type { Resources } from "./resources.ts";
import type { Client, Subscriptions } from "./subscriptions.ts";

/** The server's resource capabilities. */
export const RESOURCE_CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  completions: {},
} as const;

/** One receiver of changes: the connection of a client, or one stream of it. */
export interface Watcher {
  readonly client: Client;
  /** Made when something is watched first. */
  subscriptions?: Subscriptions;
}

/**
 * A session's resources: the same in every recipe, since they are read-only. The code is loaded at
 * the first request for one, which keeps the start fast. Requests are answered one at a time, in
 * parallel to tool calls.
 */
export class ResourceService {
  readonly #open: () => Promise<Store>;
  readonly #inTurn = turns();
  readonly #watchers = new Set<Watcher>();
  #resources: Resources | undefined;

  /** @param open opens the project on first use */
  constructor(open: () => Promise<Store>) {
    this.#open = open;
  }

  /** @param watcher told of changes to what the answer shows */
  answer(method: ResourceMethod, params: unknown, watcher?: Watcher) {
    return this.#inTurn(async () => {
      const resources = await this.#load();
      return resources.answer(method, params, watcher && this.#subscriptionsOf(watcher, resources));
    });
  }

  /** Watches resources, and the list of them. @returns the URIs that there are */
  watch(watcher: Watcher, wanted: { readonly uris: readonly string[]; readonly list: boolean }) {
    return this.#inTurn(async () => {
      const resources = await this.#load();
      return resources.watch(wanted, this.#subscriptionsOf(watcher, resources));
    });
  }

  /** Resolves when every request received so far is answered. */
  settled(): Promise<unknown> {
    return this.#inTurn(async () => {});
  }

  /** Stops telling a client, or all clients, so that the log can be closed. */
  stop(watcher?: Watcher): Promise<void> {
    return this.#inTurn(async () => {
      for (const one of watcher ? [watcher] : [...this.#watchers]) {
        one.subscriptions?.stop();
        this.#watchers.delete(one);
      }
    });
  }

  async #load(): Promise<Resources> {
    if (this.#resources) return this.#resources;
    const { Resources } = await import("./resources.ts");
    this.#resources = new Resources(await this.#open());
    return this.#resources;
  }

  #subscriptionsOf(watcher: Watcher, resources: Resources): Subscriptions {
    this.#watchers.add(watcher);
    watcher.subscriptions ??= resources.subscriptionsFor(watcher.client);
    return watcher.subscriptions;
  }
}
