import { toFlag } from "../table.ts";
import { blocksWork } from "./blocks-work.ts";
import { type ItemKind, URGENCY } from "./inbox-tables.ts";
import { isWaiting } from "./merges.ts";
import { isUndecidedProposal } from "./proposals.ts";
import { isStalled } from "./stalls.ts";
import {
  type Blocker,
  type Board,
  boardTables,
  type Flag,
  type Gate,
  type Question,
  type Task,
} from "./tables.ts";
import { type ChangedRows, watchedRows } from "./watched-rows.ts";

/**
 * A board that tracks changed rows, to keep `inbox_items` up to date: reducers change rows freely,
 * and afterwards `keepItems` re-evaluates the items of the changed rows. The only place that
 * decides what waits for a human.
 */
export interface WatchedBoard {
  readonly board: Board;
  /** Call before each event: discards the changes of a reducer that threw. */
  begin(): void;
  /** Call after each event. */
  keepItems(): void;
}

export function watchBoard(board: Board): WatchedBoard {
  const changes: Changes = {
    tasks: new Map(),
    questions: new Map(),
    blockers: new Map(),
    suggestions: new Map(),
    gates: new Map(),
    flags: new Map(),
    merges: new Map(),
    failedSetups: new Map(),
    plans: new Map(),
  };
  const all = Object.values(changes);
  return {
    board: {
      ...board,
      tasks: watchedRows(boardTables.tasks, board.tasks, TASK_COLUMNS, changes.tasks),
      questions: watchedRows(boardTables.questions, board.questions, ["state"], changes.questions),
      blockers: watchedRows(boardTables.blockers, board.blockers, ["state", "contests"], changes.blockers),
      suggestions: watchedRows(boardTables.suggestions, board.suggestions, ["state"], changes.suggestions),
      gates: watchedRows(boardTables.gates, board.gates, ["state", "approval"], changes.gates),
      flags: watchedRows(boardTables.flags, board.flags, ["acted_at"], changes.flags),
      merges: watchedRows(boardTables.merges, board.merges, ["state", "position"], changes.merges),
      failedSetups: watchedRows(boardTables.failedSetups, board.failedSetups, [], changes.failedSetups),
      plans: watchedRows(boardTables.plans, board.plans, ["state"], changes.plans),
    },
    begin() {
      for (const rows of all) if (rows.size > 0) rows.clear();
    },
    keepItems() {
      if (all.some(({ size }) => size > 0)) keepItems(board, changes);
    },
  };
}

const TASK_COLUMNS = ["status", "last_start", "awaiting_acceptance", "held_at", "stalled_at"] as const;
type Watched =
  | "tasks"
  | "questions"
  | "blockers"
  | "suggestions"
  | "gates"
  | "flags"
  | "merges"
  | "failedSetups"
  | "plans";
type Changes = { readonly [Name in Watched]: ChangedRows<(typeof boardTables)[Name]> };

