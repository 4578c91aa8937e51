import { z } from "zod";
import {
  type AgentFact,
  type OutputLine,
  objectIn,
  type Problem,
  problemOf,
  type ReadLine,
  timeAfter,
} from "../core.ts";

/** Parses the lines of `codex exec --json`, and its log lines about denied tools. */
export function codexReader(): ReadLine {
  let denials = 0;
  const denied = (tool: string): AgentFact => {
    denials += 1;
    return { kind: "denied", id: `denial ${denials}`, tool };
  };
  return (line) => {
    if (line.from === "stderr") return deniedIn(line.text).map(denied);
    const { data } = anyLine.safeParse(objectIn(line.text));
    switch (data?.type) {
      case "thread.started":
        return [{ kind: "init", conversation: data.thread_id, server: "unknown" }];
      case "item.completed":
        return itemFacts(data.item, denied);
      case "turn.completed":
        return resultOf(data.usage);
      case "turn.failed":
        return failure(data.error.message, line);
      case undefined:
        return [];
    }
  };
}

const count = z.number().min(0).catch(0);
const usage = z.looseObject({ input_tokens: count, cached_input_tokens: count, output_tokens: count });

const item = z.looseObject({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  server: z.string().optional().catch(undefined),
  tool: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  aggregated_output: z.string().optional().catch(undefined),
  error: z.looseObject({ message: z.string() }).nullish().catch(undefined),
  changes: z
    .array(z.looseObject({ path: z.string() }))
    .optional()
    .catch(undefined),
});

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.looseObject({ type: z.literal("item.completed"), item }),
  z.looseObject({ type: z.literal("turn.completed"), usage }),
  z.looseObject({ type: z.literal("turn.failed"), error: z.looseObject({ message: z.string() }) }),
]);

/** The tool router's log line about a denied call, which appears in no item. */
function deniedIn(logged: string): string[] {
  const [, why = ""] = /tools::router: error=(.*)/.exec(logged) ?? [];
  if (!/reject|denied|read-only sandbox/.test(why)) return [];
  return [why.startsWith("patch") ? "apply_patch" : "exec_command"];
}

function itemFacts(done: z.infer<typeof item>, denied: (tool: string) => AgentFact): AgentFact[] {
  const { type, text, server, tool, status, error, aggregated_output: output = "" } = done;
  if (type === "agent_message" && text) return [{ kind: "said", text }];
  if (type === "mcp_tool_call" && /rejected|cancelled|denied/.test(error?.message ?? ""))
    return [denied(`mcp__${server}__${tool}`)];
  if (type === "file_change" && status === "completed")
    return [{ kind: "edited", files: (done.changes ?? []).map(({ path }) => path) }];
  if (type !== "command_execution") return [];
  // To a command, its sandbox looks like a read-only file system.
  const refused = status === "declined" || (status === "failed" && /Read-only file system/.test(output));
  return refused ? [denied("exec_command")] : [];
}

function resultOf({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
}: z.infer<typeof usage>): AgentFact[] {
  return [{ kind: "result", subtype: "success", isError: false, text: "", usage: { input, cached, output } }];
}

function failure(message: string, { at }: OutputLine): AgentFact[] {
  return [
    { kind: "problem", problem: problemIn(message, at) },
    { kind: "result", subtype: "turn.failed", isError: true, text: message },
  ];
}

function problemIn(message: string, now: Date): Problem {
  const [, status] = /status:? (\d{3})/.exec(message) ?? [];
  return problemOf(status === undefined ? undefined : Number(status), message, resetIn(message, now));
}

/**
 * The end of a usage limit: `try again at 7:38 AM`, `try again at Aug 20th, 2026 7:38 AM`, both in
 * local time, and in older versions `try again in 2 days 17 hours 14 minutes` (openai/codex issues
 * 39603 and 3899).
 */
function resetIn(message: string, now: Date): Date | undefined {
  const [, span] = /try again in ((?:\d+ \w+ ?)+)/.exec(message) ?? [];
  if (span !== undefined) return timeAfter(now, span);
  const [, words] = /try again at ([^.]+?)\.?$/.exec(message) ?? [];
  if (words === undefined) return undefined;
  const clock = /^\d{1,2}:\d{2} [AP]M$/.test(words)
    ? `${now.toDateString()} ${words}`
    : words.replace(/(\d)(?:st|nd|rd|th)\b/, "$1");
  const time = new Date(clock);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
