import { z } from "zod";
import { toIsoTime } from "../../../events/time.ts";
import { priority, taskStatus, taskStatuses } from "../../../events/types/fields.ts";
import { policyValue } from "../../../projections/board/policies.ts";
import { policies } from "../../../projections/board/tables.ts";
import {
  type Card,
  type CardCount,
  cardsOf,
  countCards,
  findCard,
} from "../../../projections/queries/cards.ts";
import { listDisciplines, listFeatures } from "../../../projections/queries/catalogue.ts";
import { taskSummary } from "../../../projections/queries/task-summary.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** So many cards of a column come with the board; the others are asked for as they come into sight. */
const CARDS_PER_PAGE = 30;

const filter = {
  feature: z.string().max(100).optional(),
  discipline: z.string().max(100).optional(),
  priority: priority.optional(),
  text: z.string().max(200).optional(),
};

/** A column of the board: its counts, and its first cards where it is open. */
export interface BoardColumn {
  readonly status: Card["status"];
  /** All tasks of the status, and those that the filter lets through. */
  readonly all: Omit<CardCount, "status">;
  readonly matching: Omit<CardCount, "status">;
  readonly cards: readonly Card[];
}

/** Every column with its counts; of the open ones, named in `open` and parted by commas, the first cards. */
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
      /** The moment that the board shows: what lasts, lasts until then. */
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

/** One card; null where there is no such task. */
export const cardAnswer = defineAnswer({
  name: "card",
  query: z.strictObject({ task: wholeNumber(1) }),
  answer: ({ readModel }, { task }) => findCard(readModel, task) ?? null,
});

/** A task with its direct neighbours, for the panel beside the board and for the graph; null where there is none. */
export const taskSummaryAnswer = defineAnswer({
  name: "task-summary",
  query: z.strictObject({ task: wholeNumber(1) }),
  answer: ({ readModel }, { task }) => taskSummary(readModel, task, NODES) ?? null,
});

const NONE = { tasks: 0, ready: 0 };
/** More nobody can read at once. */
const NODES = 40;

function isFilter(sought: object): boolean {
  return Object.values(sought).some((value) => value !== undefined);
}