function keepItems(board: Board, changes: Changes): void {
  const put = (kind: ItemKind, id: number, task: number | null, waits: boolean) =>
    putItem(board, { kind, id, task_id: task }, waits);
  for (const { key, before } of changes.questions.values()) {
    const row = board.questions.get(...key);
    if (row && waitsForAnswer(before) !== waitsForAnswer(row))
      put("question", row.id, row.task_id, waitsForAnswer(row) && isThere(board, row.task_id));
  }
  for (const { key, before } of changes.blockers.values()) {
    const row = board.blockers.get(...key);
    if (!row) continue;
    const isOpen = row.state === "open";
    if (isOpen !== (before?.state === "open"))
      put("blocker", row.id, row.task_id, isOpen && isThere(board, row.task_id));
    if (row.contests || before?.contests) put("contest", row.id, row.task_id, isContest(board, row));
  }
  for (const { key } of changes.suggestions.values()) {
    const row = board.suggestions.get(...key);
    // What a plan proposes is one item, the plan.
    if (row?.proposed_task != null && row.plan === null)
      put(
        "proposal",
        row.id,
        row.proposed_task,
        row.state === "proposed" && isThere(board, row.proposed_task),
      );
  }
  for (const { key } of changes.flags.values()) {
    const row = board.flags.get(...key);
    if (row) put("flag", row.id, row.task_id, isShownFlag(board, row));
  }
  for (const { key, before } of changes.gates.values()) {
    const row = board.gates.get(...key);
    if (before?.state === "escalated") put("gate", before.last_position ?? 0, before.task_id, false);
    if (row?.state === "escalated") put("gate", row.last_position ?? 0, row.task_id, true);
    if (row?.approval !== before?.approval) putApprovals(board, row ?? before);
  }
  for (const { key, before } of changes.merges.values()) {
    const row = board.merges.get(...key);
    if (before && isWaiting(before)) put("merge", before.position, before.task_id, false);
    if (row && isWaiting(row)) put("merge", row.position, row.task_id, isThere(board, row.task_id));
  }
  for (const { key, before } of changes.failedSetups.values()) {
    const row = board.failedSetups.get(...key);
    if (before) put("setup", before.position, before.task_id, false);
    if (row) put("setup", row.position, row.task_id, isThere(board, row.task_id));
  }
  for (const { key } of changes.plans.values()) {
    const row = board.plans.get(...key);
    if (row) put("plan", row.begun, null, row.state === "proposed");
  }
  for (const { key, before } of changes.tasks.values()) {
    const row = board.tasks.get(...key);
    if (before && row) keepItemsOfTask(board, before, row);
    else if (before) dropItemsOfTask(board, before.id);
  }
}

/**
 * Items that follow from the task's status; items that follow from other rows were evaluated with
 * those rows.
 */
function keepItemsOfTask(board: Board, before: Task, task: Task): void {
  const { id } = task;
  if (awaitsAcceptance(before))
    putItem(board, { kind: "acceptance", id: before.status_since, task_id: id }, false);
  if (awaitsAcceptance(task))
    putItem(board, { kind: "acceptance", id: task.status_since, task_id: id }, true);
  if (isStalled(before)) putItem(board, { kind: "stall", id: before.stalled_at, task_id: id }, false);
  if (isStalled(task)) putItem(board, { kind: "stall", id: task.stalled_at, task_id: id }, true);
  if (isHeld(before)) putItem(board, { kind: "hold", id: before.held_at, task_id: id }, false);
  if (isHeld(task)) putItem(board, { kind: "hold", id: task.held_at, task_id: id }, true);

  const hasStarted = task.last_start !== before.last_start;
  const isEnded = isOver(task) && before.status !== task.status;
  // While a session runs, its task has no contests, and its flags stay until the session's end.
  if ((hasStarted && before.last_start > 0) || (isEnded && before.open_session === null)) {
    for (const item of board.inboxItems.where({ task_id: id, kind: ["contest", "flag"] }))
      putItem(board, item, stillWaits(board, item));
  }
  if (hasStarted || (isOver(before) && before.status !== task.status)) showLastSession(board, task);
  if (before.status !== task.status)
    for (const item of board.inboxItems.where({ task_id: id })) putItem(board, item, true);
  if (before.status === "draft" || task.status === "draft")
    for (const gate of board.gates.where({ task_id: id })) putApprovals(board, gate);
  if (isOver(before) === isOver(task)) return;
  if (before.unapproved_gates + task.unapproved_gates > 0)
    for (const gate of board.gates.where({ task_id: id })) putApprovals(board, gate);
  contestsOf(board, id);
}

function dropItemsOfTask(board: Board, task: number): void {
  for (const item of board.inboxItems.where({ task_id: task })) putItem(board, item, false);
  contestsOf(board, task);
  // Blockers that were linked to it block work from now on.
  for (const { id, task_id } of board.blockers.where({ depends_on: task, state: "open" }))
    putItem(board, { kind: "blocker", id, task_id }, isThere(board, task_id));
}

/** The flags and contests of a task's last session. */
function showLastSession(board: Board, { id, last_start }: Task): void {
  for (const session of board.sessions.where({ task_id: id, started_position: last_start })) {
    for (const flag of board.flags.where({ session_id: session.id, severity: "blocking" }))
      putItem(board, { kind: "flag", id: flag.id, task_id: id }, isShownFlag(board, flag));
    // A session contests nothing before its end.
    if (session.ended_position === null) continue;
    for (const blocker of board.blockers.where({ session_id: session.id }))
      putItem(board, { kind: "contest", id: blocker.id, task_id: id }, isContest(board, blocker));
  }
}

