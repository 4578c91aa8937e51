import type { ElicitRequestFormParams, Result } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { nothingGiven } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import type { Store } from "../decisions/store.ts";
import { idFromKey } from "../lib/ids.ts";
import { LogError } from "../lib/log-error.ts";
import { Pending } from "../lib/pending.ts";
import { turns } from "../lib/turns.ts";
import { ReadModelError } from "../read-model/read-model-error.ts";
import type { HumanAtClient } from "./answers/at-client.ts";
import { InputRequired } from "./answers/forms.ts";
import { tellRebuild } from "./answers/progress.ts";
import { checkArguments } from "./arguments.ts";
import type { Caller } from "./caller.ts";
import { checkRequest } from "./check-request.ts";
import type { Host } from "./host.ts";
import { isObject } from "./json-rpc.ts";
import type { OwnSessions } from "./own-sessions.ts";
import { INVALID_PARAMS, INVALID_REQUEST, RequestError } from "./request-error.ts";
import { optionalFields } from "./signature.ts";
import type { Call, Tool } from "./tool.ts";
import { ToolRefusal } from "./tool-refusal.ts";
import type { GatesAtServer } from "./verifying/at-server.ts";

export interface CallsOptions extends Pick<Host, "open" | "signal" | "mostCalls"> {
  readonly sessions: OwnSessions;
  /** The tools as they are now. @throws ContextError */
  readonly tools: () => Promise<readonly Tool[]>;
  readonly human: HumanAtClient | undefined;
  readonly gates: GatesAtServer | undefined;
}

/**
 * The tool calls of a session, whichever client makes them. They run one at a time, in the order
 * received, so that the log has the agent's order.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #inTurn = turns();
  readonly #running = new Pending();
  readonly #unanswered = new Pending();

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** @param params of `tools/call`; @throws RequestError: they are invalid, there is no such tool, or too many calls wait */
  async call(params: unknown, caller: Caller): Promise<Result> {
    const checked = checkRequest("tools/call", toolCall, { params }).params;
    const { mostCalls = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#unanswered.size >= mostCalls)
      throw new RequestError(
        INVALID_REQUEST,
        `${mostCalls} calls of this session wait already. Nothing was recorded: call again once one is answered.`,
      );
    const worked = this.#running.add(this.#inTurn(() => this.#work(checked, caller)));
    return this.#unanswered.add(answered(async () => (await worked)()));
  }

  /** Resolves when every call received so far is done; some may still wait to be answered. */
  settled(): Promise<unknown> {
    return this.#running.settled();
  }

  /** Resolves when every received call is answered. */
  answered(): Promise<void> {
    return this.#unanswered.drained();
  }

  /** Runs a call. The returned function completes the answer while other calls run. */
  async #work(params: z.infer<typeof toolCall>["params"], caller: Caller): Promise<() => Promise<Answer>> {
    const { sessions, open, human, gates, signal } = this.#options;
    signal?.throwIfAborted();
    const tools = await this.#options.tools();
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const names = tools.map(({ name }) => name).join(", ");
      throw new RequestError(
        INVALID_PARAMS,
        `Unknown tool ${params.name.slice(0, 100)}; the tools are ${names}`,
      );
    }
    const args = checkArguments(tool, params.arguments, tools);
    const store = await open();
    const use = caller.repeats ?? toolUseOf(params._meta) ?? useToRepeat(store, caller);
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
    return async () => {
      try {
        return { content: tool.afterwards ? await tool.afterwards(answer, args, call) : answer };
      } catch (error) {
        if (error instanceof InputRequired) return { form: error.form, repeats: use };
        throw error;
      }
    };
  }
}

/** The tool checks its arguments. A stricter schema would silently drop a field named __proto__. */
const toolCall = z.looseObject({
  params: z.looseObject({
    name: z.string(),
    arguments: z.custom<object>(isObject, "must be an object").optional(),
    _meta: z.looseObject({}).optional(),
  }),
});

/** The answer to an agent, or the form that its human is to fill in first. */
type Answer =
  | { readonly content: Record<string, unknown> }
  | { readonly form: ElicitRequestFormParams; readonly repeats: string | undefined };

/** @throws the tool's errors; a decision's refusal in the tool's own terms */
async function run(tool: Tool, args: Record<string, unknown>, call: Call): Promise<Record<string, unknown>> {
  try {
    return await tool.run(args, call);
  } catch (error) {
    throw error instanceof Refusal ? new ToolRefusal(refusalWords(error, tool)) : error;
  }
}

async function answered(run: () => Promise<Answer>): Promise<Result> {
  try {
    const answer = await run();
    if ("form" in answer) return inputRequired(answer.form, answer.repeats);
    const { content } = answer;
    // If there is structured content, the model sees only that; the text says the same.
    return { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content };
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

/** The key of the only form that a call asks for. */
export const FORM = "answer";

/**
 * MCP, Multi Round-Trip Requests. The state needs no seal: it names a call of this session, as a
 * tool use's id does, and the log refuses other arguments under the same name.
 */
function inputRequired(form: ElicitRequestFormParams, requestState: string | undefined): Result {
  return {
    resultType: "input_required",
    inputRequests: { [FORM]: { method: "elicitation/create", params: form } },
    ...(requestState !== undefined && { requestState }),
  };
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

/** A call that may end with a form is repeated, and must be recognised even without a tool use's id. */
function useToRepeat({ environment }: Store, { forms }: Caller): string | undefined {
  return forms && "filled" in forms ? environment.newId() : undefined;
}

/**
 * A decision's refusal in the words of a tool: names the tool's wrong field, or the accepted ones.
 */
function refusalWords({ message, about }: Refusal, tool: Tool): string {
  if (about.unchanged !== undefined) return nothingGiven(about.unchanged, optionalFields(tool));
  const field = about.field === undefined ? undefined : fieldOf(tool, about.field);
  return field === undefined ? message : `\`${field}\`: ${message}`;
}

/**
 * A tool's name for a decision's field: `task_id` or `filter_feature`; undefined if the tool lacks
 * it.
 */
function fieldOf({ input }: Tool, field: string): string | undefined {
  const names = [field, `${field}_id`, `${field}Id`, `${field}_name`, `filter_${field}`];
  return names.find((name) => Object.hasOwn(input.shape, name));
}
