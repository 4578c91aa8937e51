import { expect, test } from "vitest";
import { claudeReader } from "../../adapters/agents/claude/stream.ts";
import { codexReader } from "../../adapters/agents/codex/stream.ts";
import { commandReader } from "../../adapters/agents/command/stream.ts";
import { geminiReader } from "../../adapters/agents/gemini/stream.ts";
import { opencodeReader } from "../../adapters/agents/opencode/stream.ts";
import { problemOf } from "../../src/loop/agent/problem.ts";
import { CAME, seenOf } from "./seen-of.ts";

/*
 * Lines as the clients print them, recorded from codex 0.169.0, opencode 1.18.33, gemini 0.61.0 and Claude Code 2.1.330, cut down to
 * what is read. Catches: use, a denial, or a limit that is told and not heard. test/clients tries the clients themselves.
 */
const denials = (seen: { denied: ReadonlyMap<string, string> }) => [...seen.denied.values()];
const json = (...lines: readonly object[]) => lines.map((line) => JSON.stringify(line));

const CODEX = {
  begin: { type: "thread.started", thread_id: "t-1" },
  said: (text: string) => ({ type: "item.completed", item: { id: "i", type: "agent_message", text } }),
  command: (status: string, aggregated_output: string) => ({
    type: "item.completed",
    item: { id: "i", type: "command_execution", command: "make", aggregated_output, exit_code: 1, status },
  }),
  end: { type: "turn.completed", usage: { input_tokens: 300, cached_input_tokens: 200, output_tokens: 60 } },
  failed: (message: string) => ({ type: "turn.failed", error: { message } }),
};

test("codex reports its conversation, final usage, last message and patched files", async () => {
  const changes = [{ path: "/project/a.txt", kind: "add" }];
  const seen = await seenOf(
    codexReader(),
    json(
      CODEX.begin,
      CODEX.said("I begin."),
      { type: "item.completed", item: { type: "file_change", changes, status: "completed" } },
      CODEX.said("It is done."),
      CODEX.end,
    ),
  );
  expect(seen).toMatchObject({
    init: { conversation: "t-1" },
    lastWords: "It is done.",
    result: { subtype: "success", isError: false, usage: { input: 300, cached: 200, output: 60 } },
    problem: undefined,
  });
  expect([...seen.files]).toEqual(["/project/a.txt"]);
});

test("codex shows denied tools in its log and its sandbox's answers; a failed command is not one", async () => {
  const router = "2026-11-22T17:50:23.5Z ERROR codex_core::tools::router: error=";
  const seen = await seenOf(
    codexReader(),
    json(
      CODEX.command("failed", "cmd.txt: Read-only file system\n"),
      CODEX.command("failed", "no such target\n"),
      CODEX.command("declined", ""),
      {
        type: "item.completed",
        item: {
          type: "mcp_tool_call",
          server: "ralph",
          tool: "done",
          error: { message: "user rejected MCP tool call" },
        },
      },
      CODEX.end,
    ),
    [
      `${router}approval policy is Never; reject command — you cannot ask for escalated permissions`,
      `${router}patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings`,
      `${router}unsupported call: apply_patch`,
      "WARNING: proceeding, even though we could not create PATH aliases",
    ],
  );
  expect(denials(seen)).toEqual([
    "exec_command",
    "apply_patch",
    "exec_command",
    "exec_command",
    "mcp__ralph__done",
  ]);
});

test.each([
  [
    "unexpected status 401 Unauthorized: invalid x-api-key, url: http://h/v1/responses",
    "no_login",
    undefined,
  ],
  ["exceeded retry limit, last status: 429 Too Many Requests", "limit", undefined],
  ["We’re currently experiencing high demand, which may cause temporary errors.", "outage", undefined],
  ["unexpected status 529 <unknown status code>: Overloaded, url: http://h", "outage", undefined],
  ["stream disconnected before completion: error sending request", "outage", undefined],
  ["unexpected status 404 Not Found: model: nope, url: http://h", "unknown_model", undefined],
  ["unexpected status 400 Bad Request: no", "other", undefined],
  [
    "You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.",
    "limit",
    234_840,
  ],
  [
    "You've hit your usage limit. Upgrade to Pro or try again at Nov 23rd, 2026 7:38 AM.",
    "limit",
    "2026-11-23 07:38",
  ],
  ["You've hit your usage limit. Try again later, or try again at 11:59 PM.", "limit", "2026-11-22 23:59"],
])("codex that says %j has the problem %s", async (message, kind, reset) => {
  const { problem, result } = await seenOf(codexReader(), json(CODEX.begin, CODEX.failed(message)));
  expect(result).toMatchObject({ isError: true });
  expect(problem).toMatchObject({ kind, text: message });
  const resetsAt =
    typeof reset === "number" ? new Date(CAME.getTime() + reset * 1_000) : reset && new Date(`${reset}:00`);
  expect(problem?.resetsAt).toEqual(resetsAt);
});

