import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Refusal } from "../../../../src/decisions/refusal.ts";
import { stateInHistory } from "../../../../src/history/time-travel/history/state-in-history.ts";
import { stateAt } from "../../../../src/history/time-travel/state-at.ts";
import { packagePath } from "../../../../src/lib/package-root.ts";
import { PageError } from "../../../../src/lib/page.ts";
import { views } from "../../../../src/projections/views.ts";
import type { ReadModel } from "../../../../src/read-model/read-model.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";
import { historyOf, makeWhole } from "./given.ts";

/** Of a gate of which nothing is known. */
const NO_EVIDENCE = {
  before: null,
  without: null,
  without_files: null,
  last_workspace: null,
  left_workspace: null,
};

/** With what each query is asked besides the read model: several times, where several are here. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  isLost: [
    ["h-1", 5],
    [null, 5],
  ],
  landingsOf: [[], [1]],
  listHosts: [[]],
  listMerges: [[]],
  baselineOn: [[{ base: "3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70", command: "npm test" }]],
  boardOf: [[5]],
  briefTasksThat: [
    ["areReady"],
    ["areReady", 2],
    ["wait"],
    ["waitForApproval"],
    ["waitForTasks"],
    ["haveFailed"],
  ],
  cardPositions: [
    [1, {}],
    [2, { by: "agent" }],
    [1, { kinds: ["act", "status", "phase", "gate", "session", "prompt", "merge"] }],
  ],
  cardsOf: [
    ["pending", {}, { row: 0, limit: 20 }],
    ["done", { text: "a" }, { row: 0, limit: 20 }],
  ],
  changedAt: [[3], [12]],
  channelStatus: [["team"]],
  changedProposals: [[[1, 2, 30]]],
  conversationCost: [["s-1"]],
  costSince: [["2000-01-01 00:00:00"]],
  countCards: [[{}], [{ feature: "general" }]],
  countInbox: [[]],
  countMarks: [[{ after: 4, until: 22 }]],
  countReady: [[]],
  countTasks: [[]],
  countTasksThat: [["areReady"], ["wait"], ["waitForApproval"], ["waitForTasks"], ["haveFailed"]],
  countTimelineCards: [[1], [2]],
  deadLetters: [[]],
  denialsOfEach: [[[["s-1", "none"], ["s-2"]]]],
  endedSessions: [[]],
  explainedSince: [["s-1"], ["s-9"]],
  featureDetails: [["general"]],
  featureLearnings: [["general", 20]],
  findCard: [[1], [99]],
  findDiscipline: [["general"]],
  findFeature: [["general"]],
  findHost: [["h-1"]],
  findPlan: [[1], [9]],
  planInWords: [[1]],
  planOfSession: [["s-1"]],
  loopEndedAt: [[12], [99]],
  toldAt: [["team", 12]],
  waitingNotices: [["team", "2000-01-01 00:00:00"]],
  findInInbox: [[{ kind: "flag", id: 30 }]],
  findLearning: [[12], [99]],
  findSession: [["s-1"]],
  isAlone: [["s-1"]],
  findTask: [[1], [2], [99]],
  idsInOrder: [
    ["pending", { row: 1, limit: 5 }],
    ["done", { row: 0, limit: 5 }],
  ],
  inboxKeyAt: [[0], [1], [99]],
  inboxOfTask: [[1], [2], [99]],
  inboxPage: [[{ limit: 3 }], [{ after: "question-1", limit: 200 }]],
  fittingTasks: [[{}, 2_000]],
  firstStatusChange: [[1], [99]],
  gateRunHeads: [[[1, 20, 30, 40]]],
  gateRunOutput: [[20], [30]],
  gateRunsOf: [],
  gateRunsOfSession: [[{ task: 1, session: "s-1", limit: 50 }]],
  keptLearning: [[12]],
  lastWaited: [[]],
  leftOnBranch: [[1], [99]],
  gatesProven: [[[{ ...{ task_id: 1, gate: 1, state: "passed", command: "true" }, ...NO_EVIDENCE }]]],
  unsteadyRuns: [[1]],
  listBriefTasks: [[], [{ status: "blocked" }]],
  listComments: [[1]],
  listDisciplines: [[]],
  listFeatures: [[]],
  listGateRuns: [[{ task: 1 }]],
  listInbox: [[], [{ all: true }], [{ all: true, after: "question-1", limit: 3 }]],
  listLearnings: [[], [{ search: "a" }], [{ search: "the" }], [{ scope: "feature" }]],
  listPolicies: [[]],
  listSessions: [[], [{ open: true }], [{ task: 1 }]],
  listTasks: [[], [{ status: "blocked" }]],
  longSession: [
    [{}, "2000-01-01 00:00:00"],
    [{ running: true }, "2030-01-01 00:00:00"],
  ],
  marksAround: [[12, 5]],
  marksBeside: [[3], [12]],
  metrics: [[{ now: 1_800_000_000_000_000 }], [{ now: 1_800_000_000_000_000, by: "feature" }]],
  neighboursOf: [
    [1, 40],
    [2, 40],
  ],
  openGateRuns: [[]],
  openSessions: [[]],
  overlapsOf: [["s-1"]],
  overview: [["2000-01-01 00:00:00"]],
  pageOfLearnings: [
    [{}, { row: 0, limit: 3 }],
    [{ search: "the" }, { row: 1, limit: 3 }],
    [{ scope: "feature" }, { row: 0, limit: 3 }],
  ],
  projectInfo: [[]],
  projectProgress: [[]],
  readyTasks: [[]],
  realmsOfFeature: [["general"]],
  repeatingTasks: [[]],
  lastStoppedLoop: [[]],
  runningLoops: [[]],
  runningSessions: [[]],
  sessionDetails: [["s-1"]],
  sessionIndex: [
    [{}, "s-1"],
    [{ running: true }, "s-1"],
  ],
  sessionLine: [["s-1"], ["none"]],
  sessionLines: [
    [{}, { row: 0, limit: 50 }],
    [{ running: true }, { row: 0, limit: 50 }],
  ],
  sessionOutcome: [["s-1"]],
  sessionTotals: [[{}], [{ running: false }]],
  sessionTrace: [["s-1"]],
  sessionWorkOf: [["s-1"]],
  sessionView: [["s-1"]],
  startableApart: [[1], [5, [1]]],
  startableTasks: [[], [1]],
  statusChangesAfter: [[3]],
  stoppedProjections: [[]],
  taskInTheWay: [[1], [2]],
  taskFork: [[1]],
  taskTitles: [[[1, 2, 99]]],
  taskDetails: [[1], [2]],
  taskRepetitions: [[1]],
  taskInShort: [[1], [2], [99]],
  taskSummary: [
    [1, 40],
    [2, 40],
  ],
  findTasks: [
    ["1", 20],
    ["a", 20],
  ],
  taskWords: [[1], [99]],
  timelineCards: [
    [1, {}, { row: 0, limit: 50 }],
    [2, { kinds: ["phase", "gate"] }, { row: 0, limit: 50 }],
  ],
  timelineSections: [
    [1, {}],
    [2, { late: false }],
  ],
  timesOfItems: [[[{ id: 3 }, { id: 12 }]]],
  toldBefore: [[{ id: 30, task: 1 }, 3]],
  undoableActs: [[50]],
  workPause: [[]],
};
/** Those that take something other than a read model first. */
const OTHERS = new Set([
  "factsOf",
  "runsInSessions",
  "matchingCards",
  "soughtBy",
  "matchingTasks",
  "soughtTasks",
  "sumOfSessions",
  "viewDiscipline",
  "runnerIn",
  "proofOfDone",
  "choicesOf",
  "inboxKey",
  "firstArgument",
  "parametersOf",
  "parseDenials",
  "sameFilesAs",
  "sameFilesInWords",
  "sameFile",
]);

