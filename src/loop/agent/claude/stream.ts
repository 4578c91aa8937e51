import { z } from "zod";
import type { ServerState } from "../../events/types/agents.ts";
import { SERVER_NAME } from "../../server-name.ts";

/**
 * What a line of an agent's output tells, in the stream-json of Claude Code 2.1.329 (`claude -p --output-format stream-json
 * --verbose`). Lines of other types, and lines that are no JSON, tell nothing.
 */
export type AgentFact =
  | {
      readonly kind: "init";
      readonly conversation: string | undefined;
      readonly model: string | undefined;
      readonly version: string | undefined;
      readonly server: ServerState;
    }
  | {
      readonly kind: "message";
      readonly id: string;
      readonly usage: Usage;
      /** Files that its tools edit, as it names them. */
      readonly files: readonly string[];
    }
  | { readonly kind: "denied"; readonly tool: string }
  | {
      readonly kind: "result";
      readonly subtype: string;
      readonly isError: boolean;
      readonly text: string;
      readonly turns: number | undefined;
      /** Of the whole conversation, which may be older than this session. */
      readonly totalCostUsd: number | undefined;
      readonly usage: Usage | undefined;
      readonly denied: readonly string[];
    };

export interface Usage {
  readonly input: number;
  readonly output: number;
}

export const isOurTool = (tool: string): boolean => tool.startsWith(`mcp__${SERVER_NAME}__`);

/** What a line tells, or undefined. */
export function factIn(line: string): AgentFact | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = anyLine.safeParse(value);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  switch (data.type) {
    case "system":
      if (data.subtype === "init") return init(data);
      return data.tool_name !== undefined ? { kind: "denied", tool: data.tool_name } : undefined;
    case "assistant":
      return {
        kind: "message",
        id: data.message.id,
        usage: usageOf(data.message.usage),
        files: filesIn(data.message.content),
      };
    case "result":
      return {
        kind: "result",
        subtype: data.subtype,
        isError: data.is_error,
        text: data.result ?? data.errors?.join("; ") ?? "",
        turns: data.num_turns,
        totalCostUsd: data.total_cost_usd,
        usage: data.usage && usageOf(data.usage),
        denied: data.permission_denials.map(({ tool_name }) => tool_name),
      };
  }
}

const count = z.number().min(0).catch(0);
const usage = z.looseObject({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});
const optionalText = z.string().optional().catch(undefined);

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("system"),
    subtype: z.enum(["init", "permission_denied"]),
    session_id: optionalText,
    model: optionalText,
    claude_code_version: optionalText,
    tool_name: optionalText,
    mcp_servers: z
      .array(z.looseObject({ name: z.string(), status: z.string() }))
      .optional()
      .catch(undefined),
    mcp_server_errors: z
      .array(z.looseObject({ name: z.string() }))
      .optional()
      .catch(undefined),
  }),
  z.looseObject({
    type: z.literal("assistant"),
    message: z.looseObject({
      id: z.string(),
      usage: usage.catch(usage.parse({})),
      content: z.unknown().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal("result"),
    subtype: z.string(),
    is_error: z.boolean().catch(false),
    result: optionalText,
    errors: z.array(z.string()).optional().catch(undefined),
    num_turns: z.int().min(0).optional().catch(undefined),
    total_cost_usd: z.number().min(0).optional().catch(undefined),
    usage: usage.optional().catch(undefined),
    permission_denials: z.array(z.looseObject({ tool_name: z.string() })).catch([]),
  }),
]);
type Line = z.infer<typeof anyLine>;

function init(line: Extract<Line, { type: "system" }>): AgentFact {
  return {
    kind: "init",
    conversation: line.session_id,
    model: line.model,
    version: line.claude_code_version,
    server: serverState(line),
  };
}

function serverState({ mcp_servers, mcp_server_errors }: Extract<Line, { type: "system" }>): ServerState {
  if (mcp_server_errors?.some(({ name }) => name === SERVER_NAME)) return "failed";
  if (!mcp_servers) return "unknown";
  const ours = mcp_servers.find(({ name }) => name === SERVER_NAME);
  if (!ours) return "missing";
  if (ours.status === "connected") return "connected";
  // A client that does not wait for its servers says so here; what becomes of it is seen later.
  return ours.status === "pending" ? "unknown" : "failed";
}

/** Claude Code's own tools that change files: Edit, Write and NotebookEdit name the file in their input. */
function filesIn(content: unknown): string[] {
  const parsed = toolUses.safeParse(content);
  return (parsed.data ?? []).flatMap((block) =>
    /^(?:Multi)?Edit$|^Write$|^NotebookEdit$/.test(block.name ?? "")
      ? [block.input?.file_path ?? block.input?.notebook_path ?? ""].filter((path) => path !== "")
      : [],
  );
}

const toolUses = z.array(
  z.looseObject({
    name: optionalText,
    input: z
      .looseObject({ file_path: optionalText, notebook_path: optionalText })
      .optional()
      .catch(undefined),
  }),
);

function usageOf(line: z.infer<typeof usage>): Usage {
  return {
    input: line.input_tokens + line.cache_creation_input_tokens + line.cache_read_input_tokens,
    output: line.output_tokens,
  };
}
