import type { Problem } from "../server/problem.ts";

/** What the server did not do, and why, in its words. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The server could not be reached: whether it has done what it was asked is not known. */
export class AwayError extends Error {
  override readonly name = "AwayError";
}

/** @throws RequestError; AwayError; AbortError where the page no longer wants the answer */
export async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, { credentials: "same-origin", ...init }).catch((error: unknown) => {
    throw error instanceof TypeError ? new AwayError("The server is not there.", { cause: error }) : error;
  });
  if (response.ok) return response.json();
  const told: Problem | undefined = await response.json().catch(() => undefined);
  const { code = "unreadable", message = `The server answered ${response.status}.` } = told?.error ?? {};
  throw new RequestError(response.status, code, message);
}
