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
  /** Opens the project, the first time that it is needed: starting up touches neither log nor read model. */
  readonly open: () => Promise<Store>;
  /** Called when the client has initialized the session. */
  readonly onInitialized?: () => void;
  /** Called soon after that, once the client has been answered what it asks first: its tools. */
  readonly onFirstAnswers?: () => void;
  /** The read model's file, beside which the configuration says how questions are answered; absent: nobody is asked at once. */
  readonly readModelPath?: string;
  /** Where gates are run; absent: none is, as in a replay. */
  readonly gates?: GatePlace | undefined;
  /** Called before tools are listed or called, to have a changed context take effect. @throws ContextError */
  readonly refresh?: () => Promise<void>;
  /** Called where the context cannot be used any more: no tool can be listed or called from then on. */
  readonly onUnusable?: (error: ContextError) => void;
}

/**
 * The MCP server `ralph`, with the tools of one context, and the resources that every context has. Calls are worked on one
 * after the other, in the order in which they came, so that the log has them as the agent made them.
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

  /** Known as being in progress until it is over. */
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

  /** Does what a call asks for. What it returns completes the answer, while other calls are worked on. */
  async function workOn(
    params: z.infer<typeof toolCall>["params"],
    caller: Caller,
  ): Promise<() => Promise<Answer>> {
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
        // What else gets in the way is told whoever lists or calls them.
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

/** The tool checks its arguments. The SDK's own schema would drop a field named __proto__ unseen. */
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
   * Resolves when every call, listing and request of resources that has come so far is worked on; some calls may still
   * wait for a human before they are answered.
   */
  settled(): Promise<unknown>;
  /**
   * The client has gone: no call waits for a human any more, and the log is followed no more. Resolves when every call
   * that has come is answered.
   */
  leave(): Promise<void>;
  /**
   * Another context of the same session takes the place of the present one, and the client is told.
   *
   * @throws ContextError
   */
  replaceContext(context: Context): Promise<void>;
}

type Answer = Record<string, unknown>;

/** @throws what the tool throws; a decision's refusal in the tool's own terms */
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
    // Where structured content is there, the model sees nothing else: the text says the same.
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

/** Errors whose message is meant for the agent; anything else is a fault of the server. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof ToolRefusal ||
    error instanceof Refusal ||
    error instanceof LogError ||
    error instanceof ReadModelError
  );
}

/** Claude Code names each use of a tool: with the session that is the event's id, so a call sent again is known. */
function toolUseOf(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const use = meta?.["claudecode/toolUseId"];
  return typeof use === "string" && use !== "" ? use : undefined;
}