const OPENCODE = {
  text: (text: string) => ({ type: "text", sessionID: "ses_1", part: { id: "p", type: "text", text } }),
  tool: (tool: string, state: object, callID = tool) => ({
    type: "tool_use",
    sessionID: "ses_1",
    part: { tool, callID, state },
  }),
  finish: (id: string, reason: string, cost = 0) => ({
    type: "step_finish",
    sessionID: "ses_1",
    part: {
      id,
      reason,
      cost,
      tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 30, write: 7 } },
    },
  }),
  error: (error: object) => ({ type: "error", sessionID: "ses_1", error }),
};

test("opencode reports usage and cost per step, and its last step without tools is the end", async () => {
  const seen = await seenOf(
    opencodeReader(),
    json(
      OPENCODE.tool("write", { status: "completed", input: { filePath: "a.txt" } }),
      OPENCODE.finish("p1", "tool-calls", 0.01),
      OPENCODE.text("It is done."),
      OPENCODE.finish("p2", "stop", 0.02),
    ),
  );
  expect(seen).toMatchObject({
    init: { conversation: "ses_1" },
    turns: 2,
    usage: { input: 274, cached: 60, output: 50 },
    lastWords: "It is done.",
    result: { subtype: "success", isError: false },
  });
  expect(seen.costUsd).toBeCloseTo(0.03, 9);
  expect([...seen.files]).toEqual(["a.txt"]);
  const running = await seenOf(opencodeReader(), json(OPENCODE.finish("p1", "tool-calls")));
  expect(running).toMatchObject({ result: undefined, costUsd: undefined });
});

test("opencode shows a denied tool when it rejects one, or the model calls one that was not offered", async () => {
  const unavailable = (tool: string) => ({
    status: "completed",
    input: { tool, error: `Model tried to call unavailable tool '${tool}'. Available tools: read.` },
  });
  const offered = await seenOf(
    opencodeReader(),
    json(
      OPENCODE.tool("invalid", unavailable("bash"), "c1"),
      OPENCODE.tool("invalid", unavailable("bash"), "c2"),
      OPENCODE.tool("invalid", unavailable("no_such_tool"), "c3"),
      OPENCODE.tool("bash", { status: "error", error: "exit code 1", input: {} }, "c4"),
      OPENCODE.finish("p", "stop"),
    ),
  );
  expect(denials(offered)).toEqual(["bash", "bash"]);
  expect(offered.result).toMatchObject({ isError: false });
  const rejected = await seenOf(
    opencodeReader(),
    json(
      OPENCODE.tool("ralph_done", {
        status: "error",
        input: {},
        error: "The user rejected permission to use this specific tool call.",
      }),
      OPENCODE.finish("p", "tool-calls"),
    ),
  );
  expect(denials(rejected)).toEqual(["mcp__ralph__done"]);
  expect(rejected.result).toMatchObject({ isError: true, subtype: "permission_rejected" });
});

test.each([
  [{ name: "APIError", data: { message: "invalid x-api-key", statusCode: 401 } }, "no_login", undefined],
  [
    {
      name: "APIError",
      data: { message: "Rate limited", statusCode: 429, responseHeaders: { "retry-after": "90" } },
    },
    "limit",
    90,
  ],
  [
    {
      name: "APIError",
      data: {
        message: "The usage limit has been reached",
        statusCode: 429,
        responseBody: `{"error":{"type":"usage_limit_reached","resets_at":${CAME.getTime() / 1_000 + 60}}}`,
      },
    },
    "limit",
    60,
  ],
  [{ name: "APIError", data: { message: "Overloaded", statusCode: 529 } }, "outage", undefined],
  [{ name: "ProviderModelNotFoundError", data: { modelID: "x" } }, "unknown_model", undefined],
  [
    { name: "UnknownError", data: { message: "Unable to connect. Is the computer able to access the url?" } },
    "outage",
    undefined,
  ],
])("opencode that says %j has the problem %s", async (error, kind, seconds) => {
  const { problem, result } = await seenOf(opencodeReader(), json(OPENCODE.error(error)));
  expect(result).toMatchObject({ isError: true });
  expect(problem?.kind).toBe(kind);
  expect(problem?.resetsAt).toEqual(seconds && new Date(CAME.getTime() + seconds * 1_000));
});

