import type { Event } from "../../src/events/types/index.ts";
import { consequences } from "../../src/events/types/policies.ts";
import { findingKinds } from "../../src/events/types/session-work.ts";
import {
  blockersOf,
  emptyBoard,
  known,
  type ModelBlocker,
  type ModelBoard,
  type ModelSession,
  type ModelSuggestion,
  type ModelTask,
  newTask,
  questionsOf,
  stateOf,
  taskOf,
} from "./model-board.ts";
import {
  actOnGate,
  attemptGate,
  decideOnGate,
  declareGate,
  reopenGate,
  resetGates,
  startGates,
} from "./model-gates.ts";
import { link, openBlockers, takeBackLink } from "./model-links.ts";
import { settle } from "./model-settlement.ts";
import { beginRowsAnew, evaluateAfterUndo, evaluateAgain, markDone, setStatus } from "./model-status.ts";

/**
 * rules.md as a program, written from that page and not from src/projections: slow, in memory, one step a line. The
 * property tests compare the board with it after every event. Where the page leaves something open, a comment that
 * begins with OPEN says what was chosen.
 */
export function openModel(): { readonly board: ModelBoard; apply(event: Event): void } {
  const board = emptyBoard();
  return { board, apply: (event) => apply(board, event) };
}

function apply(board: ModelBoard, event: Event): void {
  switch (event.type) {
    case "feature.created":
      board.features.add(event.payload.feature);
      break;
    case "policy.set":
      setPolicy(board, event.payload);
      break;
    case "task.created":
      createTask(board, event);
      break;
    case "task.changed":
      changeTask(board, event.payload);
      break;
    case "task.status_set":
      setByHand(board, event);
      break;
    case "task.enriched":
      enrichTask(board, event.payload.task);
      break;
    case "task.deleted":
      deleteTask(board, event.payload.task);
      break;
    case "task.accepted":
      accept(board, taskOf(board, event.payload.task));
      break;
    case "task.sent_back":
      sendBack(board, taskOf(board, event.payload.task));
      break;
    case "task.continued":
      beginRowsAnew(taskOf(board, event.payload.task));
      evaluateAgain(board, taskOf(board, event.payload.task));
      break;
    case "session.started":
      // One without a task settles nothing.
      if (event.payload.task !== undefined)
        startSession(board, { ...event.payload, task: event.payload.task, id: event.payload.session });
      break;
    case "session.state_reported":
      reportState(known(board.sessions.get(event.payload.session), "session"), event.payload.state);
      break;
    case "session.ended":
      settle(board, known(board.sessions.get(event.payload.session), "session"), event.payload);
      break;
    case "session.work":
      known(board.sessions.get(event.payload.session), "session").found = event.payload.findings.map(
        ({ kind }) => kind,
      );
      break;
    case "gate.attempted":
      attemptGate(taskOf(board, event.payload.task), event.payload);
      break;
    case "gate.declared":
      declareGate(taskOf(board, event.payload.task), event.actor, event.payload);
      break;
    case "gate.approved":
      decideOnGate(board, taskOf(board, event.payload.task), event.payload.gate, "approved");
      break;
    case "gate.rejected":
      decideOnGate(board, taskOf(board, event.payload.task), event.payload.gate, "rejected");
      break;
    case "gate.reopened":
      reopenGate(taskOf(board, event.payload.task), event.payload.gate);
      break;
    case "gate.acted":
      actOnGate(board, taskOf(board, event.payload.task), event.payload);
      break;
    case "question.answered":
      actOnQuestion(board, event.payload.question, "answered");
      break;
    case "question.dismissed":
      actOnQuestion(board, event.payload.question, "dismissed");
      break;
    case "question.reopened":
      actOnQuestion(board, event.payload.question, undefined);
      break;
    case "blocker.resolved":
      actOnBlocker(board, event.payload.blocker, "resolved");
      break;
    case "blocker.dismissed":
      actOnBlocker(board, event.payload.blocker, "dismissed");
      break;
    case "blocker.reopened":
      actOnBlocker(board, event.payload.blocker, undefined);
      break;
    case "suggestion.approved":
      decideSuggestion(board, event.payload.suggestion, "approved");
      break;
    case "suggestion.rejected":
      decideSuggestion(board, event.payload.suggestion, "rejected");
      break;
    case "suggestion.reopened":
      decideSuggestion(board, event.payload.suggestion, "proposed");
      break;
    case "learning.added": {
      const { feature, text } = event.payload;
      board.learned.add(`${feature === undefined ? "project" : `feature ${feature}`} ${wordsOf(text)}`);
      break;
    }
    case "task.edit_suggested":
    case "flag.acknowledged":
    case "flag.reopened":
    case "feature.changed":
    case "discipline.created":
    case "discipline.changed":
    case "feature.deleted":
    case "discipline.deleted":
    case "comment.added":
    case "comment.changed":
    case "comment.deleted":
    case "learning.marked":
    case "learning.split":
    case "project.described":
    case "progress.noted":
    case "agent.started":
    case "agent.progressed":
    case "agent.ended":
    case "workspace.reported":
    case "workspace.committed":
    case "workspace.conflicted":
    case "merge.proposed":
    case "merge.queued":
    case "merge.begun":
    case "merge.gate_attempted":
    case "merge.conflicted":
    case "merge.gate_failed":
    case "merge.waits":
    case "merge.ready":
    case "merge.landed":
    case "merge.withdrawn":
    case "merge.reopened":
    case "prompt.built":
    case "session.act_refused":
    case "host.lost":
    case "work.paused":
    case "work.resumed":
    case "loop.started":
    case "loop.waiting":
    case "loop.stop_asked":
    case "loop.stopped":
    case "gate.started":
    case "gate.baselined":
    case "workspace.prepared":
    case "notice.started":
    case "notice.sent":
    case "notice.failed":
    case "notice.retried":
    case "event.redacted":
    case "plan.begun":
    case "plan.confirmed":
    case "plan.checked":
    case "plan.approved":
    case "plan.rejected":
    case "plan.reopened":
      break;
    default:
      signal(board, event);
  }
}

