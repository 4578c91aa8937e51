import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contextSchema, type LaunchContext, signalsContext } from "../../src/mcp/context.ts";
import { LineTransport } from "../../src/mcp/line-transport.ts";
import { createServer } from "../../src/mcp/server.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { answerId, drafted, PROPER_CODES, withId, ZOD } from "./generated-messages.ts";

const CONTEXTS: readonly (readonly [string, LaunchContext])[] = [
  ["signals", signalsContext("s-1", 1)],
  ["all", contextSchema.parse({ session_id: "c-1", recipe: "all" })],
];

test.each(CONTEXTS)(
  "any request in the recipe %s is answered with a JSON-RPC result or an error with a proper code",
  async (_recipe, context) => {
    const server = await givenServer(context);
    // Ids differ, so that each answer is known by its own.
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(drafted, { minLength: 1, maxLength: 10 }), async (messages) => {
        for (const one of messages) await checkAnswer(server, withId(one, ++made));
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

type Sent = Readonly<Record<string, unknown>>;

async function checkAnswer(server: Awaited<ReturnType<typeof givenServer>>, sent: Sent) {
  const answers = await server.exchange(sent);
  if ("id" in sent) expect(answers).toHaveLength(1);
  else expect(answers.length).toBeLessThanOrEqual(1);
  for (const answer of answers) {
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: answerId(sent) });
    expect(Object.keys(answer).sort()).toEqual(["id", "jsonrpc", answer.error ? "error" : "result"].sort());
    if (answer.error) expect(PROPER_CODES).toContain(answer.error.code);
    const words = answer.error
      ? [answer.error.message]
      : (answer.result?.content ?? []).map(({ text }) => text);
    for (const text of words) expect(text).not.toMatch(ZOD);
  }
}
