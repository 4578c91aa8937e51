import { z } from "zod";
import {
  asText,
  counted,
  dollars,
  type Entry,
  entryOf,
  failed,
  inputText,
  type ReadEntries,
  resultText,
} from "../core.ts";

/** The readable entries in a line of Claude Code's stream-json. */
export const claudeEntries: ReadEntries = (line) => {
  const { data } = anyLine.safeParse(line);
  switch (data?.type) {
    case undefined:
      return undefined;
    case "system":
      return ofSystem(data);
    case "assistant":
      return data.is_api_error_message
        ? [failed(resultText(data.message.content))]
        : blocksOf(data.message.content).flatMap(ofBlock);
    case "user":
      return blocksOf(data.message.content).flatMap(ofAnswer);
    case "rate_limit_event":
      return data.rate_limit_info.status === "rejected" ? [failed("The usage limit is reached.")] : [];
    case "result":
      return [ofResult(data)];
  }
};

const text = z.string().optional().catch(undefined);
const message = z.looseObject({ content: z.unknown().optional() });
const system = z.looseObject({
  type: z.literal("system"),
  subtype: z.string(),
  model: text,
  claude_code_version: text,
  tool_name: text,
  message: text,
});
const result = z.looseObject({
  type: z.literal("result"),
  subtype: z.string(),
  is_error: z.boolean().catch(false),
  result: text,
  errors: z.array(z.string()).optional().catch(undefined),
  num_turns: z.number().optional().catch(undefined),
  total_cost_usd: z.number().optional().catch(undefined),
});
const anyLine = z.discriminatedUnion("type", [
  system,
  z.looseObject({
    type: z.literal("assistant"),
    message,
    is_api_error_message: z.boolean().optional().catch(undefined),
  }),
  z.looseObject({ type: z.literal("user"), message }),
  z.looseObject({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.looseObject({ status: z.string() }),
  }),
  result,
]);

const block = z.looseObject({
  type: z.string(),
  text,
  thinking: text,
  name: text,
  input: z.unknown().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional().catch(undefined),
});
type Block = z.infer<typeof block>;

/** A message's content: a text alone, or blocks. */
function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return z.array(block).catch([]).parse(content);
}

function ofSystem(line: z.infer<typeof system>): Entry[] {
  const { subtype, claude_code_version: version, model, tool_name: tool } = line;
  if (subtype === "init")
    return entryOf("note", ["Claude Code", version, model && `with ${model}`].filter(Boolean).join(" "));
  if (subtype === "permission_denied") return [failed(line.message ?? "not allowed", tool)];
  return entryOf("note", line.message ?? subtype);
}

function ofBlock(one: Block): Entry[] {
  switch (one.type) {
    case "text":
      return entryOf("said", one.text ?? "");
    case "thinking":
      return entryOf("thought", one.thinking ?? "");
    case "tool_use":
    case "server_tool_use":
      return [{ kind: "call", tool: one.name, text: inputText(one.input) }];
    default:
      return entryOf("result", resultText(one.content));
  }
}

function ofAnswer(one: Block): Entry[] {
  if (one.type === "text") return entryOf("note", one.text ?? "");
  return [{ kind: "result", text: resultText(one.content), isError: one.is_error }];
}

function ofResult({ subtype, is_error, ...line }: z.infer<typeof result>): Entry {
  const isError = is_error || subtype !== "success";
  // The text of a success is the agent's last message again.
  const why = isError ? (line.errors?.join("; ") ?? asText(line.result)) : "";
  const turns = line.num_turns === undefined ? "" : counted(line.num_turns, "turn");
  const cost = line.total_cost_usd === undefined ? "" : dollars(Math.round(line.total_cost_usd * 1_000_000));
  const told = [subtype, why, turns, cost].filter((part) => part !== "").join(" · ");
  return { kind: "note", text: told, ...(isError && { isError }) };
}
