import fc from "fast-check";
import { reportedStates } from "../../src/events/types/sessions.ts";
import { signals, verbs } from "../../src/events/types/signals.ts";
import { signalArguments } from "../properties/signal-arguments.ts";

const { constant, constantFrom, record, oneof } = fc;

export const TASK = 1;
export const SESSION = "s-1";

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a client's line may be; the id and the calls before it decide the rest. */
export type Draft =
  | { readonly is: "call"; readonly call: Call; readonly named: boolean }
  | { readonly is: "wrong call"; readonly call: Call; readonly names: string }
  | { readonly is: "any call"; readonly call: Call }
  | { readonly is: "again"; readonly changed: boolean }
  | {
      readonly is: "request";
      readonly request: object;
      readonly codes?: readonly number[];
      readonly names: string;
    }
  | { readonly is: "no request"; readonly bytes: Buffer; readonly code: number }
  | { readonly is: "silent"; readonly bytes: Buffer; readonly reported: boolean };

/** Legal texts that are often spoilt on their way. */
const awkwardTexts = constantFrom(
  "\u0000\u0001\u001b[31m\u007f red",
  "line\r\nline\u2028line\u2029line\u0085",
  "\u202e\u200b\ufeffhidden",
  "𝕊ïgnål 👩‍👩‍👧‍👦 ✂️ 😀 e\u0301",
  '{"jsonrpc":"2.0","id":1}\n{"jsonrpc":"2.0","id":2}',
  "\\u0000 \\ud800 %00 $x ' \" `; DROP TABLE events",
  "x".repeat(100_000),
  "😀".repeat(50_000),
);
const FREE_TEXTS = [
  "summary",
  "remaining",
  "reason",
  "question",
  "preferred",
  "what",
  "text",
  "why",
  "on",
  "detail",
];

const legalCall: fc.Arbitrary<Call> = oneof(
  { weight: 6, arbitrary: signalArguments.map(({ verb, args }) => ({ name: verb, args })) },
  {
    weight: 3,
    arbitrary: fc.tuple(signalArguments, awkwardTexts).map(([{ verb, args }, text]) => ({
      name: verb,
      args: withFirst(args, FREE_TEXTS, text),
    })),
  },
  {
    weight: 2,
    arbitrary: record({
      state: constantFrom(...reportedStates),
      metadata: fc.option(
        record({
          files: fc.array(fc.string({ unit: "binary" })),
          note: awkwardTexts.map((text) => text.slice(0, 900)),
        }),
        { nil: undefined },
      ),
    }).map((args) => ({ name: "update_session_state", args: { sessionId: SESSION, ...args } })),
  },
);

function withFirst(
  args: Record<string, unknown>,
  fields: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const field = fields.find((name) => typeof args[name] === "string");
  return field === undefined ? args : { ...args, [field]: value };
}

/** Values that no text field takes, and the words of the answer that say so. */
const wrongTexts: readonly (readonly [unknown, (field: string) => string])[] = [
  ...[5, true, null, [], {}].map((value) => [value, (field: string) => `\`${field}\``] as const),
  ["", (field) => `\`${field}\``],
  [" \n\t ", (field) => `\`${field}\` is blank`],
  ["x".repeat(100_001), (field) => `\`${field}\` has 100,001 characters`],
  ["x".repeat(2_000_000), (field) => `\`${field}\` has 2,000,000 characters`],
  ["half \ud83d", () => "half of a surrogate pair"],
  ["\ude00 half", () => "half of a surrogate pair"],
  [nested(40, "array"), () => "is nested deeper than 32 levels"],
  [nested(1_000, "array"), () => "is nested deeper than 32 levels"],
  [nested(1_000, "object"), () => "is nested deeper than 32 levels"],
];

