import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { Refusal } from "../../decisions/refusal.ts";
import { LogError } from "../../events/log-error.ts";
import { ReadModelError } from "../../projections/read-model-error.ts";
import { PointError } from "../../replay/time-travel/point-error.ts";

/** Why a request was not answered, for the page and for people. */
export interface Problem {
  readonly error: {
    readonly code: string;
    readonly message: string;
  };
}

export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  const body: Problem = { error: { code, message } };
  return context.json(body, status);
}

/** What the project refuses or cannot do now is told in its own words; all else is a fault of ours. */
export function problemOf(context: Context, error: Error): Response {
  if (error instanceof Refusal) return problem(context, statusOf(error.code), error.code, error.message);
  if (error instanceof PointError) return problem(context, 400, error.code, error.message);
  if (error instanceof LogError) {
    return problem(context, error.code === "invalid_event" ? 400 : 503, error.code, error.message);
  }
  if (error instanceof ReadModelError) return problem(context, 503, error.code, error.message);
  process.stderr.write(`signalbox: ${error.stack ?? error.message}\n`);
  return problem(
    context,
    500,
    "internal",
    "The server could not answer; what went wrong stands where it runs.",
  );
}

/** What is wrong with what was sent, in a sentence for each field: `title: is blank`. */
export function wrongInWords({ issues }: z.core.$ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

function statusOf(code: string): 404 | 409 {
  return code === "not_found" ? 404 : 409;
}
