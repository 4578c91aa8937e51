import { z } from "zod";
import {
  type AgentFact,
  type OutputLine,
  objectIn,
  ourTool,
  problemOf,
  type ReadLine,
  SERVER_NAME,
  timeAfter,
} from "../core.ts";

/** Parses the lines of `gemini --output-format stream-json`, and stderr if it fails to start. */
export function geminiReader(): ReadLine {
  /** Running tool calls, by id. */
  const called = new Map<string, z.infer<typeof toolUse>>();
  /** The model's messages come in pieces. */
  let said = "";
  return (line) => {
    if (line.from === "stderr") return complaint(line);
    const { data } = anyLine.safeParse(objectIn(line.text));
    switch (data?.type) {
      case "init":
        return [{ kind: "init", conversation: data.session_id, model: data.model, server: "unknown" }];
      case "message": {
        if (data.role !== "assistant") return [];
        said = data.delta ? said + data.content : data.content;
        return [{ kind: "said", text: said }];
      }
      case "tool_use":
        said = "";
        called.set(data.tool_id, data);
        return [];
      case "tool_result":
        return toolFacts(data, called.get(data.tool_id));
      case "result":
        return resultFacts(data, line);
      case undefined:
        return [];
    }
  };
}

const count = z.number().min(0).catch(0);
const text = z.string().catch("");

const toolUse = z.looseObject({
  type: z.literal("tool_use"),
  tool_name: z.string(),
  tool_id: z.string(),
  parameters: z.looseObject({ file_path: text }).catch({ file_path: "" }),
});
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_id: z.string(),
  status: text,
  error: z.looseObject({ type: text, message: text }).optional().catch(undefined),
});
const result = z.looseObject({
  type: z.literal("result"),
  status: text,
  error: z.looseObject({ message: text }).optional().catch(undefined),
  stats: z
    .looseObject({ input_tokens: count, output_tokens: count, cached: count })
    .optional()
    .catch(undefined),
});

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("init"), session_id: z.string(), model: z.string().optional() }),
  z.looseObject({
    type: z.literal("message"),
    role: z.string(),
    content: z.string(),
    delta: z.boolean().optional().catch(undefined),
  }),
  toolUse,
  toolResult,
  result,
]);

function toolFacts(
  { tool_id: id, status, error }: z.infer<typeof toolResult>,
  call: z.infer<typeof toolUse> | undefined,
): AgentFact[] {
  if (!call) return [];
  const { tool_name: name, parameters } = call;
  if (isDenied(name, error?.type)) return [{ kind: "denied", id, tool: nameOf(name) }];
  if (status !== "success" || !EDITS.has(name) || parameters.file_path === "") return [];
  return [{ kind: "edited", files: [parameters.file_path] }];
}

/** Tools that permissions remove and that are not offered count as denied. */
function isDenied(name: string, error: string | undefined): boolean {
  if (error === "policy_violation" || error === "execution_denied") return true;
  return error === "tool_not_registered" && (EDITS.has(name) || name === "run_shell_command");
}

const EDITS: ReadonlySet<string> = new Set(["write_file", "replace"]);

function nameOf(tool: string): string {
  const prefix = `mcp_${SERVER_NAME}_`;
  return tool.startsWith(prefix) ? ourTool(tool.slice(prefix.length)) : tool;
}

function resultFacts({ status, error, stats }: z.infer<typeof result>, line: OutputLine): AgentFact[] {
  const isError = status !== "success";
  const said = error?.message ?? "";
  return [
    ...(isError ? [{ kind: "problem" as const, problem: problemIn(said, line.at) }] : []),
    {
      kind: "result",
      subtype: status,
      isError,
      text: said,
      usage: stats && { input: stats.input_tokens, cached: stats.cached, output: stats.output_tokens },
    },
  ];
}

/**
 * Gemini CLI passes on the API's words: `"code":429`, `"retryDelay":"34s"`, `Your quota will reset
 * after 4h12m.`
 */
function problemIn(said: string, now: Date) {
  const code = /(?:"code":\s*|status:? )(\d{3})\b/.exec(said)?.[1];
  const span = /(?:"retryDelay":\s*"|(?:reset|retry) after )([\d.]+m?s|[\dhms.]+)/.exec(said)?.[1];
  return problemOf(
    code === undefined ? undefined : Number(code),
    said,
    span === undefined ? undefined : timeAfter(now, span),
  );
}

/** Without a login it prints no JSON at all. */
function complaint({ text: said, at }: OutputLine): AgentFact[] {
  return /set an Auth method|API key not valid/i.test(said)
    ? [{ kind: "problem", problem: problemIn(said, at) }]
    : [];
}