const wrongCall: fc.Arbitrary<Draft> = oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(constantFrom(...signals), constantFrom(...wrongTexts))
      .map(([{ verb, example }, [value, names]]) => {
        const [field = ""] = Object.keys(example);
        return wrong({ name: verb, args: { ...argumentsIn(example), [field]: value } }, names(field));
      }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        constantFrom(...signals),
        constantFrom("task", "session", "sumary", "constructor", "toString", "\ud800", "\u0000"),
      )
      .map(([{ verb, example }, field]) =>
        wrong(
          { name: verb, args: { ...argumentsIn(example), [field]: "x" } },
          field === "\ud800"
            ? "half of a surrogate pair"
            : `${JSON.stringify(field)} is not a field of ${verb}`,
        ),
      ),
  },
  {
    weight: 2,
    arbitrary: constantFrom(...signals).map(({ verb, example }) => {
      const [field = "", ...others] = Object.keys(argumentsIn(example));
      const args = Object.fromEntries(others.map((name) => [name, Reflect.get(example, name)]));
      return wrong({ name: verb, args }, `\`${field}\` is missing`);
    }),
  },
  {
    weight: 1,
    arbitrary: constantFrom(
      wrong(
        { name: "update_session_state", args: { sessionId: "s-2", state: "testing" } },
        'sessionId "s-1"',
      ),
      wrong({ name: "update_session_state", args: { sessionId: SESSION, state: "done" } }, "`state`"),
      wrong(
        {
          name: "update_session_state",
          args: { sessionId: SESSION, state: "testing", metadata: { x: "x".repeat(20_000) } },
        },
        "longer than 20000",
      ),
      wrong({ name: "flag", args: { what: "x", severity: "fatal", category: "bug" } }, "`severity`"),
      wrong({ name: "ask", args: { question: "x", blocking: "yes" } }, "`blocking`"),
      wrong(
        { name: "ask", args: { question: "x", blocking: true, options: Array(51).fill("x") } },
        "`options`",
      ),
      wrong({ name: "done", args: JSON.parse('{"summary":"x","__proto__":{"a":1}}') }, "__proto__"),
    ),
  },
);

function wrong(call: Call, names: string): Draft {
  return { is: "wrong call", call, names };
}

/** A signal's arguments, from the payload of its event. */
export function argumentsIn({
  task: _,
  session: __,
  ...args
}: Record<string, unknown>): Record<string, unknown> {
  return args;
}

function nested(depth: number, of: "array" | "object"): unknown {
  let value: unknown = "x";
  for (let level = 0; level < depth; level++) value = of === "array" ? [value] : { a: value };
  return value;
}

const anyValue = oneof(
  fc.jsonValue({ maxDepth: 6 }),
  awkwardTexts,
  constantFrom("bug", "info", "external", "new_task"),
);
const anyCall = record({
  name: constantFrom(...verbs, "update_session_state"),
  args: fc.dictionary(
    constantFrom(
      ...new Set(signals.flatMap(({ arguments: { shape } }) => Object.keys(shape))),
      "state",
      "sessionId",
    ),
    anyValue,
    { maxKeys: 5 },
  ),
});

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const RESOURCE_NOT_FOUND = -32_002;
const PARSE_ERROR = -32_700;

const toolCall = (params?: unknown) => ({ method: "tools/call", params });

/** Requests that are no calls of a tool that is there. */
const request: fc.Arbitrary<Draft> = constantFrom<Omit<Extract<Draft, { is: "request" }>, "is">>(
  { request: { method: "ping" }, names: "" },
  { request: { method: "tools/list" }, names: "" },
  ...["resources", "prompts/get", "tools", "__proto__", "toString", "", "x".repeat(100_000)].map(
    (method) => ({
      request: { method },
      codes: [METHOD_NOT_FOUND],
      names: "Method not found",
    }),
  ),
  ...["ralph://inbox", `ralph://tasks/${TASK}`].map((uri) => ({
    request: { method: "resources/read", params: { uri } },
    names: "",
  })),
  ...["", "ralph://tasks/__proto__", "ralph://features/%", "\u0000", "x".repeat(1_000_000)].map((uri) => ({
    request: { method: "resources/read", params: { uri } },
    codes: [RESOURCE_NOT_FOUND],
    names: "resources/list",
  })),
  ...[{ uri: 5 }, { uri: null }, {}, undefined, { uri: nested(1_000, "object") }].map((params) => ({
    request: { method: "resources/subscribe", params },
    codes: [INVALID_PARAMS],
    names: "uri",
  })),
  ...["finish", "", "__proto__", "Done", "done ", "\u0000", "\ud800", "x".repeat(1_000_000)].map((name) => ({
    request: toolCall({ name, arguments: { summary: "x" } }),
    codes: [INVALID_PARAMS],
    names: "the tools are done, partial",
  })),
  ...[{ name: 5 }, { name: null }, {}, undefined, { name: nested(1_000, "object") }].map((params) => ({
    request: toolCall(params),
    codes: [INVALID_PARAMS],
    names: params && "name" in params ? "name" : "params",
  })),
  ...[[], "x", 5, null, nested(1_000, "array")].map((args) => ({
    request: toolCall({ name: "done", arguments: args }),
    codes: [INVALID_PARAMS],
    names: "arguments",
  })),
  ...[[1], "x", 5, null].map((params) => ({
    request: toolCall(params),
    codes: [INVALID_REQUEST],
    names: "request",
  })),
  {
    request: toolCall({ name: "done", arguments: { summary: "x" }, _meta: 5 }),
    codes: [INVALID_REQUEST],
    names: "request",
  },
  { request: { method: 5 }, codes: [INVALID_REQUEST], names: "request" },
  { request: { method: "ping", extra: 1 }, codes: [INVALID_REQUEST], names: "request" },
  { request: { jsonrpc: "1.0", method: "ping" }, codes: [INVALID_REQUEST], names: "request" },
  { request: { method: "tools/list", params: { task: { ttl: 1 } } }, names: "" },
  { request: { method: "initialize", params: {} }, codes: [INVALID_PARAMS], names: "protocolVersion" },
).map((of) => ({ is: "request", ...of }));

