/** Why a request is answered with a JSON-RPC error. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** JSON-RPC 2.0, 5.1. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** MCP 2025-11-25, Resources, Error Handling; the version after it has -32602 instead. */
export const RESOURCE_NOT_FOUND = -32_002;