function setPolicy(board: ModelBoard, { policy, value }: Event<"policy.set">["payload"]): void {
  if (policy === "stuck_limit") board.stuckLimit = Number(value);
  if (policy === "no_progress") board.noProgress = Number(value);
  if (policy === "partials") board.partials = Number(value);
  const kind = findingKinds.find((one) => policy === `evidence.${one}`);
  const consequence = consequences.find((one) => value === one);
  if (kind && consequence) board.consequences.set(kind, consequence);
}

function createTask(board: ModelBoard, { payload, actor }: Event<"task.created">): void {
  board.lastTaskId = Math.max(board.lastTaskId, payload.task);
  board.tasks.set(payload.task, {
    ...newTask("human", { ...payload, id: payload.task }),
    priority: payload.priority,
    status: payload.status,
    accept: payload.accept,
    declared: new Set(payload.depends_on),
    gates: [],
  });
  for (const gate of payload.gates) declareGate(taskOf(board, payload.task), actor, gate);
}

function changeTask(board: ModelBoard, payload: Event<"task.changed">["payload"]): void {
  const task = taskOf(board, payload.task);
  task.title = payload.title ?? task.title;
  task.feature = payload.feature ?? task.feature;
  task.priority = payload.priority ?? task.priority;
  task.accept = payload.accept ?? task.accept;
  if (payload.depends_on) {
    task.declared = new Set(payload.depends_on);
    // OPEN: of the dependencies that links added, only those stay that an open blocker holds.
    const open = openBlockers(board, task.id).map(({ dependsOn }) => dependsOn);
    task.held = new Set([...task.held].filter((id) => open.includes(id)));
  }
}

/** What an agent may do to a status: a proposal that no human decided on stays a draft, whoever fills it. */
function enrichTask(board: ModelBoard, id: number): void {
  const task = taskOf(board, id);
  if (task.status === "draft" && proposalOf(board, id)?.state !== "proposed")
    setStatus(board, task, "pending");
}

/**
 * OPEN: rules.md says of deletions only that ids are never used again. What waited for a human on the task is dismissed,
 * an undecided proposal rejected with its draft; all else that was said stays as it is.
 */
