import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contextSchema, type LaunchContext, signalsContext } from "../../src/mcp/context.ts";
import { LineTransport } from "../../src/mcp/line-transport.ts";
import { createServer } from "../../src/mcp/server.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { freshProject } from "../support/project.ts";

const CONTEXTS: readonly (readonly [string, LaunchContext])[] = [
  ["signals", signalsContext("s-1", 1)],
  ["all", contextSchema.parse({ session_id: "c-1", recipe: "all" })],
];

test.each(CONTEXTS)(
  "any request in the recipe %s is answered with a JSON-RPC result or an error with a proper code",
  async (_recipe, context) => {
    const server = await givenServer(context);
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 10 }), async (messages) => {
        for (const drafted of messages) await checkAnswer(server, drafted);
      }),
      { numRuns: 300 },
    );
    expect(await server.ask({ method: "ping" })).toMatchObject({ result: {} });
  },
  60_000,
);

test.each([
  ["without arguments", { name: "stuck" }, "`reason` is missing"],
  ["with empty arguments", { name: "stuck", arguments: {} }, "`reason` is missing"],
  ["that asks for a task of MCP", { name: "stuck", task: { ttl: 1 } }, "`reason` is missing"],
])("a call %s is answered by the tool", async (_how, params, words) => {
  const server = await givenServer(signalsContext("s-1", 1));
  const answer = await server.ask({ method: "tools/call", params });
  expect(answer).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining(words) }] },
  });
});

test.each([
  ["initialize", undefined, "initialize: `params` is missing"],
  [
    "initialize",
    { protocolVersion: 3, capabilities: {}, clientInfo: {} },
    "`params.protocolVersion` is 3, it must be text",
  ],
  ["tools/list", { cursor: 5 }, "tools/list: `params.cursor` is 5, it must be text"],
  ["tools/call", undefined, "tools/call: `params` is missing"],
  ["tools/call", { arguments: {} }, "tools/call: `params.name` is missing"],
  ["tools/call", { name: "stuck", arguments: [] }, "tools/call: `params.arguments` must be an object"],
  ["tools/call", { name: "stuck", arguments: null }, "tools/call: `params.arguments` must be an object"],
  ["resources/read", { uri: 7 }, "resources/read: `uri` is 7, it must be text"],
])("%s with params %j is answered with the field", async (method, params, words) => {
  const server = await givenServer(signalsContext("s-1", 1));
  const { error } = await server.ask({ method, ...(params !== undefined && { params }) });
  expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(words) });
});

interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server in this process that is spoken to line by line. */
async function givenServer(context: LaunchContext) {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answers: Answer[] = [];
  let wake = () => {};
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    answers.push(...lines.map((line) => JSON.parse(line)));
    wake();
  });
  const { connect, settled } = createServer({ context, open: async () => project.store });
  await connect(new LineTransport(input, output, settled));
  let asked = 0;

  /** Resolves when it is answered. */
  async function ask(request: object): Promise<Answer> {
    asked += 1;
    const id = `asked ${asked}`;
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`);
    for (;;) {
      const answer = answers.find((one) => one.id === id);
      if (answer) return answer;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    ask,
    /** Sends a message, and takes the answers that came until it and all before it were worked on. */
    async exchange(sent: object): Promise<Answer[]> {
      answers.length = 0;
      input.write(`${JSON.stringify(sent)}\n`);
      await ask({ method: "ping" });
      await settled();
      const last = await ask({ method: "ping" });
      return answers.splice(0).filter(({ id }) => id !== last.id && !String(id).startsWith("asked "));
    },
  };
}

interface Drafted {
  readonly sent: Readonly<Record<string, unknown>>;
}

async function checkAnswer(server: Awaited<ReturnType<typeof givenServer>>, { sent }: Drafted) {
  const answers = await server.exchange(sent);
  const { id } = sent;
  if ("id" in sent) expect(answers).toHaveLength(1);
  else expect(answers.length).toBeLessThanOrEqual(1);
  for (const answer of answers) {
    const known = typeof id === "string" || typeof id === "number" ? id : null;
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: known });
    expect(Object.keys(answer).sort()).toEqual(["id", "jsonrpc", answer.error ? "error" : "result"].sort());
    if (answer.error) expect(PROPER).toContain(answer.error.code);
    const words = answer.error
      ? [answer.error.message]
      : (answer.result?.content ?? []).map(({ text }) => text);
    for (const text of words) expect(text).not.toMatch(ZOD);
  }
}

const PROPER = [-32_700, -32_600, -32_601, -32_602, -32_002, -32_022];
/** What zod says by itself. */
const ZOD =
  /Invalid (input|option|string|key|value)|Too (big|small)|Unrecognized key|expected \w+, received|\n\s*"path":/;

const odd = fc.oneof(
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

/** Ids differ, so that each answer is known by its own. */
let made = 0;
const nextId = () => {
  made += 1;
  return made;
};

const message: fc.Arbitrary<Drafted> = fc
  .record({
    jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant<unknown>("2.0") }, odd, fc.constant(undefined)),
    id: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("text", "number") },
      fc.constantFrom("none", "fraction"),
      odd
        .filter((value) => typeof value !== "string" && typeof value !== "number")
        .map((value) => ({ value })),
    ),
    method: fc.oneof({ weight: 20, arbitrary: method }, fc.constant(undefined)),
    params: fc.oneof({ weight: 5, arbitrary: fields }, fc.constant(undefined), odd),
    extra: fc.option(odd, { nil: undefined, freq: 20 }),
  })
  .map(({ id, ...rest }) => ({ sent: present({ id: idOf(id), ...rest }) }));

function idOf(kind: "text" | "number" | "none" | "fraction" | { readonly value: unknown }): unknown {
  if (typeof kind === "object") return kind.value;
  if (kind === "none") return undefined;
  const number = nextId();
  return kind === "text" ? `id ${number}` : kind === "number" ? number : number + 0.5;
}

/** As JSON has it: what is undefined is absent. */
function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
