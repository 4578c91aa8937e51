import { z } from "zod";
import { asText, counted, type Entry, entryOf, failed, inputText, type ReadEntries } from "../core.ts";

/** The readable entries in a line of `codex exec --json`. */
export const codexEntries: ReadEntries = (line) => {
  const { data } = anyLine.safeParse(line);
  switch (data?.type) {
    case undefined:
      return undefined;
    case "thread.started":
      return entryOf("note", `Codex, conversation ${data.thread_id}`);
    case "item.started":
      return begun(data.item);
    case "item.completed":
      return completed(data.item);
    case "turn.completed": {
      const { input_tokens, output_tokens } = data.usage;
      return entryOf(
        "note",
        `turn completed · ${counted(input_tokens, "token")} in, ${output_tokens.toLocaleString("en")} out`,
      );
    }
    case "turn.failed":
      return [failed(data.error.message)];
    case "error":
      return [failed(data.message)];
    default:
      return [];
  }
};

const text = z.string().catch("");
const count = z.number().catch(0);
const item = z.looseObject({
  type: z.string(),
  text,
  command: text,
  aggregated_output: text,
  exit_code: z.number().nullish().catch(undefined),
  status: text,
  server: text,
  tool: text,
  query: text,
  message: text,
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: text }).nullish().catch(undefined),
  changes: z.array(z.looseObject({ path: z.string(), kind: text })).catch([]),
  items: z.array(z.looseObject({ text, completed: z.boolean().catch(false) })).catch([]),
});
type Item = z.infer<typeof item>;

const anyLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.looseObject({ type: z.literal("turn.started") }),
  z.looseObject({ type: z.literal(["item.started", "item.updated", "item.completed"]), item }),
  z.looseObject({
    type: z.literal("turn.completed"),
    usage: z.looseObject({ input_tokens: count, output_tokens: count }),
  }),
  z.looseObject({ type: z.literal("turn.failed"), error: z.looseObject({ message: z.string() }) }),
  z.looseObject({ type: z.literal("error"), message: z.string() }),
]);

function begun(one: Item): Entry[] {
  if (one.type === "command_execution") return [{ kind: "call", tool: "shell", text: one.command }];
  if (one.type !== "mcp_tool_call") return [];
  return [{ kind: "call", tool: toolOf(one), text: inputText(one.arguments) }];
}

function completed(one: Item): Entry[] {
  const isError = one.status === "failed" || one.status === "declined";
  switch (one.type) {
    case "agent_message":
      return entryOf("said", one.text);
    case "reasoning":
      return entryOf("thought", one.text);
    case "command_execution": {
      const code = one.exit_code == null ? one.status : `exit code ${one.exit_code}`;
      return [{ kind: "result", tool: "shell", text: `${one.aggregated_output}\n${code}`.trim(), isError }];
    }
    case "mcp_tool_call": {
      const told = one.error ? one.error.message : asText(one.result);
      return [{ kind: "result", tool: toolOf(one), text: told, isError: isError || one.error != null }];
    }
    case "file_change": {
      const changes = one.changes.map(({ path, kind }) => `${kind} ${path}`.trim());
      return [{ kind: "result", tool: "apply_patch", text: changes.join("\n"), isError }];
    }
    case "web_search":
      return [{ kind: "call", tool: "web_search", text: one.query }];
    case "todo_list":
      return entryOf(
        "note",
        one.items.map(({ text: todo, completed: isDone }) => `${isDone ? "✓" : "·"} ${todo}`).join("\n"),
      );
    default:
      return one.type === "error" ? [failed(one.message)] : entryOf("note", one.text || one.type);
  }
}

const toolOf = ({ server, tool }: Item) => `mcp__${server}__${tool}`;
