import { type Dialect, objectsIn, writeEvents, writeJson } from "./dialect.ts";

/** Gemini's generateContent: https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  path: /:(?:stream)?generateContent/i,
  read: ({ tools, contents }) => ({
    model: "scripted",
    stream: true,
    tools: objectsIn(tools).flatMap(({ functionDeclarations }) =>
      objectsIn(functionDeclarations).map(({ name }) => String(name)),
    ),
    first: JSON.stringify(objectsIn(contents).filter(({ role }) => role === "user")),
  }),
  write(response, { id, text, tools, usage }) {
    const parts = [
      ...(text === "" ? [] : [{ text }]),
      ...tools.map(({ name, input }, index) => ({
        functionCall: { name, args: input, id: `${id}_${index}` },
      })),
    ];
    const answer = {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: "scripted",
      responseId: id,
    };
    if (/stream/.test(response.req.url ?? "")) writeEvents(response, [[null, answer]]);
    else writeJson(response, answer);
  },
  error: ({ status, type, message, details }) => ({
    error: { code: status, message, status: type, ...(details && { details }) },
  }),
};
