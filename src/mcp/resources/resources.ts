import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Result } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Store } from "../../decisions/store.ts";
import { askFor } from "../tool.ts";
import { completeKey, kindToComplete } from "./complete.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { notFound, quoted, wrongParams } from "./faults.ts";
import { listPage, listTemplates } from "./list.ts";
import { findContent } from "./read.ts";
import type { ResourceMethod } from "./serve.ts";
import { Subscriptions } from "./subscriptions.ts";

/** The resources of one server: answers what its client asks of them, and tells it what changes. */
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
   * Answers a request. Requests are to be answered one after the other.
   *
   * @throws McpError -32002: there is no such resource; -32602: the parameters are not as they must be
   * @throws LogError, ReadModelError
   */
  async answer(method: ResourceMethod, params: unknown): Promise<Result> {
    switch (method) {
      case "resources/list":
        return this.#list(parse(method, paged, params).cursor);
      case "resources/templates/list":
        return templates(parse(method, paged, params).cursor);
      case "resources/read":
        return this.#read(parse(method, named, params).uri);
      case "resources/subscribe":
        await this.#subscriptions.add(parse(method, named, params).uri);
        return {};
      case "resources/unsubscribe":
        this.#subscriptions.remove(parse(method, named, params).uri);
        return {};
      case "completion/complete":
        return this.#complete(parse(method, completing, params));
    }
  }

  /** Follows the log no more. */
  stop(): void {
    this.#subscriptions.stop();
  }

  async #list(cursor: string | undefined): Promise<Result> {
    const from = cursor === undefined ? undefined : decodeCursor(cursor);
    if (cursor !== undefined && !from) throw wrongCursor("resources/list", cursor);
    return askFor({ store: this.#store }, (readModel) => {
      if (!from) this.#subscriptions.listShown(readModel);
      const { resources, next } = listPage(readModel, from);
      return { resources, ...(next && { nextCursor: encodeCursor(next) }) };
    });
  }

  async #read(uri: string): Promise<Result> {
    const content = await askFor({ store: this.#store }, (readModel) => findContent(readModel, uri));
    if (!content) throw notFound(uri);
    return { contents: [{ uri, ...content }] };
  }

  async #complete({ ref, argument }: z.infer<typeof completing>): Promise<Result> {
    const kind = kindToComplete(ref, argument.name);
    return {
      completion: await askFor({ store: this.#store }, (readModel) =>
        completeKey(readModel, kind, argument.value),
      ),
    };
  }
}

function templates(cursor: string | undefined): Result {
  if (cursor !== undefined) throw wrongCursor("resources/templates/list", cursor);
  return { resourceTemplates: listTemplates() };
}

const paged = z.looseObject({ cursor: z.string().optional() });
const named = z.looseObject({ uri: z.string() });
const completing = z.looseObject({
  ref: z.looseObject({ type: z.enum(["ref/prompt", "ref/resource"]), uri: z.string().optional() }),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
});

function parse<Schema extends z.ZodType>(
  method: ResourceMethod,
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `\`${path.join(".") || "params"}\`: ${message}`,
  );
  throw wrongParams(method, `${problems.join("; ")}.`);
}

function wrongCursor(method: ResourceMethod, cursor: string) {
  return wrongParams(
    method,
    `the cursor ${quoted(cursor)} is none that this server gave; begin again without one, and send back \`nextCursor\` as it came.`,
  );
}