function deleteTask(board: ModelBoard, id: number): void {
  const proposal = proposalOf(board, id);
  if (proposal?.state === "proposed") proposal.state = "rejected";
  dismissWhatIsOpen(board, id);
  board.tasks.delete(id);
}

/** Humans, "set a status by hand". */
function setByHand(board: ModelBoard, { actor, payload }: Event<"task.status_set">): void {
  const { task: id, status } = payload;
  const task = taskOf(board, id);
  if (status !== "draft") decideDraft(board, task, status === "skipped" ? "rejected" : "approved");
  task.awaiting = false;
  // An agent's act begins no row anew, and what waited for a human by a row it cannot touch.
  if (actor === "agent") task.stalled = false;
  else beginRowsAnew(task);
  if (status === "pending" || status === "skipped") {
    task.stuckCount = 0;
    dismissWhatIsOpen(board, id);
    resetGates(task);
  }
  if (status === "done") markDone(board, task);
  setStatus(board, task, status);
}

/**
 * OPEN: a dismissal in passing is an act like any other and can be taken back. What a human had acted on before is
 * dismissed behind that act, so that taking the act back does not hold the task up again.
 */
function dismissWhatIsOpen(board: ModelBoard, id: number): void {
  for (const thing of [...questionsOf(board, id), ...blockersOf(board, id)]) {
    if (thing.act !== undefined && thing.natural === "open") thing.natural = "dismissed";
  }
  for (const question of questionsOf(board, id)) {
    if (stateOf(question) === "open") question.act = "dismissed";
  }
  for (const blocker of openBlockers(board, id)) closeBlocker(board, blocker, "dismissed");
}

/** Humans: setting an agent's draft by hand, or starting it by force, decides it; what is decided is not decided again. */
function decideDraft(board: ModelBoard, task: ModelTask, state: "approved" | "rejected"): void {
  const proposal = proposalOf(board, task.id);
  if (task.status === "draft" && proposal?.state === "proposed") proposal.state = state;
}

function proposalOf(board: ModelBoard, id: number): ModelSuggestion | undefined {
  return [...board.suggestions.values()].find(({ proposedTask }) => proposedTask === id);
}

function accept(board: ModelBoard, task: ModelTask): void {
  task.awaiting = false;
  markDone(board, task);
  setStatus(board, task, "done");
}

function sendBack(board: ModelBoard, task: ModelTask): void {
  task.awaiting = false;
  setStatus(board, task, "pending");
}

/** Sessions: starting one puts the task in_progress. A draft can only be started by force. */
function startSession(
  board: ModelBoard,
  { id, task: taskId, workspace }: { id: string; task: number; workspace?: string | undefined },
): ModelSession {
  const task = taskOf(board, taskId);
  task.openSession = id;
  task.sessions += 1;
  task.awaiting = false;
  task.unverified = false;
  task.refused = false;
  task.asked = false;
  decideDraft(board, task, "approved");
  startGates(task);
  setStatus(board, task, "in_progress");
  const session: ModelSession = {
    id,
    task: taskId,
    workspace,
    states: ["idle"],
    irregular: 0,
    signals: 0,
    late: 0,
    exit: undefined,
    closing: undefined,
    inferred: false,
    learnedNew: false,
    found: [],
    outcome: undefined,
  };
  board.sessions.set(id, session);
  return session;
}

const regularSteps = new Set([
  "idle→analyzing",
  "analyzing→implementing",
  "implementing→testing",
  "testing→implementing",
  "testing→committing",
  "committing→reviewing",
]);

function reportState(
  session: ModelSession,
  state: Event<"session.state_reported">["payload"]["state"],
): void {
  if (!regularSteps.has(`${session.states.at(-1)}→${state}`)) session.irregular += 1;
  session.states.push(state);
}

