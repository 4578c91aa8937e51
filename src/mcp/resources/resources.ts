import type { Result } from "@modelcontextprotocol/sdk/types.js";
import type { Store } from "../../decisions/store.ts";
import { askAtHead } from "../../read-model/ask.ts";
import { completeKey, kindToComplete } from "./complete.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { isNotFound, notFound, wrongCursor } from "./faults.ts";
import { listPage, listTemplates } from "./list.ts";
import type { ResourceMethod } from "./methods.ts";
import { type Completing, completing, named, paged, parseParams } from "./params.ts";
import { findContent } from "./read.ts";
import { type Client, Subscriptions } from "./subscriptions.ts";

/** The answers to requests for a session's resources. */
export class Resources {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  subscriptionsFor(client: Client): Subscriptions {
    return new Subscriptions(this.#store, client);
  }

  /**
   * Answers a request. Call it for one request at a time.
   *
   * @param subscriptions of its client, if that is told of changes to what it was shown
   * @throws RequestError -32002: there is no such resource; -32602: invalid parameters
   * @throws LogError, ReadModelError
   */
  async answer(method: ResourceMethod, params: unknown, subscriptions?: Subscriptions): Promise<Result> {
    switch (method) {
      case "resources/list":
        return this.#list(parseParams(method, paged, params).cursor, subscriptions);
      case "resources/templates/list":
        return templates(parseParams(method, paged, params).cursor);
      case "resources/read":
        return this.#read(parseParams(method, named, params).uri);
      case "resources/subscribe":
        await subscriptions?.add(parseParams(method, named, params).uri);
        return {};
      case "resources/unsubscribe":
        subscriptions?.remove(parseParams(method, named, params).uri);
        return {};
      case "completion/complete":
        return this.#complete(parseParams(method, completing, params));
    }
  }

  /** Watches resources, and the list of them. @returns the URIs that there are */
  async watch(
    { uris, list }: { readonly uris: readonly string[]; readonly list: boolean },
    subscriptions: Subscriptions,
  ): Promise<string[]> {
    if (list) await askAtHead(this.#store, (readModel) => subscriptions.listShown(readModel));
    const there: string[] = [];
    for (const uri of new Set(uris)) {
      const found = await subscriptions.add(uri).then(() => true, unlessNotFound);
      if (found) there.push(uri);
    }
    return there;
  }

  async #list(cursor: string | undefined, subscriptions?: Subscriptions): Promise<Result> {
    const from = cursor === undefined ? undefined : decodeCursor(cursor);
    if (cursor !== undefined && !from) throw wrongCursor("resources/list", cursor);
    return askAtHead(this.#store, (readModel) => {
      if (!from) subscriptions?.listShown(readModel);
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

function unlessNotFound(error: unknown): false {
  if (!isNotFound(error)) throw error;
  return false;
}

function templates(cursor: string | undefined): Result {
  if (cursor !== undefined) throw wrongCursor("resources/templates/list", cursor);
  return { resourceTemplates: listTemplates() };
}
