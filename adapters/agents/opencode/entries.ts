import { z } from "zod";
import { type Entry, entryOf, failed, inputText, type ReadEntries } from "../core.ts";

/** The readable entries in a line of `opencode run --format json`. */
export const opencodeEntries: ReadEntries = (line) => {
  const { data } = anyLine.safeParse(line);
  switch (data?.type) {
    case undefined:
      return undefined;
    case "text":
      return entryOf("said", data.part.text);
    case "reasoning":
      return entryOf("thought", data.part.text);
    case "tool_use":
      return ofTool(data.part);
    case "error":
      return [failed(data.error.data.message || data.error.name)];
    default:
      return [];
  }
};

const text = z.string().catch("");
const words = z.looseObject({ text: z.string() });
const tool = z.looseObject({
  tool: z.string(),
  state: z.looseObject({ status: text, output: text, error: text, input: z.unknown().optional() }),
});
const error = z.looseObject({
  name: text,
  data: z.looseObject({ message: text }).catch({ message: "" }),
});
const of = { sessionID: z.string() };

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal(["step_start", "step_finish"]), ...of }),
  z.looseObject({ type: z.literal("text"), ...of, part: words }),
  z.looseObject({ type: z.literal("reasoning"), ...of, part: words }),
  z.looseObject({ type: z.literal("tool_use"), ...of, part: tool }),
  z.looseObject({ type: z.literal("error"), ...of, error }),
]);

/** One line has a call and its result. */
function ofTool({ tool: name, state }: z.infer<typeof tool>): Entry[] {
  const call: Entry = { kind: "call", tool: name, text: inputText(state.input) };
  if (state.status === "error")
    return [call, { kind: "result", tool: name, text: state.error, isError: true }];
  return [call, ...entryOf("result", state.output, { tool: name })];
}
