import { INTERNAL_ERROR, INVALID_REQUEST } from "../request-error.ts";

/** The refusal of a request over HTTP, in the form of a JSON-RPC error without a request. */
export function refuse(
  status: number,
  message: string,
  {
    code = INVALID_REQUEST,
    id = null,
    data,
    headers,
  }: {
    readonly code?: number;
    readonly id?: string | number | null;
    readonly data?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: "2.0", id, error }, { status, headers: { ...NOT_KEPT, ...headers } });
}

/** What is answered to one agent is never given to another by a cache on the way. */
export const NOT_KEPT = { "Cache-Control": "no-store" } as const;

/** The token opens nothing (RFC 6750, 3). */
export function unauthorized(reason: string): Response {
  return refuse(401, reason, {
    headers: { "WWW-Authenticate": 'Bearer realm="signalbox", error="invalid_token"' },
  });
}

/** Nothing can be answered now. */
export function unavailable(reason: string): Response {
  return refuse(503, reason, { code: INTERNAL_ERROR });
}
