import { z } from "zod";
import {
  type AgentFact,
  objectIn,
  type Problem,
  problemOf,
  type ReadLine,
  SERVER_NAME,
  type ServerState,
  type Usage,
} from "../core.ts";

/**
 * Parses the stream-json of Claude Code (`claude -p --output-format stream-json --verbose`).
 * Ignores lines of other types and lines that are not JSON.
 */
export function claudeReader(): ReadLine {
  /** The end of the usage limit that was reached, from its `rate_limit_event`. */
  let resetsAt: Date | undefined;
  return ({ text, from, at }) => {
    if (from === "stderr") return [];
    const { data } = anyLine.safeParse(objectIn(text));
    switch (data?.type) {
      case "system":
        return data.subtype === "init" ? [init(data)] : denialIn(data);
      case "rate_limit_event": {
        const { status, resetsAt: seconds } = data.rate_limit_info;
        if (status === "rejected" && seconds !== undefined) resetsAt = new Date(seconds * 1_000);
        return [];
      }
      case "assistant":
        return messageIn(data);
      case "result":
        return resultIn(data, at, resetsAt);
      case undefined:
        return [];
    }
  };
}

function denialIn({ tool_name: tool, tool_use_id: id }: Extract<Line, { type: "system" }>): AgentFact[] {
  return tool === undefined ? [] : [{ kind: "denied", id: id ?? tool, tool }];
}

function messageIn({ message, is_api_error_message }: Extract<Line, { type: "assistant" }>): AgentFact[] {
  const { id, usage, content } = message;
  const said = textIn(content);
  // A model error comes in the shape of a message of the model.
  if (is_api_error_message) return [];
  return [
    { kind: "message", id, usage: usageOf(usage) },
    { kind: "edited", files: filesIn(content) },
    ...(said === "" ? [] : [{ kind: "said" as const, text: said }]),
  ];
}

function resultIn(
  line: Extract<Line, { type: "result" }>,
  at: Date,
  resetsAt: Date | undefined,
): AgentFact[] {
  const { subtype, is_error: isError, api_error_status: status, permission_denials } = line;
  const text = line.result ?? line.errors?.join("; ") ?? "";
  // A failed model comes as a success with an error flag.
  const failed = isError && subtype === "success";
  return [
    ...permission_denials.map(({ tool_name: tool, tool_use_id: id }) => ({
      kind: "denied" as const,
      id: id ?? tool,
      tool,
    })),
    ...(failed
      ? [
          {
            kind: "problem" as const,
            problem: untilReset(problemOf(status ?? undefined, text), resetsAt ?? resetIn(text, at)),
          },
        ]
      : []),
    {
      kind: "result",
      subtype,
      isError,
      text,
      turns: line.num_turns,
      totalCostUsd: line.total_cost_usd,
      usage: line.usage && usageOf(line.usage),
    },
  ];
}

/**
 * A plan's limit that was passed earlier, for example with extra usage, does not tell when an
 * overloaded model will answer again.
 */
function untilReset(problem: Problem, resetsAt: Date | undefined): Problem {
  return problem.kind === "limit" ? { ...problem, resetsAt } : problem;
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
    tool_use_id: optionalText,
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
    is_api_error_message: z.boolean().optional().catch(undefined),
  }),
  z.looseObject({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.looseObject({
      status: z.string(),
      /** In seconds since 1970. */
      resetsAt: z.number().min(0).max(1e11).optional().catch(undefined),
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
    api_error_status: z.int().nullish().catch(undefined),
    permission_denials: z
      .array(z.looseObject({ tool_name: z.string(), tool_use_id: optionalText }))
      .catch([]),
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
  // A client that does not wait for its servers reports `pending`; the final state shows later.
  return ours.status === "pending" ? "unknown" : "failed";
}

/** Claude Code's own tools that change files; their input names the file. */
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

/** The text parts of a message, joined. */
function textIn(content: unknown): string {
  const parsed = texts.safeParse(content);
  return (parsed.data ?? []).flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n");
}

const texts = z.array(z.looseObject({ type: optionalText, text: optionalText }));

function usageOf(line: z.infer<typeof usage>): Usage {
  return {
    cached: line.cache_read_input_tokens,
    input: line.input_tokens + line.cache_creation_input_tokens + line.cache_read_input_tokens,
    output: line.output_tokens,
  };
}

/**
 * The end of a usage limit in Claude Code's words: `resets 1:30am (Asia/Dhaka)`, `resets Feb 4, 8pm
 * (Europe/Budapest)` (anthropics/claude-code issues 54698 and 22603). Undefined for other texts.
 */
function resetIn(text: string, now: Date): Date | undefined {
  const match = /resets (?:([A-Z][a-z]{2}) (\d{1,2}), )?(\d{1,2})(?::(\d{2}))?(am|pm) \(([\w/+-]+)\)/.exec(
    text,
  );
  if (!match) return undefined;
  const [, month, day, hour, minute = "0", half, zone = ""] = match;
  const wall = wallClock(now, zone);
  if (!wall) return undefined;
  const dated = month !== undefined && day !== undefined;
  const target = new Date(wall);
  if (dated) target.setUTCMonth(MONTHS.indexOf(month), Number(day));
  target.setUTCHours((Number(hour) % 12) + (half === "pm" ? 12 : 0), Number(minute), 0, 0);
  if (!dated && target <= wall) target.setUTCDate(target.getUTCDate() + 1);
  // In December it can name a day in January.
  if (dated && wall.getTime() - target.getTime() > HALF_YEAR_MS)
    target.setUTCFullYear(target.getUTCFullYear() + 1);
  return new Date(now.getTime() + target.getTime() - wall.getTime());
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HALF_YEAR_MS = 182 * 86_400_000;

/** The local time of a moment in a time zone, as if it were UTC; undefined for an unknown zone. */
function wallClock(at: Date, timeZone: string): Date | undefined {
  try {
    // The locale that writes dates in ISO 8601 order.
    return new Date(`${at.toLocaleString("sv", { timeZone }).replace(" ", "T")}Z`);
  } catch {
    return undefined;
  }
}