const noRequest: fc.Arbitrary<Draft> = oneof(
  constantFrom(
    ...[
      "{",
      '{"jsonrpc":"2.0","id":1,"method":"tools/ca',
      "{}{}",
      "\u0000\u0001",
      "NaN",
      "'x'",
      "undefined",
      "\ufffd",
    ],
    ...["[".repeat(5_000), `${"[".repeat(200_000)}`, '{"id":01}', '"half', "\u2028", '{"a":1,}'],
  ).map((text) => ({ bytes: Buffer.from(text), code: PARSE_ERROR })),
  // Bytes that are no UTF-8 in a call that would be legal without them.
  constantFrom([0xff], [0xc3], [0xe2, 0x9c], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0x80]).map(
    (bytes) => ({
      bytes: Buffer.concat([
        Buffer.from(
          '{"jsonrpc":"2.0","id":"utf8","method":"tools/call","params":{"name":"done","arguments":{"summary":"',
        ),
        Buffer.from(bytes),
        Buffer.from('"}}}'),
      ]),
      code: PARSE_ERROR,
    }),
  ),
  constantFrom(
    ...[
      "null",
      "true",
      "5",
      '"x"',
      "[]",
      "{}",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":[1],"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"method":"ping"}',
    ],
    ...[
      '{"jsonrpc":"2.0","method":7}',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      "[".repeat(5_000) + "]".repeat(5_000),
    ],
  ).map((text) => ({ bytes: Buffer.from(text), code: INVALID_REQUEST })),
).map((of) => ({ is: "no request", ...of }));

/** Lines that are not. */
export const silent: fc.Arbitrary<Draft> = oneof(
  constantFrom("", " ", "\t \r").map((text) => ({ text, reported: false })),
  constantFrom(
    { method: "notifications/cancelled", params: { requestId: "never" } },
    { method: "notifications/never/heard/of", params: { x: nested(500, "array") } },
    toolCall({
      name: "done",
      arguments: { summary: "A call without an id asks for no answer, and is none." },
    }),
  ).map((message) => ({ text: JSON.stringify({ jsonrpc: "2.0", ...message }), reported: false })),
  constantFrom({ id: 77, result: {} }, { id: "x".repeat(100_000), error: { code: 1, message: "x" } }).map(
    (message) => ({
      text: JSON.stringify({ jsonrpc: "2.0", ...message }),
      reported: true,
    }),
  ),
).map(({ text, reported }) => ({ is: "silent", bytes: Buffer.from(text), reported }));

/** Lines that are to be answered. */
export const draft: fc.Arbitrary<Draft> = oneof(
  { weight: 30, arbitrary: record({ is: constant("call" as const), call: legalCall, named: fc.boolean() }) },
  { weight: 20, arbitrary: wrongCall },
  { weight: 15, arbitrary: anyCall.map((call) => ({ is: "any call", call }) as const) },
  { weight: 8, arbitrary: record({ is: constant("again" as const), changed: fc.boolean() }) },
  { weight: 12, arbitrary: request },
  { weight: 10, arbitrary: noRequest },
);
