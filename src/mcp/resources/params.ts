import { z } from "zod";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";
import { wrongParams } from "./faults.ts";

/** The parameters of the requests (MCP, Resources and Completion). Unknown ones are ignored. */
export const paged = z.looseObject({ cursor: z.string().optional() }).describe("{} or {cursor}");

export const named = z.looseObject({ uri: z.string() }).describe('{uri}, such as {"uri": "ralph://board"}');

export const completing = z
  .looseObject({
    ref: z.looseObject({ type: z.enum(["ref/prompt", "ref/resource"]), uri: z.string().optional() }),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
  })
  .describe(
    '{ref, argument}, such as {"ref": {"type": "ref/resource", "uri": "ralph://tasks/{id}"}, "argument": {"name": "id", "value": "1"}}',
  );
export type Completing = z.infer<typeof completing>;

/** @throws RequestError -32602, naming the wrong fields and a valid value */
export function parseParams<Schema extends z.ZodType>(
  method: string,
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params ?? {}, inOurWords);
  if (parsed.success) return parsed.data;
  throw wrongParams(method, `${describeIssues(parsed.error, "params")}; params are ${schema.description}.`);
}
