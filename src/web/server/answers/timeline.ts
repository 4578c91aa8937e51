import { z } from "zod";
import { noSuchTask, stateOf, wasDeleted } from "../../../decisions/state.ts";
import { type Verb, verbs } from "../../../events/types/signals.ts";
import { findTask } from "../../../projections/queries/tasks.ts";
import {
  cardPositions,
  countTimelineCards,
  type TimelineFilter,
  timelineSections,
} from "../../../projections/queries/timeline.ts";
import { timelineCards } from "../../../projections/queries/timeline-cards.ts";
import type { ReadModel } from "../../../projections/read-model.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** The filter as query parameters. */
const filter = {
  task: wholeNumber(1),
  /** Verbs, separated by commas. */
  verb: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(verbs)))
    .optional(),
  session: z.string().max(200).optional(),
  by: z.enum(["agent", "human"]).optional(),
  late: z.literal("yes").optional(),
  text: z.string().max(200).optional(),
};

/** A task with the sections of its timeline and card counts; cards are a query of their own. */
export const timelineAnswer = defineAnswer({
  name: "timeline",
  query: z.strictObject(filter),
  answer: ({ readModel }, { task: id, ...query }) => {
    const task = taskOrDeleted(readModel, id);
    const sections = timelineSections(readModel, id, filterOf(query));
    const counts = countTimelineCards(readModel, id);
    return { ...task, sections, counts };
  },
});

/** A page of a timeline's cards. */
export const cardsAnswer = defineAnswer({
  name: "cards",
  query: z.strictObject({ ...filter, row: wholeNumber(0), limit: wholeNumber(1, 100) }),
  answer: ({ readModel }, { task, row, limit, ...query }) =>
    timelineCards(readModel, task, filterOf(query), { row, limit }),
});

/** The index of a card in a timeline; if it is not shown, the nearest card. */
export const cardIndexAnswer = defineAnswer({
  name: "card_index",
  query: z.strictObject({ ...filter, position: wholeNumber(1) }),
  answer: ({ readModel }, { task, position, ...query }) => {
    const shown = cardPositions(readModel, task, filterOf(query));
    const index = shown.indexOf(position);
    if (index >= 0) return { index, isCard: true, nearest: position };
    const all = cardPositions(readModel, task, {});
    return { index: null, isCard: all.includes(position), nearest: nearestTo(position, all) };
  },
});

/** On a tie the one before; null if there is none. @param positions ascending */
function nearestTo(position: number, positions: readonly number[]): number | null {
  const before = positions.findLast((one) => one <= position);
  const after = positions.find((one) => one > position);
  if (before === undefined || after === undefined) return before ?? after ?? null;
  return after - position < position - before ? after : before;
}

function filterOf(query: {
  verb?: Verb[] | undefined;
  session?: string | undefined;
  by?: "agent" | "human" | undefined;
  late?: "yes" | undefined;
  text?: string | undefined;
}): TimelineFilter {
  const { verb: wanted, session, by, late, text } = query;
  return { verbs: wanted, session, by, late: late && true, text };
}

/** The data of a task's head; null for a deleted task. @throws Refusal `not_found` */
function taskOrDeleted(readModel: ReadModel, id: number) {
  const task = findTask(readModel, id);
  if (task) {
    const { title, status, ready, priority, feature, discipline, origin, open_session } = task;
    return { task: { id, title, status, ready, priority, feature, discipline, origin, open_session } };
  }
  const state = stateOf(readModel);
  if (!wasDeleted(state, id)) throw noSuchTask(state, id);
  return { task: null };
}
