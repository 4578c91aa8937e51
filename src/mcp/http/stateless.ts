import type {
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from "@modelcontextprotocol/sdk/types.js";
import { readEnvelope, UNSUPPORTED_VERSION, versionNamed } from "../eras/envelope.ts";
import type { HostedSession } from "../host-session.ts";
import { METHOD_NOT_FOUND, RequestError } from "../request-error.ts";
import { EventStream } from "./event-stream.ts";
import { NOT_KEPT, refuse } from "./refuse.ts";
import { HEADER_MISMATCH, headerFault } from "./request-headers.ts";

/** An answer that takes longer comes as a stream, which is kept alive. */
const STREAM_AFTER_MS = 5_000;

/**
 * Answers a request that says all about itself (MCP 2026-07-28): with JSON, or with a stream if
 * something is to be told before the answer. A client that leaves cancels its request.
 */
export async function answerOverHttp(
  session: Pick<HostedSession, "answer">,
  request: JSONRPCRequest,
  { headers, signal }: Pick<Request, "headers" | "signal">,
): Promise<Response> {
  const { id, method, params } = request;
  // A difference comes first: which of the two versions is not served cannot be told.
  const fault = versionNamed(params) === undefined ? undefined : headerFault(request, headers);
  if (fault !== undefined) return refuse(400, fault, { id, code: HEADER_MISMATCH });
  try {
    readEnvelope(method, params);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { message, code, data } = error;
    return refuse(400, message, { id, code, data });
  }
  return new Promise((resolve, reject) => {
    const left = new AbortController();
    const leave = () => left.abort(new Error("The client has disconnected."));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    let stream: EventStream | undefined;
    const begin = (): EventStream => {
      if (stream) return stream;
      stream = new EventStream(leave);
      resolve(stream.response);
      return stream;
    };
    const notify = async (notification: Omit<JSONRPCNotification, "jsonrpc">) => {
      if (!left.signal.aborted) begin().send({ jsonrpc: "2.0", ...notification });
    };
    const patience = setTimeout(begin, STREAM_AFTER_MS);
    session
      .answer(request, { signal: left.signal, notify })
      .then((answer) => {
        if (!stream) return resolve(asJson(answer));
        stream.send(answer);
        stream.end();
      })
      .catch(reject)
      .finally(() => {
        clearTimeout(patience);
        signal.removeEventListener("abort", leave);
      });
  });
}

function asJson(answer: JSONRPCResultResponse | JSONRPCErrorResponse): Response {
  const status = "error" in answer ? (STATUSES[answer.error.code] ?? 200) : 200;
  return Response.json(answer, { status, headers: NOT_KEPT });
}

/** Errors of the request itself are errors of HTTP, too. */
const STATUSES: Readonly<Record<number, number>> = { [METHOD_NOT_FOUND]: 404, [UNSUPPORTED_VERSION]: 400 };