type Query = (readModel: ReadModel, ...more: readonly unknown[]) => unknown;

async function allQueries(): Promise<ReadonlyMap<string, Query>> {
  const folder = packagePath("src/queries");
  const names = [
    ...readdirSync(folder).filter((name) => name.endsWith(".ts")),
    join("metrics", "metrics.ts"),
  ];
  const modules = await Promise.all(names.map((name): Promise<object> => import(join(folder, name))));
  const functions = modules.flatMap((module) =>
    Object.entries(module).filter(([name, value]) => typeof value === "function" && !OTHERS.has(name)),
  );
  return new Map(functions as [string, Query][]);
}

test("every query answers from a history as it does from the state that was reduced up to there", async () => {
  const queries = await allQueries();
  expect([...queries.keys()].sort()).toEqual(Object.keys(ARGUMENTS).sort());
  const events = await someEvents();
  const log = await logOf(events);
  const { path } = emptyPlace();
  const history = historyOf(log, path);
  await makeWhole(history);
  const said = new Set<string>();
  const started = events.find((event) => event.type === "session.started");
  for (const share of [0, 0.3, 0.6, 0.85, 0.5, 1]) {
    const position = Math.round(events.length * share);
    const state = await stateAt(log, position);
    const checked = await stateInHistory(path, log, position, () => {});
    if (!checked) throw new Error("The history is not made.");
    for (const [name, query] of queries) {
      for (const given of ARGUMENTS[name] ?? []) {
        const more = given.map((one) => (one === "s-1" ? started?.payload.session : one));
        const answerOf = (readModel: ReadModel) => answered(() => query(readModel, ...more));
        const answer = history.asOf(position, answerOf);
        const expected = answerOf(state);
        expect(answer, `${name} as of ${position}`).toEqual(expected);
        expect(answerOf(checked), `${name} as of ${position}, checked`).toEqual(expected);
        if (JSON.stringify(expected ?? [])?.length > 4) said.add(name);
      }
    }
    expect(history.asOf(position, ({ checkpoints }) => checkpoints.list())).toEqual(state.checkpoints.list());
    for (const view of views) {
      const sql = `SELECT * FROM ${view.name} ORDER BY ${view.order.join() || 1}`;
      const rows = (readModel: ReadModel) => readModel.database.prepare(sql).all();
      expect(history.asOf(position, rows), `${view.name} as of ${position}`).toEqual(rows(state));
    }
    state.close();
    checked.close();
  }
  // Or nothing would be compared with nothing.
  expect(said.size).toBeGreaterThan(20);
  history.close();
});

/** An answer, or the refusal in its place. */
function answered(question: () => unknown): unknown {
  try {
    return question();
  } catch (error) {
    if (error instanceof Refusal || error instanceof PageError) return String(error);
    // What keptLearning says of a position without one; a RangeError could also be a missing parameter.
    if (/^RangeError: There is no learning at position /.test(String(error))) return String(error);
    throw error;
  }
}
