import { UNPROVEN } from "../../events/types/gate-words.ts";
import { planName } from "../../events/types/plans.ts";
import type { SessionExit } from "../../events/types/sessions.ts";
import { findingInWords, outsideInWords } from "../../events/types/work-words.ts";
import { outsideToAsk } from "../../projections/board/artifacts.ts";
import { isSettled } from "../../projections/board/dependencies.ts";
import { findingsOfLast, ledTo } from "../../projections/board/evidence.ts";
import { foretell } from "../../projections/board/foretell.ts";
import { type MergeRow, type MergeState, mergesTable } from "../../projections/board/merge-tables.ts";
import { policyValue } from "../../projections/board/policies.ts";
import { isUndecidedProposal } from "../../projections/board/proposals.ts";
import { unprovenToAsk } from "../../projections/board/proven.ts";
import { isReady } from "../../projections/board/status.ts";
import { type Board, boardTables, type Task } from "../../projections/board/tables.ts";
import { sameFilesInWords } from "../../queries/same-files.ts";
import { question } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** An action that would lead to a task's next status. */
export interface NextStep {
  readonly what: string;
  /** The command with which a human does it; null if only an agent or another task can. */
  readonly command: string | null;
  /** Positions of the events that wait. */
  readonly events: readonly number[];
}

/** The actions needed for a task's next status. All are needed, except where the text says "or". */
export function nextSteps(readModel: ReadModel, task: Task): NextStep[] {
  const board = readModel.rowsOf(boardTables);
  switch (task.status) {
    case "draft":
      return [leaveDraft(board, task)];
    case "pending":
      return isReady(task) ? [start(readModel, task)] : becomeReady(board, task);
    case "in_progress":
      return endOfSession(board, task);
    case "needs_input":
      return humansTurn(board, task);
    case "blocked":
      return blockersGone(board, task);
    case "failed":
      return [setByHand(task, "Set it to pending to retry; the stuck count restarts.")];
    case "done":
      return [
        ...mergesOn(readModel, task),
        setByHand(task, "Nothing more to do; set it to pending to reopen it."),
      ];
    case "skipped":
      return [setByHand(task, "Nothing more to do; set it to pending to reopen it.")];
  }
}

/** A merge changes no status, but is the next step of a done task. */
function mergesOn(readModel: ReadModel, { id }: Task): NextStep[] {
  const merge = readModel.rowsOf({ merges: mergesTable }).merges.get(id);
  if (!merge) return [];
  const { state, branch, base, position, driver, gate } = merge;
  const queue = `signalbox merge queue ${id}`;
  const says: Partial<Record<MergeState, readonly [what: string, command: string | null]>> = {
    proposed: [`A human queues ${branch} to be merged into ${base}.`, queue],
    queued: [`A driver merges ${branch} into ${base}; it is in the queue.`, "signalbox merge list"],
    running: [`Driver ${driver} is merging ${branch} into ${base}.`, null],
    conflicted: [
      `You resolve the conflict of ${branch} with ${base}, or let an agent do it: \`signalbox merge reopen ${id}\`.`,
      queue,
    ],
    gate_failed: [
      `You make gate ${gate} pass with ${branch} merged into ${base}, or let an agent do it: \`signalbox merge reopen ${id}\`.`,
      queue,
    ],
    waiting: [`The obstacle to the merge is removed: ${waitsFor(merge)}.`, queue],
  };
  const [what, command] = says[state] ?? [];
  return what === undefined || command === undefined ? [] : [{ what, command, events: [position] }];
}

function waitsFor({ folder, reason }: MergeRow): string {
  const why = (reason ?? "git refused").replace(/\.$/, "");
  return folder === null ? why : `${folder}: ${why}`;
}

function leaveDraft(board: Board, task: Task): NextStep {
  const { id, suggestion } = task;
  if (suggestion !== null && isUndecidedProposal(board, task)) {
    const plan = board.suggestions.get(suggestion)?.plan ?? null;
    const command = `signalbox inbox approve ${plan === null ? suggestion : `${planName(plan)} --only ${id}`}`;
    return { what: "A human approves or rejects the agent's proposal.", command, events: [suggestion] };
  }
  return step("It is enriched, or its status is set by hand.", `signalbox task set ${id} --status pending`);
}

function start(readModel: ReadModel, task: Task): NextStep {
  const board = readModel.rowsOf(boardTables);
  const refused = task.unverified_done ? ledTo("refuse", findingsOfLast(board, task)) : [];
  const what = [
    `A session starts on it: it is ready, and ${turnOf(readModel, task)}${sameFilesInWords(board, task)}.`,
    ...(refused.length > 0 ? ["Its done did not count:", ...refused.map(findingInWords)] : []),
  ];
  return step(what.join(" "), `signalbox session start ${task.id}`);
}

/**
 * The ready tasks ahead of a task, and why: by priority, or by number among those of the same
 * priority.
 */
function turnOf(readModel: ReadModel, { id, priority, priority_rank: rank }: Task): string {
  const { higher, same } = readModel.get(BEFORE, { rank, id }) ?? { higher: 0, same: 0 };
  const first = readModel.get(FIRST, {});
  const before = higher + same;
  if (before === 0 || !first) return "next in line";
  const reasons = [
    higher > 0 && `${higher} of a higher priority than ${priority}`,
    same > 0 && `${same} of the same priority (${priority}) with a lower number`,
  ].filter(Boolean);
  const tasks = before === 1 ? "1 ready task comes" : `${before} ready tasks come`;
  return `${tasks} before it, ${reasons.join(" and ")}: the next one is task ${first.id} (${first.priority})`;
}

