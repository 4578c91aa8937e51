import { type Dialect, objectsIn, writeEvents } from "./dialect.ts";

/** OpenAI's responses: https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses: Dialect = {
  path: /\/responses(?:\?|$)/,
  read: ({ model, tools, input }) => ({
    model: String(model),
    stream: true,
    tools: objectsIn(tools).flatMap((tool) =>
      tool.type === "namespace"
        ? objectsIn(tool.tools).map(({ name }) => `${tool.name}__${name}`)
        : [String(tool.name ?? tool.type)],
    ),
    first: JSON.stringify(objectsIn(input).filter(({ role }) => role === "user")),
  }),
  write(response, { id, model, text, tools, usage }) {
    const output = [
      ...(text === ""
        ? []
        : [
            {
              type: "message",
              id: `msg_${id}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text, annotations: [] }],
            },
          ]),
      ...tools.map(({ name, namespace, input }, index) => ({
        type: "function_call",
        id: `fc_${id}_${index}`,
        call_id: `${id}_${index}`,
        name,
        ...(namespace !== undefined && { namespace }),
        arguments: JSON.stringify(input),
        status: "completed",
      })),
    ];
    const of = { id: `resp_${id}`, object: "response", created_at: 1, model };
    const used = {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    };
    const events = [
      { type: "response.created", response: { ...of, status: "in_progress", output: [] } },
      ...output.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response: { ...of, status: "completed", output, usage: used } },
    ];
    writeEvents(
      response,
      events.map((data, sequence_number) => [data.type, { ...data, sequence_number }] as const),
    );
  },
  error: ({ type, message, more }) => ({ error: { message, type, code: null, param: null, ...more } }),
};
