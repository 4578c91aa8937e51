import fc from "fast-check";
import { expect, test } from "vitest";
import { createTask } from "../../src/decisions/tasks.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

const LINES = Number(process.env.SIGNALBOX_LINES ?? 1_500);

const verb = fc.constantFrom("done", "flag", "learned", "ask", "finish", "");
const args = fc.oneof(
  fc.record({ summary: fc.string({ unit: "binary", maxLength: 30 }) }),
  fc.constant({ what: "It leaks.", severity: "info", category: "bug" }),
  fc.jsonValue({ maxDepth: 8 }),
);
const call = fc.record({ name: verb, arguments: args }).map((params) => ({ method: "tools/call", params }));
const other = fc.constantFrom(
  { method: "tools/list" },
  { method: "ping" },
  { method: "resources/list" },
  { method: "tools/call" },
);
/** Requests with an id of their own, and lines that are no request at all. */
const line = fc.oneof(
  { weight: 6, arbitrary: call.map((request) => ({ request })) },
  { weight: 1, arbitrary: other.map((request) => ({ request })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        "",
        "{",
        "null",
        "[]",
        '"x"',
        '{"jsonrpc":"2.0"}',
        '{"id":1',
        "\u0000\u0001",
        "{}{}",
        "[".repeat(5_000),
      )
      .map((text) => ({ text })),
  },
);

test(`${LINES} lines of requests and rubbish over stdio: every request is answered once, and stdout holds nothing else`, async () => {
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const before = await project.log.head();
  const sent = fc.sample(line, LINES);
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const input = [
    JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    ...sent.map((one, index) =>
      "text" in one ? one.text : JSON.stringify({ jsonrpc: "2.0", id: index + 1, ...one.request }),
    ),
  ];
  const ran = await signalbox(["mcp"], {
    env: { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db },
    // The last line is only half there.
    input: `${input.join("\n")}\n{"jsonrpc":"2.0","id":99`,
  });
  expect(ran.exitCode).toBe(0);
  const answers = ran.stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  const asked = [0, ...sent.flatMap((one, index) => ("request" in one ? [index + 1] : []))];
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(asked);
  for (const answer of answers) expect(answer).toMatchObject({ jsonrpc: "2.0" });
  const recorded = answers.filter(({ result }) => result?.structuredContent).length;
  expect(recorded).toBeGreaterThan(0);
  expect((await project.log.head()) - before).toBe(recorded);
});
