import { type Blocker, blockers, type Question, questions } from "../../projections/board/tables.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { quoteAgent } from "./quote.ts";

/**
 * Blockers and questions that no longer hold: without this, a session would go on waiting, since
 * the remaining work of the last report still names them.
 */
export function unblockedPart({ readModel, task, lastDone, limit }: Context): Part {
  const rows = readModel.rowsOf({ blockers, questions });
  const over = { task_id: task.id, state: ["resolved", "dismissed"] } as const;
  const resolved = rows.blockers.where(over).map((blocker) => describeBlocker(blocker, limit(1 / 48)));
  const dismissed = rows.questions
    .where({ task_id: task.id, state: "dismissed" })
    .map((question) => describeQuestion(question, limit(1 / 48)));
  return {
    name: "unblocked",
    heading: "What this task no longer waits for",
    why: "blockers and questions that a human or another task has settled",
    entries: [...resolved, ...dismissed]
      .filter(({ id }) => id > lastDone)
      .sort((a, b) => b.id - a.id)
      .map(({ entry }) => entry),
    chronological: true,
    required: false,
  };
}

interface Dealt {
  readonly id: number;
  readonly entry: Entry;
}

function describeBlocker(blocker: Blocker, limit: number): Dealt {
  const { id, on, detail, acted_at } = blocker;
  const why = whyOver(blocker);
  const text = `- ${why}\n${quoteAgent([on, detail].filter(Boolean).join("\n"), limit)}`;
  return { id, entry: { text, positions: acted_at === null ? [id] : [id, acted_at], why } };
}

function whyOver({ state, contests, depends_on, acted_at }: Blocker): string {
  if (state === "dismissed") return "a human dismissed this blocker";
  if (contests) return `task ${depends_on} was already done or skipped when this was reported`;
  return acted_at === null ? `task ${depends_on} is done or skipped` : "a human resolved this blocker";
}

function describeQuestion({ id, question, acted_at }: Question, limit: number): Dealt {
  const why = "a human dismissed this question; decide by yourself";
  const text = `- ${why}\n${quoteAgent(question, limit)}`;
  return { id, entry: { text, positions: acted_at === null ? [id] : [id, acted_at], why } };
}