function signal(board: ModelBoard, event: Extract<Event, { type: `signal.${string}` }>): void {
  const { task, session: id } = event.payload;
  let session = board.sessions.get(id);
  // A verb in a session that was never started starts it, unless the task has an open session.
  // OPEN: such a late signal leaves no session behind; one that is started under that id later begins at 0.
  // OPEN: a signal for a task that is not there, or that is not its session's, is late too.
  if (!session && board.tasks.has(task) && taskOf(board, task).openSession === undefined) {
    session = startSession(board, { id, task });
  }
  const late = !session || session.exit !== undefined || session.task !== task;
  if (session) session[late ? "late" : "signals"] += 1;

  switch (event.type) {
    case "signal.done":
    case "signal.partial":
    case "signal.stuck":
      if (session && !late) session.closing = closingVerbs[event.type];
      return;
    case "signal.learned":
      if (isNew(board, event.payload) && session && !late) session.learnedNew = true;
      return;
    case "signal.ask":
      board.questions.set(event.position, {
        task,
        session: id,
        blocking: event.payload.blocking,
        natural: late ? "informational" : "raised",
        act: undefined,
      });
      return;
    case "signal.blocked":
      board.blockers.set(event.position, {
        task,
        session: id,
        on: event.payload.on,
        kind: event.payload.kind,
        natural: late ? "informational" : "raised",
        act: undefined,
        dependsOn: undefined,
        contests: false,
        lookedAt: false,
      });
      return;
    case "signal.suggest":
      board.suggestions.set(event.position, {
        task,
        session: id,
        what: event.payload.what,
        kind: event.payload.kind,
        feature: event.payload.feature,
        late,
        state: "stored",
        proposedTask: undefined,
      });
  }
}

/** As far as the generated learnings differ: blanks and the last full stop make no other learning. */
const wordsOf = (text: string) => text.replace(/\s+/g, " ").replace(/\.$/, "");

/** A learning is new if nobody has reported it before in its project, feature or task. */
function isNew(
  board: ModelBoard,
  { task: id, text, scope = "feature" }: Event<"signal.learned">["payload"],
): boolean {
  const task = board.tasks.get(id);
  // OPEN: what is said on a task that an agent proposed is compared within that task.
  const ofFeature = task?.origin === "human" ? `feature ${task.feature}` : `task ${id}`;
  const key = `${{ project: "project", feature: ofFeature, task: `task ${id}` }[scope]} ${wordsOf(text)}`;
  const isKnown = board.learned.has(key);
  board.learned.add(key);
  return !isKnown;
}

const closingVerbs = { "signal.done": "done", "signal.partial": "partial", "signal.stuck": "stuck" } as const;

/** `undefined` takes the act back. */
function actOnQuestion(board: ModelBoard, id: number, act: "answered" | "dismissed" | undefined): void {
  const question = known(board.questions.get(id), `question ${id}`);
  const wasOpen = stateOf(question) === "open";
  question.act = act;
  if (act === undefined) evaluateAfterUndo(board, taskOf(board, question.task));
  else if (wasOpen) evaluateAgain(board, taskOf(board, question.task));
}

function actOnBlocker(board: ModelBoard, id: number, act: "resolved" | "dismissed" | undefined): void {
  const blocker = known(board.blockers.get(id), `blocker ${id}`);
  if (act !== undefined) {
    const wasOpen = stateOf(blocker) === "open";
    closeBlocker(board, blocker, act);
    if (wasOpen) evaluateAgain(board, taskOf(board, blocker.task));
    return;
  }
  blocker.act = undefined;
  // "The thing is as it was before": one that was open without a link stays without.
  if (blocker.natural === "open" && (blocker.dependsOn !== undefined || !blocker.lookedAt))
    link(board, blocker);
  evaluateAfterUndo(board, taskOf(board, blocker.task));
}

function closeBlocker(board: ModelBoard, blocker: ModelBlocker, act: "resolved" | "dismissed"): void {
  const wasOpen = stateOf(blocker) === "open";
  blocker.act = act;
  if (wasOpen) takeBackLink(board, blocker);
}

/** Humans: approve draft → pending, reject draft → skipped; taken back, it is a draft again. */
function decideSuggestion(board: ModelBoard, id: number, state: "approved" | "rejected" | "proposed"): void {
  const suggestion = known(board.suggestions.get(id), `suggestion ${id}`);
  const task = taskOf(board, known(suggestion.proposedTask, `task of suggestion ${id}`));
  suggestion.state = state;
  setStatus(board, task, statusOf[state]);
}

const statusOf = { approved: "pending", rejected: "skipped", proposed: "draft" } as const;
