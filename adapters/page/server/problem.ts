import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { LogError, type LogErrorCode, PointError, ReadModelError, Refusal } from "./core.ts";

/** The body of an error response. */
export interface Problem {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** The first fault of each wrong field of the input, as a sentence. */
    readonly fields?: Readonly<Record<string, string>>;
  };
}

export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  fields?: Problem["error"]["fields"],
): Response {
  const body: Problem = { error: { code, message, ...(fields && { fields }) } };
  return context.json(body, status);
}

/** Responds with the project's own message; any other error is a fault of ours. */
export function problemOf(context: Context, error: Error): Response {
  const { status, code, message } = faultOf(error);
  const field = error instanceof Refusal ? error.about.field : undefined;
  return problem(context, status, code, message, field === undefined ? undefined : { [field]: message });
}

interface ToldFault {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
}

/** The status and message of an error. A fault of ours is printed in full on stderr. */
export function faultOf(error: unknown): ToldFault {
  const status = statusOf(error);
  if (status !== undefined) {
    const { code, message } = error as Error & { readonly code: string };
    return { status, code, message };
  }
  process.stderr.write(
    `signalbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  const message = "The server failed to answer. The error is printed in the terminal where it runs.";
  return { status: 500, code: "internal", message };
}

function statusOf(error: unknown): 400 | 404 | 409 | 503 | undefined {
  if (error instanceof Refusal) return error.code === "not_found" ? 404 : 409;
  if (error instanceof PointError) return 400;
  if (error instanceof LogError) return LOG_STATUSES[error.code] ?? 503;
  if (error instanceof ReadModelError) return 503;
  return undefined;
}

/** Other errors of the log may be temporary: 503. */
const LOG_STATUSES: Partial<Record<LogErrorCode, 400 | 409>> = { invalid_event: 400, id_conflict: 409 };