const BEFORE = question<{ rank: number; id: number }>()((tables, given) =>
  tables
    .selectFrom("ready_tasks")
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere("priority_rank", "<", given("rank")).as("higher"),
      fn.countAll<number>().filterWhere("priority_rank", "=", given("rank")).as("same"),
    ])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("priority_rank", "id"), "<", tuple(given("rank"), given("id"))),
    ),
);
const FIRST = question()((tables) =>
  tables.selectFrom("ready_tasks").select(["id", "priority"]).orderBy("priority_rank").orderBy("id").limit(1),
);

function becomeReady(board: Board, { id, held_at, cancelled_in_a_row }: Task): NextStep[] {
  const unapproved = board.gates.where({ task_id: id, approval: "waiting" }).map(({ gate, declared }) => ({
    what: `A human approves or rejects gate ${gate}, which an agent declared.`,
    command: `signalbox gate approve ${id} ${gate}`,
    events: [declared],
  }));
  const held =
    held_at === 0
      ? []
      : [
          {
            what: `A human lets it start again: ${cancelled_in_a_row} sessions in a row were cancelled.`,
            command: `signalbox task set ${id} --status pending`,
            events: [held_at],
          },
        ];
  return [...held, ...unapproved, ...openDependencies(board, id)];
}

function openDependencies(board: Board, id: number): NextStep[] {
  return board.dependencies.where({ task_id: id }).flatMap(({ depends_on }) => {
    const other = board.tasks.get(depends_on);
    if (!other || isSettled(other)) return [];
    const what = `Task ${depends_on} is done or skipped; now it is ${other.status}.`;
    return [step(what, `signalbox why ${depends_on}`)];
  });
}

function endOfSession(board: Board, task: Task): NextStep[] {
  const session = task.open_session === null ? undefined : board.sessions.get(task.open_session);
  if (!session) return [setByHand(task, "It has no open session: the status was set by hand.")];
  const { id, last_closing, last_closing_position } = session;
  const said = last_closing === null ? "without a closing verb" : `with ${last_closing},`;
  const ended = (exit: SessionExit, hasChanged = true) =>
    foretell(board, task, { ...session, task_id: task.id }, { exit, hasChanged }).status;
  const status = ended("exited");
  const others = [
    [ended("exited", false), "if its workspace did not change"],
    [ended("cancelled"), "if cancelled"],
  ].filter(([other]) => other !== status);
  const otherwise = others.map(([other, when]) => `, or ${other} ${when}`).join("");
  return [
    {
      what: `Session ${id} ends; ${said} the task would become ${status}${otherwise}.`,
      command: null,
      events: last_closing_position === null ? [session.started_position] : [last_closing_position],
    },
  ];
}

function humansTurn(board: Board, task: Task): NextStep[] {
  const { id, awaiting_acceptance, unverified_done } = task;
  if (awaiting_acceptance) {
    const outside = outsideToAsk(board, task).paths;
    const found = [
      ...findingsOfLast(board, task).map(findingInWords),
      ...unprovenToAsk(board, id).map(({ gate }) => `Gate ${gate} ${UNPROVEN}.`),
      ...(outside.length > 0 ? [`It changed files ${outsideInWords(outside)}.`] : []),
    ];
    const what = ["A human accepts the work, or sends it back.", ...found].join(" ");
    return [step(what, `signalbox inbox accept ${id}`)];
  }
  const gates = board.gates.where({ task_id: id, state: "escalated" }).map(({ gate, last_position }) => ({
    what: `A human decides on gate ${gate}, which has used all its attempts${unverified_done ? "; if it is skipped, the done may stand" : ""}.`,
    command: `signalbox gate act ${id} ${gate} retry|skip|abort`,
    events: last_position === null ? [] : [last_position],
  }));
  const questions = board.questions.where({ task_id: id, state: "open" }).map((question) => ({
    what: `Question ${question.id} is answered or dismissed.`,
    command: `signalbox inbox answer ${question.id} TEXT`,
    events: [question.id],
  }));
  const stalled = {
    what: "A human lets it go on, edits, splits or fails it: its sessions did not get on, or ended with partial each time.",
    command: `signalbox inbox continue ${id} HINT`,
    events: [task.stalled_at],
  };
  return orByHand(task, [...gates, ...questions, ...(task.stalled_at > 0 ? [stalled] : [])]);
}

function blockersGone(board: Board, task: Task): NextStep[] {
  const blockers = board.blockers.where({ task_id: task.id, state: "open" }).map((blocker) => ({
    what:
      blocker.depends_on === null
        ? `Blocker ${blocker.id} is resolved or dismissed by a human.`
        : `Task ${blocker.depends_on} is done or skipped, or a human resolves blocker ${blocker.id}.`,
    command: `signalbox inbox resolve ${blocker.id}`,
    events: [blocker.id],
  }));
  return orByHand(task, blockers);
}

/** A manually set status waits for nothing that the board knows. */
function orByHand(task: Task, steps: NextStep[]): NextStep[] {
  return steps.length > 0
    ? steps
    : [setByHand(task, "The status was set by hand, and only a human changes it.")];
}

function setByHand({ id }: Task, what: string): NextStep {
  return step(what, `signalbox task set ${id} --status pending`);
}

function step(what: string, command: string): NextStep {
  return { what, command, events: [] };
}

/**
 * The current stuck count at which a task fails, and the event that set it; null for the default.
 */
export function stuckLimit(readModel: ReadModel): { readonly limit: number; readonly set: number | null } {
  const board = readModel.rowsOf({ policies: boardTables.policies });
  return {
    limit: policyValue(board, "stuck_limit"),
    set: board.policies.get("stuck_limit")?.position ?? null,
  };
}