const GEMINI = {
  begin: { type: "init", session_id: "g-1", model: "gemini-2.5-flash" },
  said: (content: string) => ({ type: "message", role: "assistant", content, delta: true }),
  call: (tool_name: string) => ({
    type: "tool_use",
    tool_name,
    tool_id: tool_name,
    parameters: { file_path: "a.txt" },
  }),
  answer: (tool: string, error?: string) => ({
    type: "tool_result",
    tool_id: tool,
    status: error === undefined ? "success" : "error",
    ...(error !== undefined && { error: { type: error, message: "No." } }),
  }),
  end: (status: string, error?: object) => ({
    type: "result",
    status,
    ...(error && { error }),
    stats: { input_tokens: 400, output_tokens: 80, cached: 50 },
  }),
};

test("gemini reports its model, final usage and last message, which comes in pieces", async () => {
  const seen = await seenOf(
    geminiReader(),
    json(
      GEMINI.begin,
      { type: "message", role: "user", content: "Do it." },
      GEMINI.said("I begin."),
      GEMINI.call("write_file"),
      GEMINI.answer("write_file"),
      GEMINI.said("It is "),
      GEMINI.said("done."),
      GEMINI.end("success"),
    ),
  );
  expect(seen).toMatchObject({
    init: { conversation: "g-1", model: "gemini-2.5-flash" },
    lastWords: "It is done.",
    result: { subtype: "success", isError: false, usage: { input: 400, cached: 50, output: 80 } },
  });
  expect([...seen.files]).toEqual(["a.txt"]);
});

test("gemini shows a denied tool when its policy forbids one, or one is not offered", async () => {
  const seen = await seenOf(
    geminiReader(),
    json(
      GEMINI.begin,
      GEMINI.call("write_file"),
      GEMINI.answer("write_file", "policy_violation"),
      GEMINI.call("run_shell_command"),
      GEMINI.answer("run_shell_command", "tool_not_registered"),
      GEMINI.call("no_such_tool"),
      GEMINI.answer("no_such_tool", "tool_not_registered"),
      GEMINI.call("mcp_ralph_done"),
      GEMINI.answer("mcp_ralph_done", "policy_violation"),
    ),
  );
  expect(denials(seen)).toEqual(["write_file", "run_shell_command", "mcp__ralph__done"]);
  expect([...seen.files]).toEqual([]);
});

test.each([
  ['[API Error: {"error":{"code":401,"message":"invalid x-api-key"}}]', "no_login", undefined],
  ['[API Error: {"error":{"code":429,"details":[{"retryDelay":"34.5s"}]}}]', "limit", 34.5],
  [
    "[API Error: You exceeded your current quota.\nSuggested retry after 77s.]\nPlease wait and try again later.",
    "limit",
    77,
  ],
  ["You have exhausted your capacity on this model. Your quota will reset after 4h12m3s.", "limit", 15_123],
  ['[API Error: {"error":{"code":503,"message":"The model is overloaded."}}]', "outage", undefined],
  ['[API Error: {"error":{"code":404,"message":"models/x is not found"}}]', "unknown_model", undefined],
])("gemini that says %j has the problem %s", async (message, kind, seconds) => {
  const { problem } = await seenOf(geminiReader(), json(GEMINI.begin, GEMINI.end("error", { message })));
  expect(problem?.kind).toBe(kind);
  expect(problem?.resetsAt).toEqual(seconds && new Date(CAME.getTime() + seconds * 1_000));
});

test("gemini without a login prints no line of JSON, and is understood all the same", async () => {
  const complaint = "Please set an Auth method in your ~/.gemini/settings.json or specify GEMINI_API_KEY";
  expect((await seenOf(geminiReader(), [], [complaint])).problem?.kind).toBe("no_login");
});

