import type { Result } from "@modelcontextprotocol/sdk/types.js";
import type { Pending } from "../../lib/pending.ts";
import type { Caller } from "../caller.ts";
import type { ResourceMethod } from "../resources/methods.ts";
import type { ResourceService } from "../resources/serve.ts";

/** The methods that a session answers alike in both eras of MCP. */
export type SessionMethod = "tools/list" | "tools/call" | ResourceMethod;

/** What the connections of a session's clients answer from. */
export interface Session {
  /** @throws RequestError, LogError, ReadModelError, ContextError */
  answer(method: SessionMethod, params: unknown, caller: Caller): Promise<Result>;
  readonly resources: ResourceService;
  /** A client is there: it has initialized, or has sent a request that needs no more than itself. */
  clientIsThere(): void;
  /** Calls back whenever the tools have changed. @returns stops that */
  onToolsChanged(tell: () => void): () => void;
  /** What is being got ready, before requests that have come are answered. */
  readonly preparing: Pending;
  /** The streams on which clients are told of changes. */
  readonly streams: Pending;
  /** Resolves when the clients are to be left. */
  readonly left: Promise<void>;
  report(error: unknown): void;
}