/** Contests of a task that is or was done or skipped. */
function contestsOf(board: Board, task: number): void {
  for (const blocker of board.blockers.where({ depends_on: task }, ({ contests }) => contests === 1))
    putItem(board, { kind: "contest", id: blocker.id, task_id: blocker.task_id }, isContest(board, blocker));
}

/** Gates declared by one event are one item. */
function putApprovals(board: Board, gate: Gate | undefined): void {
  if (!gate) return;
  const { task_id, declared } = gate;
  const task = board.tasks.get(task_id);
  const waits = board.gates.where(
    { task_id },
    (one) => one.declared === declared && one.approval === "waiting",
  );
  const item = { kind: "gate_approval", id: declared, task_id } as const;
  putItem(board, item, waits.length > 0 && task !== undefined && !isOver(task) && !isInPlan(board, task));
}

interface Item {
  readonly kind: ItemKind;
  readonly id: number;
  /** Null for a plan. */
  readonly task_id: number | null;
}

function putItem(board: Board, { kind, id, task_id }: Item, waits: boolean): void {
  const rank = URGENCY[kind];
  const before = board.inboxItems.get(rank, id, kind);
  if (!before && !waits) return;
  const blocks_work = toFlag(waits && blocksWork(board, { kind, id, task_id }));
  if (before && waits && before.blocks_work === blocks_work) return;
  if (before) board.inboxItems.delete(rank, id, kind);
  if (waits) board.inboxItems.insert({ rank, id, kind, task_id, blocks_work });
  const counted = board.inboxCounts.get(kind);
  const items = (counted?.items ?? 0) + (waits ? 1 : 0) - (before ? 1 : 0);
  const blocking = (counted?.blocking ?? 0) + blocks_work - (before?.blocks_work ?? 0);
  if (counted) board.inboxCounts.update(kind, { items, blocking });
  else board.inboxCounts.insert({ kind, items, blocking });
}

/** A plan is decided as one: its gates with its drafts. */
function isInPlan(board: Board, task: Task): boolean {
  return isUndecidedProposal(board, task) && board.suggestions.get(task.suggestion ?? 0)?.plan !== null;
}

function stillWaits(board: Board, { kind, id }: Item): boolean {
  if (kind === "flag") return isShownFlag(board, board.flags.get(id));
  return isContest(board, board.blockers.get(id));
}

function isThere(board: Board, task: number): boolean {
  return board.tasks.get(task) !== undefined;
}

function waitsForAnswer(question: Question | undefined): boolean {
  return question?.state === "open" || (question?.state === "raised" && question.blocking === 1);
}

/** A blocker of a task's last session that names another task, done or skipped already. */
function isContest(board: Board, blocker: Blocker | undefined): boolean {
  if (blocker?.contests !== 1 || blocker.state !== "resolved") return false;
  const task = board.tasks.get(blocker.task_id);
  const contested = board.tasks.get(blocker.depends_on ?? 0);
  return (
    task !== undefined &&
    !isOver(task) &&
    contested !== undefined &&
    isOver(contested) &&
    board.sessions.get(blocker.session_id)?.started_position === task.last_start
  );
}

/** A blocking flag of the last session of a task that is not skipped, until a human acknowledges it. */
function isShownFlag(board: Board, flag: Flag | undefined): boolean {
  if (flag?.severity !== "blocking" || flag.acted_at !== null) return false;
  const task = board.tasks.get(flag.task_id);
  if (!task || task.status === "skipped") return false;
  return board.sessions.get(flag.session_id)?.started_position === task.last_start;
}

function awaitsAcceptance({ status, awaiting_acceptance }: Task): boolean {
  return status === "needs_input" && awaiting_acceptance === 1;
}

function isHeld({ status, held_at }: Task): boolean {
  return status === "pending" && held_at > 0;
}

function isOver({ status }: Task): boolean {
  return status === "done" || status === "skipped";
}
