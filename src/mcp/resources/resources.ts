import type { Result } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Store } from "../../decisions/store.ts";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";
import { askAtHead } from "../../read-model/ask.ts";
import { completeKey, kindToComplete } from "./complete.ts";
import { isNotFound, notFound, wrongCursor, wrongParams } from "./faults.ts";
import { resourceKinds } from "./kinds.ts";
import type { Place } from "./list.ts";
import { listPage, listTemplates } from "./list.ts";
import type { ResourceMethod } from "./methods.ts";
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

/**
 * The opaque cursor of the next page (MCP, Pagination). Stays valid while resources come and go.
 */
function encodeCursor({ kind, after }: Place): string {
  return Buffer.from(`${kind} ${after}`).toString("base64url");
}

/** Undefined for anything that `encodeCursor` did not make. */
function decodeCursor(cursor: string): Place | undefined {
  const [, kind, after] = /^(\d) (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const place = { kind: Number(kind), after: Number(after) };
  return resourceKinds[place.kind] && encodeCursor(place) === cursor ? place : undefined;
}

/** The parameters of the requests (MCP, Resources and Completion). Unknown ones are ignored. */
const paged = z.looseObject({ cursor: z.string().optional() }).describe("{} or {cursor}");

const named = z.looseObject({ uri: z.string() }).describe('{uri}, such as {"uri": "ralph://board"}');

const completing = z
  .looseObject({
    ref: z.looseObject({ type: z.enum(["ref/prompt", "ref/resource"]), uri: z.string().optional() }),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
  })
  .describe(
    '{ref, argument}, such as {"ref": {"type": "ref/resource", "uri": "ralph://tasks/{id}"}, "argument": {"name": "id", "value": "1"}}',
  );
type Completing = z.infer<typeof completing>;

/** @throws RequestError -32602, naming the wrong fields and a valid value */
function parseParams<Schema extends z.ZodType>(
  method: string,
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params ?? {}, inOurWords);
  if (parsed.success) return parsed.data;
  throw wrongParams(method, `${describeIssues(parsed.error, "params")}; params are ${schema.description}.`);
}
