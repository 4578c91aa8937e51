import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import type { Store } from "../decisions/store.ts";
import { idFromKey } from "../events/ids.ts";
import { LogError } from "../events/log-error.ts";
import { SERVER_NAME } from "../events/server-name.ts";
import { turns } from "../lib/turns.ts";
import { version } from "../lib/version.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { HumanAtClient } from "./answers/at-client.ts";
import { tellRebuild } from "./answers/progress.ts";
import type { Caller } from "./answers/shown-form.ts";
import { checkArguments } from "./arguments.ts";
import { CheckedServer } from "./checked-server.ts";
import { type Context, ContextError, type LaunchContext, reporterOf } from "./context.ts";
import { listTool } from "./listing.ts";
import { OwnSessions } from "./own-sessions.ts";
import { refusalWords } from "./refusal-words.ts";
import { RESOURCE_CAPABILITIES, serveResources } from "./resources/serve.ts";
import type { Call, Tool } from "./tool.ts";
import { ToolRefusal } from "./tool-refusal.ts";
import { Toolset } from "./toolset.ts";
import { GatesAtServer } from "./verifying/at-server.ts";
import type { GatePlace } from "./verifying/gates-of-call.ts";

export interface ServerOptions {
  readonly context: LaunchContext;
  /** Opens the project on first use: starting touches neither log nor read model. */
  readonly open: () => Promise<Store>;
  /** Once it is aborted, the calls that wait for their turn fail with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the client has initialized the session. */
  readonly onInitialized?: () => void;
  /** Called soon after that, once the client's first request, for its tools, is answered. */
  readonly onFirstAnswers?: () => void;
  /**
   * The read model's file, beside which the configuration says how questions are answered; absent:
   * no form is shown.
   */
  readonly readModelPath?: string;
  /** Runs gates; absent: none run, as in a replay. */
  readonly gates?: GatePlace | undefined;
  /** Called before tools are listed or called, to apply a changed context. @throws ContextError */
  readonly refresh?: () => Promise<void>;
  /** Called if the context becomes unusable: from then on no tool can be listed or called. */
  readonly onUnusable?: (error: ContextError) => void;
}

/**
 * The MCP server `ralph`, with the tools of one context, and the resources of every context. Calls
 * run one at a time, in the order received, so that the log has the agent's order.
 */
