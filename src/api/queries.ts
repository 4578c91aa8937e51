import { conversationCost } from "../queries/agents.ts";
import {
  featureDetails,
  findDiscipline,
  listDisciplines,
  listFeatures,
  listPolicies,
} from "../queries/catalogue.ts";
import { listComments } from "../queries/comments.ts";
import { findSession, listSessions, sessionOutcome } from "../queries/find-sessions.ts";
import { listGateRuns, openGateRuns } from "../queries/gate-runs.ts";
import { listHosts } from "../queries/hosts.ts";
import { countInbox, listInbox } from "../queries/inbox.ts";
import { keptLearning } from "../queries/kept-learning.ts";
import { listLearnings } from "../queries/learnings.ts";
import { lastStoppedLoop, runningLoops } from "../queries/loops.ts";
import { landingsOf, listMerges } from "../queries/merges.ts";
import { metrics } from "../queries/metrics/metrics.ts";
import { overlapsOf } from "../queries/overlaps.ts";
import { overview, statusChangesAfter } from "../queries/overview.ts";
import { startableTasks, workPause } from "../queries/pause.ts";
import { projectInfo, projectProgress } from "../queries/project.ts";
import { repeatingTasks } from "../queries/repetitions.ts";
import { runningSessions } from "../queries/running-sessions.ts";
import { startableApart, taskInTheWay } from "../queries/same-files.ts";
import { sessionDetails } from "../queries/session-details.ts";
import { endedSessions, sessionTrace } from "../queries/session-trace.ts";
import { sessionWorkOf, taskFork } from "../queries/session-work.ts";
import {
  briefTasksThat,
  countTasks,
  countTasksThat,
  findTask,
  listBriefTasks,
  listTasks,
  readyTasks,
  taskDetails,
} from "../queries/tasks.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** What `project.queries` offers, by name: each takes the read model, and then what the caller gives. */
export const queries = {
  tasks: listTasks,
  task: taskDetails,
  taskRow: findTask,
  taskCounts: countTasks,
  readyTasks,
  briefTasksThat,
  countTasksThat,
  inboxCount: (tables: ReadView) => countInbox(tables).total,
  briefTasks: listBriefTasks,
  repeatingTasks,
  startableTasks,
  /** Those that make no file which a task in work makes too. */
  startableApart,
  taskInTheWay,
  /** The first of those that are startable. */
  nextTask: (tables: ReadView) => startableTasks(tables, 1)[0],
  /** Drivers that started and have not said that they stopped. */
  runningLoops,
  /** The driver that stopped last; undefined if none has. */
  lastStoppedLoop,
  /** Why no session starts; undefined while work goes on. */
  workPause,
  sessions: listSessions,
  session: sessionOutcome,
  /** A session with its states and signals, and what is proven of its work. */
  sessionDetails,
  /** What a trace of a session tells; undefined while it is open. */
  sessionTrace,
  /** The ids of sessions that have ended; since a time of the tables. */
  endedSessions,
  sessionRow: findSession,
  /** What a session did to its repository; undefined where nobody has looked. */
  sessionWork: sessionWorkOf,
  /** What a task's branch and its base had in common when the work that is not merged yet began. */
  taskFork,
  /** Files that this session changes, and another one that runs too. */
  overlapsOf,
  /** What the sessions of an agent's conversation have cost so far, in US dollars. */
  conversationCost,
  runningSessions,
  /** Every run of a task's gates, or of one of them. */
  gateRuns: listGateRuns,
  /** Those whose end is not recorded. */
  openGateRuns,
  /** The hosts on which work has started, and which of them were declared lost. */
  hosts: listHosts,
  inbox: listInbox,
  /** Sessions, counts, inbox and costs as of one position; costs of what ended after `since`, a time in UTC. */
  overview,
  statusChangesAfter,
  /** The merges of tasks, the queue first. */
  merges: listMerges,
  /** What was merged into the base, the last first. */
  landings: landingsOf,
  comments: listComments,
  features: listFeatures,
  feature: featureDetails,
  disciplines: listDisciplines,
  discipline: findDiscipline,
  /** What became of the learning that was told at a position: joined with what was there, or not. */
  keptLearning,
  /** List learnings, deduplicated. */
  learnings: listLearnings,
  /** How work goes, in tables of figures. */
  metrics,
  policies: listPolicies,
  /** What the project says of itself, and how far it is. */
  project: (tables: ReadView) => ({ ...projectInfo(tables), progress: projectProgress(tables) }),
} satisfies Readonly<Record<string, Query>>;

type Query = (readModel: ReadModel, ...given: never[]) => unknown;

/** The same, asked of a project. */
export type BoundQueries<Queries> = {
  readonly [Name in keyof Queries]: Queries[Name] extends (
    tables: never,
    ...given: infer Given
  ) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : never;
};

/** @param ask what answers a question from the read model */
export function bindQueries(
  ask: <Answer>(question: (readModel: ReadModel) => Answer) => Promise<Answer>,
): BoundQueries<typeof queries> {
  const byName = Object.entries<Query>(queries).map(([name, query]) => [
    name,
    (...given: never[]) => ask((readModel) => query(readModel, ...given)),
  ]);
  // Each under its own name, which a list of entries cannot show.
  return Object.fromEntries(byName) as BoundQueries<typeof queries>;
}
