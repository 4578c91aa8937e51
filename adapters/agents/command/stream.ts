import { z } from "zod";
import { claudeReader } from "../claude/stream.ts";
import { type AgentFact, modelProblems, objectIn, type ReadLine } from "../core.ts";

/**
 * Parses the output of a program that the loop does not know: JSON lines with a field `signalbox`
 * (docs/clients.md#another-program), or Claude Code's stream-json. Ignores other lines.
 */
export function commandReader(): ReadLine {
  const readClaude = claudeReader();
  let count = 0;
  return (line) => {
    if (line.from === "stderr") return [];
    const parsed = ownLine.safeParse(objectIn(line.text));
    if (!parsed.success) return readClaude(line);
    count += 1;
    return factsIn(parsed.data, `line ${count}`);
  };
}

/** One line of each kind, for docs/clients.md, with what it means. */
export const ownLines: readonly { readonly line: string; readonly means: string }[] = [
  { line: '{"signalbox":"agent","model":"large","version":"1.2"}', means: "what the agent runs on" },
  {
    line: '{"signalbox":"usage","input_tokens":100,"cached_input_tokens":40,"output_tokens":20,"cost_usd":0.01}',
    means: "tokens and cost; several lines add up",
  },
  { line: '{"signalbox":"denied","tool":"shell"}', means: "a tool that it was not allowed to use" },
  {
    line: '{"signalbox":"said","text":"I may not write the file."}',
    means: "its last words; a later line replaces an earlier one",
  },
  {
    line: '{"signalbox":"problem","kind":"limit","text":"Used up.","resets_at":"2026-11-22T13:00:00Z"}',
    means: `why its model gave no answer; \`kind\` is ${modelProblems.join(", ")}`,
  },
];

const tokens = z.int().min(0);

const ownLine = z.discriminatedUnion("signalbox", [
  z.object({
    signalbox: z.literal("agent"),
    model: z.string().optional(),
    version: z.string().optional(),
    conversation: z.string().optional(),
  }),
  z.object({
    signalbox: z.literal("usage"),
    input_tokens: tokens,
    cached_input_tokens: tokens.default(0),
    output_tokens: tokens,
    cost_usd: z.number().min(0).optional(),
  }),
  z.object({ signalbox: z.literal("denied"), tool: z.string().min(1) }),
  z.object({ signalbox: z.literal("said"), text: z.string() }),
  z.object({
    signalbox: z.literal("problem"),
    kind: z.enum(modelProblems),
    text: z.string(),
    resets_at: z.iso.datetime({ offset: true }).optional(),
  }),
]);

function factsIn(line: z.infer<typeof ownLine>, id: string): readonly AgentFact[] {
  switch (line.signalbox) {
    case "agent":
      return [{ ...line, kind: "init", server: "unknown" }];
    case "usage": {
      const { input_tokens: input, cached_input_tokens: cached, output_tokens: output, cost_usd } = line;
      return [{ kind: "message", id, usage: { input, cached, output }, costUsd: cost_usd }];
    }
    case "denied":
      return [{ kind: "denied", id, tool: line.tool }];
    case "said":
      return [{ kind: "said", text: line.text }];
    case "problem": {
      const resetsAt = line.resets_at === undefined ? undefined : new Date(line.resets_at);
      return [{ kind: "problem", problem: { kind: line.kind, text: line.text, resetsAt } }];
    }
  }
}
