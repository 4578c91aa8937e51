import { z } from "zod";
import type { PlannedEvent } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { gatesDeclaredAt } from "../decisions/rules/gate-declarations.ts";
import type { State } from "../decisions/state.ts";
import { position } from "../events/types/fields.ts";
import type { Event } from "../events/types/index.ts";
import { taskIn } from "../events/types/subject.ts";
import { findTask, type TaskView } from "../queries/tasks.ts";
import { decidedLines } from "./decided-gates.ts";
import type { AnyDone } from "./operation.ts";

/** An item's id is the position of the event that put it into the inbox. */
export const itemInput = z.strictObject({ id: position });

/** At most so many items are acted on together. */
export const MOST_ITEMS = 200;

/** Several items for one act: the first, and the others. */
export const itemsInput = itemInput.extend({
  others: z
    .array(position)
    .max(MOST_ITEMS - 1)
    .optional(),
});

type Items = z.input<typeof itemsInput>;

/**
 * The events of one act on several items, all or none: one event for each, in their order.
 *
 * @throws Refusal as `planOne` for the first item that refuses it; `not_possible`: gates among
 * several, whose commands must be read
 */
export function planForEach(
  { id, others = [] }: Items,
  state: State,
  planOne: (id: number) => readonly PlannedEvent[],
): readonly PlannedEvent[] {
  const ids = [...new Set([id, ...others])];
  const gates = ids.find((one) => ids.length > 1 && gatesDeclaredAt(state, one).length > 0);
  if (gates !== undefined) {
    throw new Refusal(
      "not_possible",
      `${gates} is a declaration of gates. Read their commands, and decide on it by itself.`,
    );
  }
  return ids.flatMap((one) => planOne(one));
}

/** How a command takes several. */
export const ITEMS = {
  id: ["<id>", "the item's id, as `inbox list` shows it"],
  others: ["[more...]", "more items: one act on all of them, or on none if one of them refuses it"],
} as const;

/** How a command takes it. */
export const ITEM = ["<id>", "the item's id, as `inbox list` shows it"] as const;

/** The answer of an act on an item. */
export interface Acted {
  readonly id: number;
  /** The type of its event. */
  readonly act: Event["type"];
  readonly position: number;
  /** The item's task, with its new status. */
  readonly task: TaskView | undefined;
  /** The same of the other items, if there were several. */
  readonly others?: readonly Pick<Acted, "id" | "position" | "task">[];
  /** The decision on gates, in words. */
  readonly onGates: readonly string[];
}

/** Builds the answer of an act on an item, or on a waiting task. */
export function acted({
  input,
  event,
  events,
  readModel,
}: AnyDone<Items | { readonly task: number }>): Acted {
  const taskOf = ({ payload }: Event) => {
    const task = taskIn(payload);
    return task === undefined ? undefined : findTask(readModel, task);
  };
  const others = "id" in input ? [...new Set(input.others)].filter((id) => id !== input.id) : [];
  return {
    id: "id" in input ? input.id : input.task,
    ...{ act: event.type, position: event.position },
    task: taskOf(event),
    ...(others.length > 0 && {
      others: events.slice(1).flatMap((one, place) => {
        const id = others[place];
        return id === undefined ? [] : [{ id, position: one.position, task: taskOf(one) }];
      }),
    }),
    onGates: decidedLines(readModel, events),
  };
}

/** The command of an act on an item. */
export function actWords(name: string, does: string, example: string | readonly string[]) {
  return {
    ...{ name, does, example },
    takes: { id: ITEM },
    json: ({ onGates: _, ...act }: Acted) => act,
    says: ({ act, onGates, others = [], ...first }: Acted) => [
      ...[first, ...others].map(
        ({ position, task }) => `${act} at position ${position}; task ${task?.id} is ${task?.status}.`,
      ),
      ...onGates,
    ],
  };
}
