import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Result } from "@modelcontextprotocol/sdk/types.js";
import type { Store } from "../../decisions/store.ts";
import { askAtHead } from "../../projections/ask.ts";
import { completeKey, kindToComplete } from "./complete.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { notFound, wrongCursor } from "./faults.ts";
import { listPage, listTemplates } from "./list.ts";
import type { ResourceMethod } from "./methods.ts";
import { type Completing, completing, named, paged, parseParams } from "./params.ts";
import { findContent } from "./read.ts";
import { Subscriptions } from "./subscriptions.ts";

/** One server's resources: answers its client's requests, and notifies it of changes. */
export class Resources {
  readonly #store: Store;
  readonly #subscriptions: Subscriptions;

  constructor(store: Store, server: Server) {
    this.#store = store;
    const failed = (error: unknown) =>
      server.onerror?.(error instanceof Error ? error : new Error(String(error)));
    this.#subscriptions = new Subscriptions(store, {
      updated: (uri) => void server.sendResourceUpdated({ uri }).catch(failed),
      listChanged: () => void server.sendResourceListChanged().catch(failed),
      failed,
    });
  }

  /**
   * Answers a request. Call it for one request at a time.
   *
   * @throws McpError -32002: there is no such resource; -32602: invalid parameters
   * @throws LogError, ReadModelError
   */
  async answer(method: ResourceMethod, params: unknown): Promise<Result> {
    switch (method) {
      case "resources/list":
        return this.#list(parseParams(method, paged, params).cursor);
      case "resources/templates/list":
        return templates(parseParams(method, paged, params).cursor);
      case "resources/read":
        return this.#read(parseParams(method, named, params).uri);
      case "resources/subscribe":
        await this.#subscriptions.add(parseParams(method, named, params).uri);
        return {};
      case "resources/unsubscribe":
        this.#subscriptions.remove(parseParams(method, named, params).uri);
        return {};
      case "completion/complete":
        return this.#complete(parseParams(method, completing, params));
    }
  }

  /** Stops following the log. */
  stop(): void {
    this.#subscriptions.stop();
  }

  async #list(cursor: string | undefined): Promise<Result> {
    const from = cursor === undefined ? undefined : decodeCursor(cursor);
    if (cursor !== undefined && !from) throw wrongCursor("resources/list", cursor);
    return askAtHead(this.#store, (readModel) => {
      if (!from) this.#subscriptions.listShown(readModel);
      const { resources, next } = listPage(readModel, from);
      return { resources, ...(next && { nextCursor: encodeCursor(next) }) };
    });
  }

  async #read(uri: string): Promise<Result> {
    const content = await askAtHead(this.#store, (readModel) => findContent(readModel, uri));
    if (!content) throw notFound(uri);
    return { contents: [{ uri, ...content }] };
  }

  async #complete({ ref, argument }: Completing): Promise<Result> {
    const kind = kindToComplete(ref, argument.name);
    return {
      completion: await askAtHead(this.#store, (readModel) => completeKey(readModel, kind, argument.value)),
    };
  }
}

function templates(cursor: string | undefined): Result {
  if (cursor !== undefined) throw wrongCursor("resources/templates/list", cursor);
  return { resourceTemplates: listTemplates() };
}
