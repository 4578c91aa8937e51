import { z } from "zod";
import {
  ascending,
  type CardKind,
  cardPositions,
  changesOfTask,
  countTimelineCards,
  type ExplainedChange,
  findTask,
  firstStatusChange,
  gateRunHeads,
  gateRunOutput,
  noSuchTask,
  otherKinds,
  type ReadModel,
  stateOf,
  type TimelineCard,
  type TimelineFilter,
  taskInShort,
  timelineCards,
  timelineSections,
  verbs,
  wasDeleted,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { lastLines } from "./last-lines.ts";
import { wholeNumber } from "./query.ts";

/** The filter as query parameters. */
const filter = {
  task: wholeNumber(1),
  /** Kinds of cards, separated by commas. */
  kind: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum([...verbs, ...otherKinds])))
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
    return {
      ...task,
      in_short: taskInShort(readModel, id),
      added: firstStatusChange(readModel, id),
      sections,
      counts,
    };
  },
});

/** A card, with the changes of the task's status by its event. */
export interface ShownCard extends TimelineCard {
  readonly changes: readonly Pick<ExplainedChange, "from" | "to" | "means" | "causes">[];
}

/** The end of what a run of a gate printed; null if it printed nothing. */
export const gateOutputAnswer = defineAnswer({
  name: "gate_output",
  query: z.strictObject({ run: wholeNumber(1) }),
  answer: ({ readModel }, { run }): string | null => {
    const { stdout, stderr } = gateRunOutput(readModel, run) ?? {};
    const printed = [stdout, stderr].filter(Boolean).join("\n");
    return printed === "" ? null : lastLines(printed);
  },
});

/** A page of a timeline's cards. */
export const cardsAnswer = defineAnswer({
  name: "cards",
  query: z.strictObject({ ...filter, row: wholeNumber(0), limit: wholeNumber(1, 100) }),
  answer: async ({ readModel, log }, { task, row, limit, ...query }): Promise<ShownCard[]> => {
    const cards = timelineCards(readModel, task, filterOf(query), { row, limit });
    const changed = cards.flatMap(({ position, changed }) => (changed ? [position] : []));
    const changes = await changesOfTask(readModel, log, task, changed);
    return cards.map((card) => ({
      ...card,
      changes: changes
        .filter(({ position }) => position === card.position)
        .map(({ from, to, means, causes, counted }) => ({
          ...{ from, to, ...(means && { means }) },
          causes: ascending([...causes, ...counted]).slice(-CAUSES),
        })),
    }));
  },
});

/** The index of a card in a timeline; if it is not shown, the nearest card. */
export const cardIndexAnswer = defineAnswer({
  name: "card_index",
  query: z.strictObject({ ...filter, position: wholeNumber(1) }),
  answer: ({ readModel }, { task, position, ...query }) => {
    const shown = cardPositions(readModel, task, filterOf(query));
    // The card of a gate's run stands where it ended.
    const ended = gateRunHeads(readModel, [position]).get(position)?.ended_position;
    const index = shown.indexOf(ended ?? position);
    if (index >= 0) return { index, isCard: true, nearest: position };
    const all = cardPositions(readModel, task, {});
    return { index: null, isCard: all.includes(position), nearest: nearestTo(position, all) };
  },
});

/** How many of a change's causes are linked at most: the last ones. */
const CAUSES = 12;

/** On a tie the one before; null if there is none. @param positions ascending */
function nearestTo(position: number, positions: readonly number[]): number | null {
  const before = positions.findLast((one) => one <= position);
  const after = positions.find((one) => one > position);
  if (before === undefined || after === undefined) return before ?? after ?? null;
  return after - position < position - before ? after : before;
}

function filterOf(query: {
  kind?: CardKind[] | undefined;
  session?: string | undefined;
  by?: "agent" | "human" | undefined;
  late?: "yes" | undefined;
  text?: string | undefined;
}): TimelineFilter {
  const { kind: kinds, session, by, late, text } = query;
  return { kinds, session, by, late: late && true, text };
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
