import { visible } from "../../events/visible.ts";
import type { Problem } from "../server/problem.ts";

/** What the server did not do, and why, in its words. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    // It may name what others wrote.
    super(visible(message.replace(/\s*\n\s*/g, " ")));
    this.status = status;
    this.code = code;
  }
}

/** The server could not be reached, or its answer was cut off: whether it has done what it was asked is not known. */
export class AwayError extends Error {
  override readonly name = "AwayError";
}

/** @throws RequestError; AwayError; AbortError where the page no longer wants the answer */
export async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(path, { credentials: "same-origin", ...init });
    if (!response.ok) throw await errorOf(response);
    return (await response.json()) as Answer;
  } catch (error) {
    throw error instanceof TypeError ? new AwayError("The server is unreachable.", { cause: error }) : error;
  }
}

/** Why the server refused, in its words. */
export async function errorOf(response: Response): Promise<RequestError> {
  const told = (await response.json().catch(() => undefined)) as Problem | undefined;
  const { code = "unreadable", message = `The server answered ${response.status}.` } = told?.error ?? {};
  return new RequestError(response.status, code, message);
}

/** True where the server says that it has not done what it was asked; false where nobody knows. */
export function isRefused(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status < 500;
}