export function createServer(options: ServerOptions): AgentServer {
  const { context, open, onInitialized, onFirstAnswers, refresh, onUnusable, readModelPath } = options;
  const toolset = new Toolset(context, open);
  const sessions = new OwnSessions(context.session_id, reporterOf(context));
  const server = new CheckedServer(
    { name: SERVER_NAME, version },
    { capabilities: { tools: { listChanged: true }, ...RESOURCE_CAPABILITIES } },
  );
  const resources = serveResources(server, open);
  const inProgress = new Set<Promise<unknown>>();
  server.setRequestHandler(ListToolsRequestSchema, () =>
    watched(presentTools().then((tools) => ({ tools: tools.map(listTool) }))),
  );
  const human = readModelPath === undefined ? undefined : new HumanAtClient(server, readModelPath);
  const gates = options.gates && new GatesAtServer(options.gates);
  server.oninitialized = () => {
    onInitialized?.();
    setTimeout(() => {
      void gates?.prepare();
      onFirstAnswers?.();
    }, FIRST_ANSWERS_MS);
  };
  const inTurn = turns();
  const unanswered = new Set<Promise<unknown>>();
  server.setRequestHandler(toolCall, ({ params }, caller) => {
    const worked = watched(inTurn(() => workOn(params, caller)));
    const answer = answered(async () => (await worked)());
    unanswered.add(answer);
    return answer.finally(() => unanswered.delete(answer));
  });

  /** Counts as in progress until it is over. */
  function watched<Answer>(answer: Promise<Answer>): Promise<Answer> {
    inProgress.add(answer);
    const over = () => void inProgress.delete(answer);
    answer.then(over, over);
    return answer;
  }

  async function presentTools(): Promise<readonly Tool[]> {
    try {
      await refresh?.();
      return await toolset.tools();
    } catch (error) {
      if (error instanceof ContextError) onUnusable?.(error);
      throw error;
    }
  }

  /** Runs a call. The returned function completes the answer while other calls run. */
  async function workOn(
    params: z.infer<typeof toolCall>["params"],
    caller: Caller,
  ): Promise<() => Promise<Answer>> {
    options.signal?.throwIfAborted();
    const tools = await presentTools();
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const names = tools.map(({ name }) => name).join(", ");
      throw new McpError(
        ErrorCode.InvalidParams,
        `Unknown tool ${params.name.slice(0, 100)}; the tools are ${names}`,
      );
    }
    const args = checkArguments(tool, params.arguments, tools);
    const use = toolUseOf(params._meta);
    const store = await open();
    const call: Call = {
      store,
      sessions,
      eventId: use === undefined ? store.environment.newId() : idFromKey(sessions.label, use),
      key: use === undefined ? undefined : `${sessions.label} ${use}`,
      askHuman: human?.forCall(store, caller),
      gates: gates?.forCall(store, caller),
    };
    const telling = tellRebuild(caller, store.readModel);
    const answer = await run(tool, args, call).finally(() => telling?.unsubscribe());
    return async () => (tool.afterwards ? tool.afterwards(answer, args, call) : answer);
  }

  return {
    server,
    settled: () => Promise.all([Promise.allSettled(inProgress), resources.settled()]),
    async leave() {
      human?.leave();
      gates?.leave();
      while (inProgress.size + unanswered.size > 0) await Promise.allSettled([...inProgress, ...unanswered]);
      await resources.stop();
    },
    async replaceContext(next) {
      toolset.replace(next);
      await toolset.tools().catch((error) => {
        // Other errors are reported to the next listing or call.
        if (error instanceof ContextError) throw error;
      });
      await server.sendToolListChanged();
    },
  };
}

const FIRST_ANSWERS_MS = 50;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The tool checks its arguments. The SDK's own schema would silently drop a field named __proto__.
 */
const toolCall = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({
    name: z.string(),
    arguments: z.custom<object>(isObject, "must be an object").optional(),
    _meta: z.looseObject({}).optional(),
  }),
});

export interface AgentServer {
  readonly server: Server;
  /**
   * Resolves when every call, listing and resource request received so far is done; some calls may
   * still wait for a human before they are answered.
   */
  settled(): Promise<unknown>;
  /**
   * The client disconnected: no call waits for a human any more, and the log is not followed.
   * Resolves when every received call is answered.
   */
  leave(): Promise<void>;
  /**
   * Switches to another context of the same session, and notifies the client.
   *
   * @throws ContextError
   */
  replaceContext(context: Context): Promise<void>;
}

type Answer = Record<string, unknown>;

/** @throws the tool's errors; a decision's refusal in the tool's own terms */
async function run(tool: Tool, args: Record<string, unknown>, call: Call): Promise<Answer> {
  try {
    return await tool.run(args, call);
  } catch (error) {
    throw error instanceof Refusal ? new ToolRefusal(refusalWords(error, tool)) : error;
  }
}

async function answered(run: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const answer = await run();
    // If there is structured content, the model sees only that; the text says the same.
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const text =
      error instanceof LogError && error.code === "id_conflict"
        ? "Nothing was recorded: an earlier call with the same id had other arguments. Send it as a new " +
          "call."
        : error.message;
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Errors whose message is for the agent; any other error is a bug of the server. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof ToolRefusal ||
    error instanceof Refusal ||
    error instanceof LogError ||
    error instanceof ReadModelError
  );
}

/**
 * Claude Code gives each tool use an id: with the session it gives the event's id, so a repeated
 * call is recognised.
 */
function toolUseOf(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const use = meta?.["claudecode/toolUseId"];
  return typeof use === "string" && use !== "" ? use : undefined;
}
