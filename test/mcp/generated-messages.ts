import fc from "fast-check";
import { toolNames } from "../../src/operations/tool-names.ts";

/** A message that may be anything, but for its id, of which only the kind is drawn: `withId` completes it. */
export interface Draft {
  readonly id: IdKind;
  readonly [field: string]: unknown;
}

type IdKind = "text" | "number" | "none" | "fraction" | { readonly value: unknown };

/** A drafted message as it is sent; its id, if it has a readable one, is made of `number`. */
export function withId({ id, ...rest }: Draft, number: number): Readonly<Record<string, unknown>> {
  return present({ id: idOf(id, number), ...rest });
}

/** The id under which the answer to a message comes: null if it has none that can be read. */
export function answerId({ id }: Readonly<Record<string, unknown>>): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Errors that name a fault of the client. */
export const PROPER_CODES = [-32_700, -32_600, -32_601, -32_602, -32_002, -32_022];

/** What zod says by itself. */
export const ZOD =
  /Invalid (input|option|string|key|value)|Too (big|small)|Unrecognized key|expected \w+, received|\n\s*"path":/;

export const odd = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1.5, 2 ** 60, "", "x", "__proto__", true, [], {}, [[]], [{}]),
  fc.jsonValue({ maxDepth: 2 }),
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant("tools/call") },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "initialize",
      "ping",
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "resources/subscribe",
      "resources/unsubscribe",
      "completion/complete",
      "logging/setLevel",
      "prompts/list",
      "prompts/get",
      "tasks/get",
      "tasks/cancel",
      "server/discover",
      "notifications/initialized",
      "notifications/progress",
      "notifications/cancelled",
      "constructor",
    ),
  },
  { weight: 1, arbitrary: odd },
);

const fields = fc.record(
  {
    name: fc.oneof({ weight: 4, arbitrary: fc.constantFrom<unknown>(...toolNames) }, odd),
    arguments: fc.oneof(
      odd,
      fc.dictionary(fc.constantFrom("id", "text", "reason", "task_id", "__proto__"), odd),
    ),
    uri: fc.oneof(fc.constantFrom<unknown>("ralph://board", "ralph://tasks/1", "ralph://x/%"), odd),
    cursor: odd,
    ref: fc.oneof(fc.constant<unknown>({ type: "ref/resource", uri: "ralph://tasks/{id}" }), odd),
    argument: fc.oneof(fc.constant<unknown>({ name: "id", value: "1" }), odd),
    protocolVersion: fc.oneof(fc.constant<unknown>("2025-06-18"), odd),
    capabilities: fc.oneof(fc.constant<unknown>({}), odd),
    clientInfo: fc.oneof(fc.constant<unknown>({ name: "test", version: "1" }), odd),
    task: fc.oneof(fc.constantFrom<unknown>({}, { ttl: 1 }), odd),
    requestId: odd,
    requestState: odd,
    inputResponses: fc.oneof(fc.constant<unknown>({ answer: { action: "accept", content: {} } }), odd),
    level: odd,
    _meta: fc.oneof(
      odd,
      fc.record(
        {
          progressToken: odd,
          "claudecode/toolUseId": odd,
          "io.modelcontextprotocol/related-task": fc.oneof(fc.constant<unknown>({ taskId: "t" }), odd),
          "io.modelcontextprotocol/protocolVersion": fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<unknown>("2026-07-28", "2025-11-25", "2027-01-01") },
            odd,
          ),
          "io.modelcontextprotocol/clientCapabilities": fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<unknown>({}, { elicitation: {} }) },
            odd,
          ),
          "io.modelcontextprotocol/clientInfo": odd,
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

export const drafted: fc.Arbitrary<Draft> = fc.record({
  jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant<unknown>("2.0") }, odd, fc.constant(undefined)),
  id: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("text" as const, "number" as const) },
    fc.constantFrom("none" as const, "fraction" as const),
    odd.filter((value) => typeof value !== "string" && typeof value !== "number").map((value) => ({ value })),
  ),
  method: fc.oneof({ weight: 20, arbitrary: method }, fc.constant(undefined)),
  params: fc.oneof({ weight: 5, arbitrary: fields }, fc.constant(undefined), odd),
  extra: fc.option(odd, { nil: undefined, freq: 20 }),
});

function idOf(kind: IdKind, number: number): unknown {
  if (typeof kind === "object") return kind.value;
  if (kind === "none") return undefined;
  return kind === "text" ? `id ${number}` : kind === "number" ? number : number + 0.5;
}

/** As JSON has it: what is undefined is absent. */
function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
