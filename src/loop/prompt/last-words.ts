import { deniedWords } from "../../events/types/denied-words.ts";
import { agentsTable } from "../../projections/agents.ts";
import type { Session } from "../../projections/board/tables.ts";
import { parseDenials } from "../../queries/denials.ts";
import type { Context } from "./context.ts";
import { inLine, quoteAgent } from "./quote.ts";

/**
 * The last message of an agent that called no closing verb, and its denied tools; undefined if it
 * called one, or nothing is known.
 */
export function lastWordsOf(
  { readModel }: Pick<Context, "readModel">,
  session: Pick<Session, "id" | "closing" | "inferred">,
  limit: number,
): { readonly text: string; readonly positions: readonly number[] } | undefined {
  if (session.closing !== null && session.inferred === 0) return undefined;
  const agent = readModel.rowsOf({ agents: agentsTable }).agents.get(session.id);
  if (!agent || agent.ended_position === null) return undefined;
  const denied = parseDenials(agent.denied);
  const words = agent.last_words?.trim() ?? "";
  if (denied.length === 0 && words === "") return undefined;
  const text = [
    ...(denied.length === 0 ? [] : [`Its client did not let it use ${inLine(deniedWords(denied))}.`]),
    ...(words === "" ? [] : [`Its last words:\n${quoteAgent(words, limit)}`]),
  ].join("\n");
  return { text, positions: [agent.ended_position] };
}
