import type { Problem } from "../server/problem.ts";
import { visible } from "./core.ts";

/** A request that the server refused, with its message. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;
  /** The fault of each wrong field, untrusted text of several lines. */
  readonly fields: Problem["error"]["fields"];

  constructor(status: number, code: string, message: string, fields?: Problem["error"]["fields"]) {
    // It may quote untrusted text.
    super(visible(message.replace(/\s*\n\s*/g, " ")));
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The server did not answer completely: the outcome is unknown. */
export class AwayError extends Error {
  override readonly name = "AwayError";
}

/** @throws RequestError; AwayError; AbortError if the request was aborted */
export async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(path, { credentials: "same-origin", ...init });
    if (!response.ok) throw await errorOf(response);
    return (await response.json()) as Answer;
  } catch (error) {
    throw error instanceof TypeError ? unreachable(error) : error;
  }
}

export function unreachable(cause: unknown): AwayError {
  return new AwayError("The server is unreachable.", { cause });
}

/** The error in a response. */
export async function errorOf(response: Response): Promise<RequestError> {
  const told = (await response.json().catch(() => undefined)) as Problem | undefined;
  const {
    code = "unreadable",
    message = `The server answered ${response.status}.`,
    fields,
  } = told?.error ?? {};
  return new RequestError(response.status, code, message, fields);
}

/** True if nothing was recorded; false if the outcome is unknown. */
export function isRefused(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status < 500;
}
