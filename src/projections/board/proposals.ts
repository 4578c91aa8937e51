import { LINE_LIMIT, type TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { isBlank } from "../../lib/blank.ts";
import { shorten } from "../../lib/shorten.ts";
import { toSqlTime } from "../../lib/time.ts";
import { digestOf } from "../same-words.ts";
import { toFlag } from "../table.ts";
import { count } from "./plan-counts.ts";
import { changeStatus } from "./status.ts";
import type { StatusRule } from "./status-rules.ts";
import type { Board, Suggestion, Task } from "./tables.ts";
import { whyFinal } from "./taking-back.ts";
import { addTask, nextTaskId } from "./task-rows.ts";

/** A suggestion becomes a draft that a human decides on (docs/rules.md, Settlement, step 9). */
export function createProposedTask(board: Board, event: Event, suggestion: Suggestion, from: Task): void {
  const id = nextTaskId(board);
  const named = suggestion.feature === null ? undefined : board.featureNames.get(suggestion.feature)?.name;
  addTask(
    board,
    event,
    {
      id,
      ...proposedWords(suggestion),
      status: "draft",
      priority: "medium",
      feature: named ?? from.feature,
      discipline: from.discipline,
      origin: "agent",
      accept: "auto",
      agent_words: 1,
      suggestion: suggestion.id,
    },
    { rule: "settlement 9", causes: [suggestion.id], session: suggestion.session_id },
  );
  board.suggestions.update(suggestion.id, {
    state: "proposed",
    proposed_task: id,
    unknown_feature: toFlag(suggestion.feature !== null && named === undefined),
  });
}

/** An edit of a task's words, which waits for a human. */
export function suggestEdit(board: Board, event: Event<"task.edit_suggested">): void {
  const { task, title, description } = event.payload;
  board.suggestions.insert({
    ...{ id: event.position, task_id: task, session_id: "", what: title, kind: "edit", why: description },
    ...{ feature: null, unknown_feature: 0, late: 0, state: "proposed", proposed_task: task, confirmed: 0 },
    created: toSqlTime(event.recordedAt),
  });
}

/** A draft of a plan, which a human decides on with the others of it (docs/decisions/0077-plans.md). */
export function proposeInPlan(board: Board, event: Event<"task.created">, plan: number): number {
  const { task, title, description, feature } = event.payload;
  board.suggestions.insert({
    ...{ digest: proposalDigest(feature, title), id: event.position, task_id: task },
    ...{ session_id: board.plans.get(plan)?.session_id ?? "", kind: "plan", plan },
    ...{ what: title, why: description, feature: null, unknown_feature: 0, late: 0 },
    ...{ state: "proposed", proposed_task: task, confirmed: 0, created: toSqlTime(event.recordedAt) },
  });
  count(board, plan, { drafts: 1, tasks: 1 });
  return event.position;
}

/** Equal for proposals of one feature whose titles say the same in the same words. */
export function proposalDigest(feature: string, title: string): string {
  return digestOf(`${feature}: ${title}`);
}

/** The title and the description of the draft made from a suggestion. */
export function proposedWords({ what, why }: Pick<Suggestion, "what" | "why">): {
  readonly title: string;
  readonly description: string;
} {
  const { title, rest } = splitTitle(what);
  return { title, description: [rest, why].filter((part) => part !== "").join("\n\n") };
}

/** True for an agent's proposed draft that no human has decided on. */
export function isUndecidedProposal(
  board: Pick<Board, "suggestions">,
  { status, suggestion }: Task,
): boolean {
  return status === "draft" && suggestion !== null && board.suggestions.get(suggestion)?.state === "proposed";
}

/**
 * A human approved or rejected a proposal, or decided it indirectly by changing its draft: setting
 * a status, starting a session by force, or deleting it. A proposal is undecided exactly while its
 * task is a draft.
 */
export function decideProposal(
  board: Board,
  event: Event,
  suggestionId: number,
  state: "approved" | "rejected",
): void {
  const suggestion = board.suggestions.get(suggestionId);
  if (suggestion?.state !== "proposed") return;
  board.suggestions.update(suggestionId, {
    state,
    acted_at: event.position,
    acted_in: event.causation ?? null,
  });
  if (suggestion.plan !== null) count(board, suggestion.plan, { drafts: -1 });
}

/** The draft gets another status, which decides its proposal (docs/rules.md, Humans). */
export function decideByStatus(
  board: Board,
  event: Event,
  { status, suggestion }: Task,
  to: TaskStatus,
): void {
  if (status !== "draft" || to === "draft" || suggestion === null) return;
  decideProposal(board, event, suggestion, to === "skipped" ? "rejected" : "approved");
}

/** Approval makes the draft pending, rejection skips it. @param rule where not a human decided */
export function moveDecidedDraft(
  board: Board,
  event: Event,
  taskId: number,
  state: "approved" | "rejected",
  rule: StatusRule = `humans: ${state}`,
): void {
  if (board.tasks.get(taskId)?.status !== "draft") return;
  changeStatus(board, event, taskId, state === "approved" ? "pending" : "skipped", { rule });
}

/**
 * A human undid the decision: the task is a draft again. A deleted or started draft stays decided.
 */
export function reopenProposal(board: Board, event: Event, suggestionId: number): void {
  const suggestion = board.suggestions.get(suggestionId);
  const task = board.tasks.get(suggestion?.proposed_task ?? 0);
  if (!task || suggestion?.acted_at == null || whyFinal(task, suggestion.acted_at)) return;
  board.suggestions.update(suggestionId, { state: "proposed", acted_at: null, acted_in: null });
  if (suggestion.plan !== null) count(board, suggestion.plan, { drafts: 1 });
  changeStatus(board, event, task.id, "draft", {
    rule: "humans: undo",
    causes: [suggestionId],
  });
}

/**
 * The first non-blank line becomes the title, the rest the description. A line longer than a title
 * is cut for the title, and kept whole in the description.
 */
function splitTitle(what: string): { title: string; rest: string } {
  const lines = what.split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => !isBlank(line));
  const line = (lines[first] ?? lines.join(" ")).trim();
  const title = shorten(line, LINE_LIMIT);
  return {
    title,
    rest: lines
      .filter((_, index) => index !== first || title !== line)
      .join("\n")
      .replace(/^(?:[^\S\n]*\n)+|\s+$/g, ""),
  };
}
