import { z } from "zod";
import { describeIssues, inOurWords } from "../lib/wrong-values.ts";
import { INVALID_PARAMS, RequestError } from "./request-error.ts";

/** A request as its schema reads it. @throws RequestError -32602 naming the wrong fields */
export function checkRequest<Schema extends z.core.$ZodType>(
  method: string,
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, request, inOurWords);
  if (parsed.success) return parsed.data;
  throw new RequestError(
    INVALID_PARAMS,
    `${method}: ${describeIssues(parsed.error, "request")}. Nothing was recorded.`,
  );
}
