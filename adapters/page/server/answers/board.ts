import { z } from "zod";
import {
  type Card,
  type CardCount,
  cardsOf,
  countCards,
  findCard,
  listDisciplines,
  listFeatures,
  policies,
  policyValue,
  priority,
  taskStatus,
  taskStatuses,
  taskSummary,
  toIsoTime,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** Cards per column in the board's answer; further pages are queries of their own. */
const CARDS_PER_PAGE = 30;

const filter = {
  feature: z.string().max(100).optional(),
  discipline: z.string().max(100).optional(),
  priority: priority.optional(),
  text: z.string().max(200).optional(),
};

/** A column of the board: its counts, and its first cards if it is open. */
export interface BoardColumn {
  readonly status: Card["status"];
  /** All tasks of the status, and those that match the filter. */
  readonly all: Omit<CardCount, "status">;
  readonly matching: Omit<CardCount, "status">;
  readonly cards: readonly Card[];
}

/** All columns with counts, and the first cards of those named in `open`, separated by commas. */
export const boardAnswer = defineAnswer({
  name: "board",
  query: z.strictObject({ ...filter, open: z.string().max(100) }),
  answer: ({ readModel, now }, { open, ...sought }) => {
    const openOnes = new Set(open.split(","));
    const all = new Map(countCards(readModel, {}).map((count) => [count.status, count]));
    const matching = isFilter(sought)
      ? new Map(countCards(readModel, sought).map((count) => [count.status, count]))
      : all;
    return {
      columns: taskStatuses.map((status): BoardColumn => {
        const isShown = openOnes.has(status) && matching.has(status);
        return {
          status,
          all: all.get(status) ?? NONE,
          matching: matching.get(status) ?? NONE,
          cards: isShown ? cardsOf(readModel, status, sought, { row: 0, limit: CARDS_PER_PAGE }) : [],
        };
      }),
      features: listFeatures(readModel).map(({ name }) => name),
      disciplines: listDisciplines(readModel).map(({ name }) => name),
      stuck_limit: policyValue(readModel.rowsOf({ policies }), "stuck_limit"),
      /** The end of running durations. */
      now: toIsoTime(now),
    };
  },
});

/** A further page of a column. */
export const columnAnswer = defineAnswer({
  name: "column",
  query: z.strictObject({ ...filter, status: taskStatus, row: wholeNumber(0) }),
  answer: ({ readModel }, { status, row, ...sought }) =>
    cardsOf(readModel, status, sought, { row, limit: CARDS_PER_PAGE }),
});

/** One card; null if there is no such task. */
export const cardAnswer = defineAnswer({
  name: "card",
  query: z.strictObject({ task: wholeNumber(1) }),
  answer: ({ readModel }, { task }) => findCard(readModel, task) ?? null,
});

/** A task with its direct neighbours, for the pane and the graph; null if there is no such task. */
export const taskSummaryAnswer = defineAnswer({
  name: "task-summary",
  query: z.strictObject({ task: wholeNumber(1) }),
  answer: ({ readModel }, { task }) => taskSummary(readModel, task, NODES) ?? null,
});

const NONE = { tasks: 0, ready: 0 };
/** A larger graph is unreadable. */
const NODES = 40;

function isFilter(sought: object): boolean {
  return Object.values(sought).some((value) => value !== undefined);
}
