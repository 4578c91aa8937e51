import fc from "fast-check";
import { signals } from "../../src/events/types/signals.ts";
import { ENVELOPE } from "../mcp/eras/envelope.ts";
import { type Draft, drafted, odd, withId } from "../mcp/generated-messages.ts";
import { argumentsIn } from "./line-kinds.ts";

export type Sent = Readonly<Record<string, unknown>>;

/** What a client's next message is; those before it decide the rest. */
type Kind =
  | { readonly is: "whole"; readonly draft: Draft }
  | {
      readonly is: "spoilt";
      readonly draft: Draft;
      readonly path: readonly string[];
      readonly value: unknown;
    }
  | { readonly is: "same id"; readonly draft: Draft; readonly back: number }
  | { readonly is: "cancelled"; readonly back: number }
  | { readonly is: "response"; readonly back: number };

/** `count` messages of a client of both eras. The same seed gives the same messages. */
export function generateRequests(seed: number, count: number): Sent[] {
  const sent: Sent[] = [];
  for (const [index, kind] of fc.sample(kinds, { seed, numRuns: count }).entries()) {
    const before = "back" in kind ? sent[index - 1 - kind.back] : undefined;
    sent.push(messageOf(kind, index, before?.id ?? 0));
  }
  return sent;
}

function messageOf(kind: Kind, number: number, before: unknown): Sent {
  switch (kind.is) {
    case "whole":
      return marked(withId(kind.draft, number), number);
    case "spoilt":
      return spoilt(marked(withId(kind.draft, number), number), kind.path, kind.value);
    case "same id":
      return { ...marked(withId(kind.draft, number), number), id: before };
    case "cancelled":
      return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: before } };
    case "response":
      return { jsonrpc: "2.0", id: before, result: {} };
  }
}

/** By these texts the events of a call are known. */
const MARK = "Call 0.";

/** The text by which the event of the message with this number is known. */
export function markOf(number: number): string {
  return `Call ${number}.`;
}

function marked(sent: Sent, number: number): Sent {
  return JSON.parse(JSON.stringify(sent).replaceAll(MARK, markOf(number)));
}

/** A message one of whose fields, named by its path, has another value. */
function spoilt(sent: Sent, [name = "", ...rest]: readonly string[], value: unknown): Sent {
  const inner = sent[name];
  const other = rest.length > 0 && typeof inner === "object" ? spoilt({ ...inner }, rest, value) : value;
  return { ...sent, [name]: other };
}

const call = fc
  .record({
    signal: fc.constantFrom(...signals),
    use: fc.option(fc.nat(40), { freq: 3, nil: undefined }),
  })
  .map(({ signal: { verb, example }, use }) => {
    const args = argumentsIn(example);
    const first = Object.keys(args).find((name) => typeof Reflect.get(args, name) === "string") ?? "";
    return {
      method: "tools/call",
      params: {
        name: verb,
        arguments: { ...args, [first]: MARK },
        // Some name an earlier call: with other arguments, which is refused.
        ...(use !== undefined && { _meta: { "claudecode/toolUseId": `toolu_${use}` } }),
      },
    };
  });

const request = fc.oneof(
  { weight: 10, arbitrary: call },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      { method: "ping", params: {} },
      { method: "tools/list", params: {} },
      { method: "resources/list", params: {} },
      { method: "resources/templates/list", params: {} },
      { method: "resources/read", params: { uri: "ralph://board" } },
      { method: "resources/read", params: { uri: "ralph://tasks/1" } },
      { method: "resources/subscribe", params: { uri: "ralph://board" } },
      { method: "resources/unsubscribe", params: { uri: "ralph://board" } },
      { method: "server/discover", params: {} },
      { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } },
    ),
  },
);

/** A legal request in one of the eras. */
const legal: fc.Arbitrary<Draft> = fc
  .record({ request, stateless: fc.boolean(), id: fc.constantFrom("text" as const, "number" as const) })
  .map(({ request: { method, params }, stateless, id }) => ({
    jsonrpc: "2.0",
    id,
    method,
    params: stateless
      ? { ...params, _meta: { ...("_meta" in params && params._meta), ...ENVELOPE } }
      : params,
  }));

const FIELDS: readonly (readonly string[])[] = [
  ...["jsonrpc", "id", "method", "params"].map((name) => [name]),
  ...["name", "arguments", "uri", "_meta", "requestState", "notifications"].map((name) => ["params", name]),
  ...["summary", "reason", "text", "what", "severity"].map((name) => ["params", "arguments", name]),
  ...[...Object.keys(ENVELOPE), "progressToken"].map((name) => ["params", "_meta", name]),
];

const back = fc.nat(12);
const kinds: fc.Arbitrary<Kind> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ is: fc.constant("whole" as const), draft: legal }) },
  { weight: 25, arbitrary: fc.record({ is: fc.constant("whole" as const), draft: drafted }) },
  {
    weight: 15,
    arbitrary: fc.record({
      is: fc.constant("spoilt" as const),
      draft: legal,
      path: fc.constantFrom(...FIELDS),
      value: odd,
    }),
  },
  { weight: 8, arbitrary: fc.record({ is: fc.constant("same id" as const), draft: legal, back }) },
  { weight: 10, arbitrary: fc.record({ is: fc.constant("cancelled" as const), back }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("response" as const), back }) },
);