test("Claude Code reports the end of its limit, and a problem solved by a retry is none", async () => {
  const resetsAt = CAME.getTime() / 1_000 + 3_600;
  const limit = {
    type: "rate_limit_event",
    rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour" },
  };
  const failed = {
    type: "result",
    subtype: "success",
    is_error: true,
    result: "You've hit your limit · resets 2pm (Asia/Shanghai)",
  };
  const { problem } = await seenOf(claudeReader(), json(limit, failed));
  expect(problem).toMatchObject({ kind: "limit", resetsAt: new Date(resetsAt * 1_000) });
  const overloaded = { ...failed, result: "API Error: Overloaded", api_error_status: 529 };
  const outage = (await seenOf(claudeReader(), json(limit, overloaded))).problem;
  expect(outage).toMatchObject({ kind: "outage", resetsAt: undefined });
  const well = { type: "result", subtype: "success", is_error: false, result: "Done." };
  expect((await seenOf(claudeReader(), json(limit, failed, well))).problem).toBeUndefined();
});

test.each([
  ["Invalid API key · Fix external API key", 401, "no_login"],
  ["Not logged in · Please run /login", null, "no_login"],
  ["API Error: 529 Overloaded. This is a server-side issue", 529, "outage"],
  ["API Error: Request rejected (429) · Rate limited", 429, "limit"],
  ["API Error: Unable to connect to API (ECONNREFUSED)", null, "outage"],
  ["There's an issue with the selected model (nope). It may not exist", 404, "unknown_model"],
])("Claude Code that says %j has the problem %s", async (result, api_error_status, kind) => {
  const line = { type: "result", subtype: "success", is_error: true, result, api_error_status };
  expect((await seenOf(claudeReader(), json(line))).problem?.kind).toBe(kind);
});

test("any other program reports the same in JSON lines, and other lines are ignored", async () => {
  const seen = await seenOf(commandReader(), [
    ...json(
      { signalbox: "agent", model: "large", version: "1.2" },
      { signalbox: "usage", input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, cost_usd: 0.01 },
      { signalbox: "usage", input_tokens: 10, output_tokens: 2, cost_usd: 0.02 },
      { signalbox: "denied", tool: "shell" },
      { signalbox: "denied", tool: "shell" },
      { signalbox: "said", text: "I may not." },
      { signalbox: "problem", kind: "limit", text: "Used up.", resets_at: "2026-11-22T13:00:00Z" },
      { signalbox: "usage", input_tokens: "many" },
      { signalbox: "unknown" },
    ),
    "plain text",
  ]);
  expect(seen).toMatchObject({
    init: { model: "large", version: "1.2" },
    turns: 2,
    usage: { input: 110, cached: 40, output: 22 },
    lastWords: "I may not.",
    problem: { kind: "limit", text: "Used up.", resetsAt: new Date("2026-11-22T13:00:00Z") },
  });
  expect(seen.costUsd).toBeCloseTo(0.03, 9);
  expect(denials(seen)).toEqual(["shell", "shell"]);
});

test.each([
  ["You've hit your limit · resets 1:30am (Asia/Dhaka)", "2026-11-22T19:30:00Z"],
  ["You've hit your session limit · resets 12:50pm (Europe/Paris)", "2026-11-23T11:50:00Z"],
  ["You're out of extra usage · resets Nov 25, 8pm (Europe/Budapest)", "2026-11-25T19:00:00Z"],
  ["You're out of extra usage · resets Jan 2, 12am (UTC)", "2027-01-02T00:00:00Z"],
  ["You've hit your limit · resets 3pm (Middle/Earth)", undefined],
  ["Limit reached · /upgrade", undefined],
])("claude says %j: the limit is over at %s", async (result, resets) => {
  const line = { type: "result", subtype: "success", is_error: true, api_error_status: 429, result };
  const { problem } = await seenOf(claudeReader(), json(line));
  expect(problem).toEqual({
    kind: "limit",
    text: result,
    resetsAt: resets === undefined ? undefined : new Date(resets),
  });
});

test.each([
  "You have reached your usage limit. Upgrade your plan or add credits to continue.",
  "Limit reached · resets 11:30am (Asia/Calcutta)",
  "Your credit balance is too low to access the Anthropic API.",
  "You have exhausted your daily quota on this model.",
  "Quota exceeded. Check your plan and billing details.",
  "You exceeded your current quota, please check your plan and billing details.",
])("%j is a usage limit, whatever the status", (text) => {
  expect(problemOf(400, text).kind).toBe("limit");
  expect(problemOf(undefined, text).kind).toBe("limit");
});
