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

/**
 * Parses the lines of `opencode run --format json`. There is no end line: the last step without a
 * tool call is the end.
 */
export function opencodeReader(): ReadLine {
  let begun = false;
  let rejected = false;
  return (line) => {
    if (line.from === "stderr") return [];
    const { data } = anyLine.safeParse(objectIn(line.text));
    if (data === undefined) return [];
    const init: AgentFact[] = begun
      ? []
      : [{ kind: "init", conversation: data.sessionID, server: "unknown" }];
    begun = true;
    switch (data.type) {
      case "text":
        return [...init, { kind: "said", text: data.part.text }];
      case "tool_use": {
        const { callID, state } = data.part;
        const tool = deniedTool(data.part);
        rejected ||= tool !== undefined && state.status === "error";
        return [
          ...init,
          ...(tool === undefined ? [] : [{ kind: "denied" as const, id: callID, tool: nameOf(tool) }]),
          ...fileFacts(data.part),
        ];
      }
      case "step_finish":
        return [...init, ...stepFacts(data.part, rejected)];
      case "error":
        return [...init, ...failure(data.error, line)];
      default:
        return init;
    }
  };
}

const count = z.number().min(0).catch(0);
const text = z.string().catch("");

const step = z.looseObject({
  id: z.string(),
  reason: text,
  cost: count,
  tokens: z.looseObject({
    input: count,
    output: count,
    reasoning: count,
    cache: z.looseObject({ read: count, write: count }).catch({ read: 0, write: 0 }),
  }),
});

const toolPart = z.looseObject({
  tool: z.string(),
  callID: z.string(),
  state: z.looseObject({
    status: text,
    error: text,
    input: z
      .looseObject({ tool: text, error: text, filePath: text })
      .catch({ tool: "", error: "", filePath: "" }),
  }),
});

const failed = z.looseObject({
  name: text,
  data: z
    .looseObject({
      message: text,
      statusCode: z.int().optional().catch(undefined),
      responseHeaders: z.record(z.string(), z.string()).catch({}),
      responseBody: text,
    })
    .catch({ message: "", responseHeaders: {}, responseBody: "" }),
});

const of = { sessionID: z.string() };
const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("step_start"), ...of }),
  z.looseObject({ type: z.literal("text"), ...of, part: z.looseObject({ text: z.string() }) }),
  z.looseObject({ type: z.literal("tool_use"), ...of, part: toolPart }),
  z.looseObject({ type: z.literal("step_finish"), ...of, part: step }),
  z.looseObject({ type: z.literal("error"), ...of, error: failed }),
]);

/** A rejected tool, or one that is hidden from the model and was called anyway. */
function deniedTool({ tool, state }: z.infer<typeof toolPart>): string | undefined {
  if (/rejected permission|prevents you from using/.test(state.error)) return tool;
  const { tool: called, error } = state.input;
  return tool === "invalid" && /unavailable tool/.test(error) && GUARDED.has(called) ? called : undefined;
}

/** The tools that permissions can remove. */
const GUARDED: ReadonlySet<string> = new Set(["bash", "edit", "write", "patch", "apply_patch", "multiedit"]);

function nameOf(tool: string): string {
  const prefix = `${SERVER_NAME}_`;
  return tool.startsWith(prefix) ? ourTool(tool.slice(prefix.length)) : tool;
}

function fileFacts({ tool, state }: z.infer<typeof toolPart>): AgentFact[] {
  const path = state.input.filePath;
  if (state.status !== "completed" || path === "" || !/^(?:write|edit|multiedit)$/.test(tool)) return [];
  return [{ kind: "edited", files: [path] }];
}

function stepFacts({ id, reason, cost, tokens }: z.infer<typeof step>, rejected: boolean): AgentFact[] {
  const { input, output, reasoning, cache } = tokens;
  const usage = { input: input + cache.read + cache.write, cached: cache.read, output: output + reasoning };
  // It reports 0 for a model with an unknown price.
  const message: AgentFact = { kind: "message", id, usage, ...(cost > 0 && { costUsd: cost }) };
  if (rejected) return [message, { kind: "result", subtype: "permission_rejected", isError: true, text: "" }];
  if (reason === "tool-calls") return [message];
  return [
    message,
    { kind: "result", subtype: reason === "stop" ? "success" : reason, isError: false, text: "" },
  ];
}

function failure({ name, data }: z.infer<typeof failed>, { at }: OutputLine): AgentFact[] {
  const said = data.message || name;
  const wait = data.responseHeaders["retry-after"];
  // opencode passes on OpenAI's message about an exhausted plan.
  const [, seconds] = /"resets_at":\s*(\d{9,11})\b/.exec(data.responseBody) ?? [];
  const resetsAt =
    seconds !== undefined
      ? new Date(Number(seconds) * 1_000)
      : wait !== undefined && /^\d+$/.test(wait)
        ? timeAfter(at, `${wait}s`)
        : undefined;
  const text = name === "ProviderModelNotFoundError" ? `Model not found: ${said}` : said;
  return [
    { kind: "problem", problem: problemOf(data.statusCode, text, resetsAt) },
    { kind: "result", subtype: "error", isError: true, text },
  ];
}
