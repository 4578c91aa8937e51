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

/** @throws RequestError; TypeError where the server cannot be reached */
export async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, { credentials: "same-origin", ...init });
  if (response.ok) return response.json();
  const told: Problem | undefined = await response.json().catch(() => undefined);
  const { code = "unreadable", message = `The server answered ${response.status}.` } = told?.error ?? {};
  throw new RequestError(response.status, code, message);
}
