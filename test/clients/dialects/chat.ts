import { type Dialect, objectsIn, writeEvents, writeJson } from "./dialect.ts";

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat */
export const chat: Dialect = {
  path: /\/chat\/completions/,
  read: ({ model, stream, tools, messages }) => ({
    model: String(model),
    stream: stream === true,
    tools: objectsIn(tools).map((tool) => String(objectsIn([tool.function])[0]?.name)),
    first: JSON.stringify(objectsIn(messages).find(({ role }) => role === "user")),
  }),
  write(response, { id, model, stream, text, tools, usage }) {
    const content = text === "" ? null : text;
    const calls = tools.map(({ name, input }, index) => ({
      index,
      id: `${id}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    const finish_reason = tools.length > 0 ? "tool_calls" : "stop";
    const used = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    const of = { id, created: 1, model };
    if (!stream) {
      const message = { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
      writeJson(response, {
        ...of,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage: used,
      });
      return;
    }
    const chunk = (delta: object, reason: string | null = null, more: object = {}) =>
      [
        null,
        {
          ...of,
          object: "chat.completion.chunk",
          choices: [{ index: 0, delta, finish_reason: reason }],
          ...more,
        },
      ] as const;
    writeEvents(response, [
      chunk({ role: "assistant", content: text }),
      ...(calls.length > 0 ? [chunk({ tool_calls: calls })] : []),
      chunk({}, finish_reason, { usage: used }),
      [null, "[DONE]"],
    ]);
  },
  error: ({ type, message, more }) => ({ error: { message, type, code: null, param: null, ...more } }),
};
