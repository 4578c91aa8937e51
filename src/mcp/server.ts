import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCErrorResponse,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Result,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { Pending } from "../lib/pending.ts";
import { HumanAtClient } from "./answers/at-client.ts";
import { Calls } from "./calls.ts";
import { checkRequest } from "./check-request.ts";
import { type Context, ContextError, type LaunchContext, reporterOf } from "./context.ts";
import { answerStateless } from "./eras/answer.ts";
import type { Channel } from "./eras/channel.ts";
import { InitializedConnection } from "./eras/initialized.ts";
import type { Session } from "./eras/served-session.ts";
import { StatelessConnection } from "./eras/stateless.ts";
import type { Host } from "./host.ts";
import { listTool } from "./listing.ts";
import { OwnSessions } from "./own-sessions.ts";
import { ResourceService } from "./resources/serve.ts";
import type { Tool } from "./tool.ts";
import { Toolset } from "./toolset.ts";
import { GatesAtServer } from "./verifying/at-server.ts";
import type { GatePlace } from "./verifying/gates-of-call.ts";

export interface ServerOptions extends Host {
  readonly context: LaunchContext;
  /** Called once, when a client is there to use the tools. */
  readonly onClient?: () => void;
  /** Called soon after that, once the client's first request, for its tools, is answered. */
  readonly onFirstAnswers?: () => void;
  /**
   * The read model's file, beside which the configuration says how questions are answered; absent:
   * no form is shown.
   */
  readonly readModelPath?: string | undefined;
  /** Runs gates; absent: none run, as in a replay. */
  readonly gates?: GatePlace | undefined;
  /** Called before tools are listed or called, to apply a changed context. @throws ContextError */
  readonly refresh?: () => Promise<void>;
  /** Called if the context becomes unusable: from then on no tool can be listed or called. */
  readonly onUnusable?: (error: ContextError) => void;
}

/**
 * The MCP server `ralph`, with the tools of one context, and the resources of every context, for
 * any number of connections in either era of MCP.
 */
export function createServer(options: ServerOptions): AgentServer {
  const { context, open, signal, mostCalls, refresh, onUnusable, readModelPath, report = () => {} } = options;
  const toolset = new Toolset(context, open);
  const listings = new Pending();
  const resources = new ResourceService(open);
  const human = readModelPath === undefined ? undefined : new HumanAtClient(readModelPath, report);
  const gates = options.gates && new GatesAtServer(options.gates);
  const sessions = new OwnSessions(context.session_id, reporterOf(context), options.isBound);
  const calls = new Calls({ open, signal, mostCalls, sessions, tools: presentTools, human, gates });
  const toolListeners = new Set<() => void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let isThere = false;

  async function presentTools(): Promise<readonly Tool[]> {
    try {
      await refresh?.();
      return await toolset.tools();
    } catch (error) {
      if (error instanceof ContextError) onUnusable?.(error);
      throw error;
    }
  }

  async function listTools(params: unknown): Promise<Result> {
    checkRequest("tools/list", toolList, { params });
    return { tools: (await listings.add(presentTools())).map(listTool) };
  }

  const session: Session = {
    async answer(method, params, caller) {
      if (method === "tools/list") return listTools(params);
      if (method === "tools/call") return calls.call(params, caller);
      return resources.answer(method, params, caller.watcher);
    },
    resources,
    preparing: new Pending(),
    streams: new Pending(),
    clientIsThere() {
      if (isThere) return;
      isThere = true;
      options.onClient?.();
      setTimeout(() => {
        void gates?.prepare();
        options.onFirstAnswers?.();
      }, FIRST_ANSWERS_MS);
    },
    onToolsChanged(tell) {
      toolListeners.add(tell);
      return () => void toolListeners.delete(tell);
    },
    left,
    report,
  };

  return {
    connect: (transport) => connectBothEras(session, transport),
    answer: (request, channel) => answerStateless(session, request, channel),
    async settled() {
      await session.preparing.settled();
      await Promise.all([calls.settled(), listings.settled(), resources.settled()]);
    },
    async leave() {
      await session.preparing.drained();
      human?.leave();
      await Promise.all([calls.answered(), listings.drained()]);
      leave();
      await session.streams.drained();
      await resources.stop();
    },
    stopGates: () => gates?.stop(),
    async replaceContext(next) {
      toolset.replace(next);
      await toolset.tools().catch((error) => {
        // Other errors are reported to the next listing or call.
        if (error instanceof ContextError) throw error;
      });
      for (const tell of toolListeners) tell();
    },
  };
}

const FIRST_ANSWERS_MS = 50;

const toolList = z.looseObject({ params: z.looseObject({ cursor: z.string().optional() }).optional() });

export interface AgentServer {
  /** Serves a client over a connection of its own, in the era of MCP in which it speaks. */
  connect(transport: Transport): Promise<void>;
  /** Answers a request that says all about itself (MCP 2026-07-28), whoever brought it. Never throws. */
  answer(request: JSONRPCRequest, channel: Channel): Promise<JSONRPCResultResponse | JSONRPCErrorResponse>;
  /**
   * Resolves when every call, listing and resource request received so far is done; some calls may
   * still wait for a human before they are answered.
   */
  settled(): Promise<unknown>;
  /**
   * The client disconnected: no call waits for a human any more, and the log is not followed.
   * Resolves when every received call is answered, and its gates have run.
   */
  leave(): Promise<void>;
  /** Ends the gates that run, which are recorded as interrupted; no other one starts. */
  stopGates(): void;
  /**
   * Switches to another context of the same session, and notifies the clients.
   *
   * @throws ContextError
   */
  replaceContext(context: Context): Promise<void>;
}

/**
 * Serves a client over its connection: each request in the era of MCP that it is of, so that a
 * client may ask what is spoken here and then go on in either (MCP 2026-07-28, Versioning).
 */
async function connectBothEras(session: Session, transport: Transport): Promise<void> {
  const stateless = new StatelessConnection(session, (message) => transport.send(message));
  const initialized = new InitializedConnection(session, transport);
  transport.onmessage = (message, extra) => {
    if (!stateless.take(message)) initialized.take(message, extra);
  };
  transport.onclose = () => {
    stateless.close();
    initialized.close();
  };
  transport.onerror = session.report;
  await transport.start();
}
