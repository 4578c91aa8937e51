import type { commentsTable } from "../../projections/comments.ts";
import type { Row } from "../../projections/table.ts";
import type { Context } from "./context.ts";
import { sentBackAfter } from "./history.ts";
import type { Part } from "./part.ts";
import { inLine, quoteHuman } from "./quote.ts";

/** What humans wrote on the task, the newest being the most relevant. */
export function commentsPart(context: Context): Part {
  const { readModel, task, sessions, limit } = context;
  const since = sessions[0]?.started_position ?? 0;
  const elsewhere = sentBackAfter(
    context,
    sessions.find(({ outcome }) => outcome === "success" || outcome === "partial"),
  );
  const found = readModel
    .prepared<[number], Row<typeof commentsTable>>(
      "SELECT * FROM comments WHERE task_id = ? ORDER BY id DESC LIMIT 500",
    )
    .all(task.id)
    .filter(({ id }) => id !== elsewhere);
  return {
    name: "comments",
    heading: "Comments by humans",
    why: "what humans wrote on this task",
    entries: found.map(({ id, author, body, created }) => ({
      text: `- ${inLine(author)}, ${created.slice(0, 16)} UTC\n${quoteHuman(body, limit(1 / 16))}`,
      positions: [id],
      why: id > since ? "written since the last session" : "written before the last session",
    })),
    chronological: true,
    required: false,
  };
}
