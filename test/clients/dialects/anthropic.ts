import { type Dialect, objectsIn, writeEvents, writeJson } from "./dialect.ts";

/** Anthropic's messages: https://docs.claude.com/en/api/messages-streaming */
export const anthropic: Dialect = {
  path: /\/v1\/messages(?:\?|$)/,
  read: ({ model, stream, tools, messages }) => ({
    model: String(model),
    stream: stream === true,
    tools: objectsIn(tools).map(({ name }) => String(name)),
    first: JSON.stringify(objectsIn(messages)[0]),
  }),
  write(response, { id, model, stream, text, tools, usage }) {
    const content = [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...tools.map(({ name, input }, index) => ({ type: "tool_use", id: `${id}_${index}`, name, input })),
    ];
    const stop_reason = tools.length > 0 ? "tool_use" : "end_turn";
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
    const input = { input_tokens: usage.input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    if (!stream) {
      writeJson(response, {
        ...message,
        content,
        stop_reason,
        usage: { ...input, output_tokens: usage.output },
      });
      return;
    }
    writeEvents(response, [
      event({
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
      }),
      ...content.flatMap((block, index) => [
        event({ type: "content_block_start", index, content_block: { ...block, ...emptied(block) } }),
        event({ type: "content_block_delta", index, delta: deltaOf(block) }),
        event({ type: "content_block_stop", index }),
      ]),
      event({
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event({ type: "message_stop" }),
    ]);
  },
  error: ({ type, message }) => ({ type: "error", error: { type, message } }),
};

type Block = { readonly type: string; readonly text?: string; readonly input?: unknown };

function emptied(block: Block): object {
  return "text" in block ? { text: "" } : { input: {} };
}

function deltaOf(block: Block): object {
  return "text" in block
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
}

function event(
  data: { readonly type: string } & Readonly<Record<string, unknown>>,
): readonly [string, unknown] {
  return [data.type, data];
}
