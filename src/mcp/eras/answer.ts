import type {
  JSONRPCErrorResponse,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Result,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { errorMessage } from "../../lib/error-message.ts";
import type { Caller } from "../caller.ts";
import { FORM } from "../calls.ts";
import { checkRequest } from "../check-request.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  RequestError,
} from "../request-error.ts";
import type { Channel } from "./channel.ts";
import { type Envelope, readEnvelope, SERVER_KEY, showsForms } from "./envelope.ts";
import { CAPABILITIES, SERVED_VERSIONS, SERVER_INFO } from "./identity.ts";
import { listen } from "./listen.ts";
import type { Session, SessionMethod } from "./served-session.ts";

/** Answers a request that says all about itself (MCP 2026-07-28). Never throws. */
export async function answerStateless(
  session: Session,
  request: JSONRPCRequest,
  channel: Channel,
): Promise<JSONRPCResultResponse | JSONRPCErrorResponse> {
  const { id, method } = request;
  try {
    const result = await resultOf(session, request, channel);
    const complete = { resultType: "complete", ...CACHING[method], ...result };
    return {
      jsonrpc: "2.0",
      id,
      result: { ...complete, _meta: { ...result._meta, [SERVER_KEY]: SERVER_INFO } },
    };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: errorOf(error) };
  }
}

async function resultOf(session: Session, request: JSONRPCRequest, channel: Channel): Promise<Result> {
  const { method, params } = request;
  const envelope = readEnvelope(method, params);
  if (method === "server/discover") return DISCOVERED;
  // `ping` is not of this era, and some clients send it all the same to see whether a server is alive.
  if (method !== "ping") session.clientIsThere();
  if (method === "subscriptions/listen") return listen(session, request, channel);
  if (!isSessionMethod(method)) throw new RequestError(METHOD_NOT_FOUND, "Method not found");
  return session.answer(method, params, callerOf(params, envelope, channel));
}

function callerOf(params: unknown, envelope: Envelope, { signal, notify }: Channel): Caller {
  const { requestState, inputResponses } = checkRequest("tools/call", repeated, { params }).params;
  return {
    signal,
    meta: envelope,
    progress: (progress) => notify({ method: "notifications/progress", params: { ...progress } }),
    repeats: requestState,
    // What was not asked for is not read.
    forms: showsForms(envelope)
      ? { filled: requestState === undefined ? undefined : inputResponses?.[FORM] }
      : undefined,
  };
}

/** MCP, Multi Round-Trip Requests. */
const repeated = z.looseObject({
  params: z.looseObject({
    requestState: z.string().optional(),
    inputResponses: z.looseObject({}).optional(),
  }),
});

function isSessionMethod(method: string): method is SessionMethod {
  return SESSION_METHODS.has(method);
}

const SESSION_METHODS: ReadonlySet<string> = new Set<SessionMethod>([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
]);

const DISCOVERED: Result = { supportedVersions: SERVED_VERSIONS, capabilities: CAPABILITIES };

/**
 * How long a client may use a result without asking again (MCP, Caching). The tools change with the
 * context only, and clients that listen are told; what resources show changes all the time.
 */
const CACHING: Readonly<Record<string, { ttlMs: number; cacheScope: "private" }>> = {
  "server/discover": { ttlMs: 3_600_000, cacheScope: "private" },
  "tools/list": { ttlMs: 60_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 3_600_000, cacheScope: "private" },
  "resources/list": { ttlMs: 0, cacheScope: "private" },
  "resources/read": { ttlMs: 0, cacheScope: "private" },
};

function errorOf(error: unknown): JSONRPCErrorResponse["error"] {
  if (!(error instanceof RequestError)) {
    return { code: INTERNAL_ERROR, message: errorMessage(error) };
  }
  const { code, message, data } = error;
  return {
    // This era has no code of its own for a resource that is not there.
    code: code === RESOURCE_NOT_FOUND ? INVALID_PARAMS : code,
    message,
    ...(data !== undefined && { data }),
  };
}
