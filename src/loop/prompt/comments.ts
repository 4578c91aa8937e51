import { AGENT } from "../../events/actors.ts";
import type { commentsTable } from "../../projections/comments.ts";
import type { Row } from "../../projections/table.ts";
import { question } from "../../read-model/question.ts";
import type { Context } from "./context.ts";
import { sentBackAfter } from "./history.ts";
import type { Entry, Part } from "./part.ts";
import { inLine, quoteAgent, quoteHuman } from "./quote.ts";

type Comment = Row<typeof commentsTable>;

/** Human comments on the task: urgent ones first, then the newest. */
export function commentsPart(context: Context): Part {
  const { sessions, limit } = context;
  const elsewhere = sentBackAfter(
    context,
    sessions.find(({ outcome }) => outcome === "success" || outcome === "partial"),
  );
  const comments = commentsBy(OTHERS, context).filter(({ id }) => id !== elsewhere);
  return {
    name: "comments",
    heading: "Comments by humans",
    why: "what humans wrote on this task",
    entries: comments.map((comment) => {
      const { author, discipline, body } = comment;
      const text = [
        `- ${inLine(author)}, ${whenOf(comment)}`,
        // An agent may have chosen its name.
        ...(discipline === null ? [] : [quoteAgent(`As ${discipline}:`, limit(1 / 32))]),
        quoteHuman(body, limit(1 / 16)),
      ];
      return entryOf(context, comment, text.join("\n"));
    }),
    chronological: true,
    required: false,
  };
}

/**
 * Agents' comments on the task. Their signatures are also their words, so they are inside the
 * quote.
 */
export function agentCommentsPart(context: Context): Part {
  const { limit } = context;
  return {
    name: "agent_comments",
    heading: "Comments by agents",
    why: "what agents wrote on this task",
    entries: commentsBy(AGENTS, context).map((comment) => {
      const { author, discipline, body } = comment;
      const signed = discipline === null ? author : `${author}, as ${discipline}`;
      const text = `- ${whenOf(comment)}\n${quoteAgent(`${signed}: ${body}`, limit(1 / 32))}`;
      return entryOf(context, comment, text);
    }),
    chronological: true,
    required: false,
  };
}

function commentsBy(whom: typeof AGENTS, { readModel, task }: Context): Comment[] {
  return readModel.all(whom, { task: task.id });
}

/** @param is whether the last writer must or must not be an agent */
function writtenBy(is: "=" | "<>") {
  return question<{ task: number }>()((tables, given) =>
    tables
      .selectFrom("comments")
      .selectAll()
      .where("task_id", "=", given("task"))
      .where("actor", is, AGENT)
      .orderBy(({ case: when }) =>
        when("priority").when("critical").then(0).when("high").then(1).when("low").then(3).else(2).end(),
      )
      .orderBy(({ fn }) => fn.coalesce("changed_position", "id"), "desc")
      .limit(500),
  );
}

const AGENTS = writtenBy("=");
const OTHERS = writtenBy("<>");

/** The date of the current words, and their urgency. */
function whenOf({ created, updated, priority }: Comment): string {
  const when = `${(updated ?? created).slice(0, 16)} UTC`;
  return priority === null ? when : `${when}, ${priority} priority`;
}

function entryOf({ sessions }: Context, { id, changed_position }: Comment, text: string): Entry {
  const since = sessions[0]?.started_position ?? 0;
  return {
    text,
    positions: changed_position === null ? [id] : [id, changed_position],
    why:
      (changed_position ?? id) > since ? "written since the last session" : "written before the last session",
  };
}
