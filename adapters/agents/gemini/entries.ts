import { z } from "zod";
import { counted, entryOf, failed, inputText, type ReadEntries } from "../core.ts";

/** The readable entries in a line of `gemini --output-format stream-json`. */
export const geminiEntries: ReadEntries = (line) => {
  const { data } = anyLine.safeParse(line);
  switch (data?.type) {
    case undefined:
      return undefined;
    case "init":
      return entryOf("note", `Gemini CLI${data.model === "" ? "" : ` with ${data.model}`}`);
    case "message":
      // A piece may be only a blank between two words.
      if (data.role !== "assistant") return entryOf("note", data.content);
      return data.content === "" ? [] : [{ kind: "said", text: data.content, continues: data.delta }];
    case "tool_use":
      return [{ kind: "call", tool: data.tool_name, text: inputText(data.parameters) }];
    case "tool_result": {
      const { output, error, status } = data;
      return [{ kind: "result", text: error?.message || output, isError: status !== "success" }];
    }
    case "error":
      return [failed(data.message)];
    case "result": {
      const { status, error, stats } = data;
      const used =
        stats &&
        `${counted(stats.input_tokens, "token")} in, ${stats.output_tokens.toLocaleString("en")} out`;
      const told = [status, error?.message, used].filter(Boolean).join(" · ");
      return [{ kind: "note", text: told, isError: status !== "success" }];
    }
  }
};

const text = z.string().catch("");
const count = z.number().catch(0);
const failure = z.looseObject({ message: text }).optional().catch(undefined);

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("init"), session_id: z.string(), model: text }),
  z.looseObject({
    type: z.literal("message"),
    role: z.string(),
    content: z.string(),
    delta: z.boolean().optional().catch(undefined),
  }),
  z.looseObject({
    type: z.literal("tool_use"),
    tool_name: z.string(),
    tool_id: z.string(),
    parameters: z.unknown().optional(),
  }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_id: z.string(),
    status: text,
    output: text,
    error: failure,
  }),
  z.looseObject({ type: z.literal("error"), severity: z.string(), message: z.string() }),
  z.looseObject({
    type: z.literal("result"),
    status: z.string(),
    error: failure,
    stats: z.looseObject({ input_tokens: count, output_tokens: count }).optional().catch(undefined),
  }),
]);
