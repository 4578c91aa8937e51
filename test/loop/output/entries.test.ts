import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stderrLine } from "../../../adapters/agents/command/entries.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { entriesOf } from "../../../src/loop/output/output-entry.ts";

/** As `kind tool!: text` of each entry; `!` for a failure. */
const told = (...lines: readonly (object | string)[]) =>
  lines
    .flatMap((line) => entriesOf(typeof line === "string" ? line : JSON.stringify(line)))
    .map(
      ({ kind, tool, isError, text }) =>
        `${[kind, tool].filter(Boolean).join(" ")}${isError ? "!" : ""}: ${text}`,
    );

const recorded = (name: string) =>
  readFileSync(packagePath(`fixtures/claude-streams/${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");

test("a recorded run of Claude Code reads as words, calls, results and its end", () => {
  const entries = told(...recorded("success"));
  expect(entries.slice(0, 3)).toEqual([
    "note: Claude Code 2.1.329 with claude-sonnet-4-5",
    "said: Working.",
    "call mcp__ralph__learned: uses pnpm",
  ]);
  expect(entries[3]).toMatch(/^result!: rejected: duplicate\n\nThis tool's input schema/);
  expect(entries).toContain("call mcp__ralph__done: all good");
  expect(entries.at(-1)).toMatch(/^note: success · \d+ turns · \$0\.00$/);
});

test.each([
  ["permission_denied", "note mcp__ralph__done!: Claude requested permissions to use mcp__ralph__done"],
  ["api_529", "note!: "],
  ["max_turns", "note!: error_max_turns · "],
])("the recorded run %s tells its failure", (name, failure) => {
  const entries = told(...recorded(name));
  expect(
    entries.some((entry) => entry.startsWith(failure)),
    entries.join("\n"),
  ).toBe(true);
});

test("every recorded line of Claude Code is known: none is shown raw", () => {
  for (const name of [
    "success",
    "no_signal",
    "mcp_failed",
    "max_budget",
    "killed_last",
    "mcp_invalid_config",
  ])
    expect(told(...recorded(name)).filter((entry) => entry.startsWith("raw"))).toEqual([]);
});

test("Claude Code's thoughts and inputs of several arguments read as text", () => {
  const content = [
    { type: "thinking", thinking: "First the test." },
    { type: "tool_use", name: "Edit", input: { file_path: "a.ts", old_string: "1\n2", replace_all: true } },
  ];
  expect(told({ type: "assistant", message: { id: "m", content } })).toEqual([
    "thought: First the test.",
    "call Edit: file_path: a.ts\nold_string: 1\n2\nreplace_all: true",
  ]);
});

test("codex's commands, patches, plans and failures read as such", () => {
  const command = {
    type: "command_execution",
    command: "make",
    aggregated_output: "",
    status: "in_progress",
  };
  const item = (type: string, one: object) => ({ type, item: { id: "i", ...one } });
  expect(
    told(
      { type: "thread.started", thread_id: "t-1" },
      { type: "turn.started" },
      item("item.completed", { type: "reasoning", text: "A target is missing." }),
      item("item.started", command),
      item("item.completed", { ...command, aggregated_output: "no rule\n", exit_code: 2, status: "failed" }),
      item("item.completed", {
        type: "file_change",
        changes: [{ path: "a.txt", kind: "add" }],
        status: "completed",
      }),
      item("item.completed", {
        ...{ type: "mcp_tool_call", server: "ralph", tool: "done", status: "failed" },
        error: { message: "user rejected" },
      }),
      item("item.completed", { type: "agent_message", text: "Done." }),
      { type: "turn.completed", usage: { input_tokens: 300, cached_input_tokens: 0, output_tokens: 60 } },
      { type: "turn.failed", error: { message: "stream disconnected" } },
    ),
  ).toEqual([
    "note: Codex, conversation t-1",
    "thought: A target is missing.",
    "call shell: make",
    "result shell!: no rule\n\nexit code 2",
    "result apply_patch: add a.txt",
    "result mcp__ralph__done!: user rejected",
    "said: Done.",
    "note: turn completed · 300 tokens in, 60 out",
    "note!: stream disconnected",
  ]);
});

test("gemini's message comes in pieces that belong together", () => {
  const said = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
  expect(entriesOf(JSON.stringify(said(" ")))).toEqual([{ kind: "said", text: " ", continues: true }]);
  expect(
    told(
      { type: "init", session_id: "g-1", model: "gemini-2.5-flash" },
      said("I "),
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "1", parameters: { command: "ls" } },
      { type: "tool_result", tool_id: "1", status: "error", error: { type: "x", message: "No." } },
      { type: "result", status: "success", stats: { input_tokens: 400, output_tokens: 80 } },
    ),
  ).toEqual([
    "note: Gemini CLI with gemini-2.5-flash",
    "said: I ",
    "call run_shell_command: ls",
    "result!: No.",
    "note: success · 400 tokens in, 80 out",
  ]);
});

test("opencode's line of a tool is a call and its result", () => {
  const tool = (state: object) => ({
    ...{ type: "tool_use", sessionID: "ses_1" },
    part: { tool: "bash", callID: "c", state },
  });
  expect(
    told(
      { type: "step_start", sessionID: "ses_1", part: {} },
      tool({ status: "completed", input: { command: "ls" }, output: "a.txt" }),
      tool({ status: "error", input: { command: "rm" }, error: "rejected permission" }),
      { type: "text", sessionID: "ses_1", part: { text: "Done." } },
      { type: "error", sessionID: "ses_1", error: { name: "APIError", data: { message: "Overloaded" } } },
    ),
  ).toEqual([
    "call bash: ls",
    "result bash: a.txt",
    "call bash: rm",
    "result bash!: rejected permission",
    "said: Done.",
    "note!: Overloaded",
  ]);
});

test("another program's own lines are read, and lines of no known form are shown as they are", () => {
  expect(
    told(
      '{"signalbox":"agent","model":"large","version":"1.2"}',
      '{"signalbox":"usage","input_tokens":1,"output_tokens":1}',
      '{"signalbox":"said","text":"I may not."}',
      '{"signalbox":"denied","tool":"shell"}',
      stderrLine("warning: deprecated"),
      "compiling…",
      '{"type":"unheard_of"}',
      '{"type":"assistant","message":"half a li',
      "",
    ),
  ).toEqual([
    "note: agent 1.2 with large",
    "said: I may not.",
    "note shell!: not allowed",
    "stderr: warning: deprecated",
    "raw: compiling…",
    'raw: {"type":"unheard_of"}',
    'raw: {"type":"assistant","message":"half a li',
  ]);
});
