import { z } from "zod";
import type { PlannedEvent } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { gatesDeclaredAt } from "../decisions/rules/gate-declarations.ts";
import type { State } from "../decisions/state.ts";
import { position } from "../events/types/fields.ts";
import type { Event } from "../events/types/index.ts";
import { planName } from "../events/types/plans.ts";
import { taskIn } from "../events/types/subject.ts";
import type { Plan } from "../projections/board/tables.ts";
import { findTask, type TaskView } from "../queries/tasks.ts";
import { decidedLines } from "./decided-gates.ts";
import type { AnyDone } from "./operation.ts";
import { requirePlan } from "./plans.ts";

/** An item's id is the position of the event that put it into the inbox. */
export const itemInput = z.strictObject({ id: position });

/** An item, or a plan by its name. */
const itemRef = z.union([
  position,
  z.string().regex(/^plan-[1-9]\d{0,8}$/, { error: "must be an item's id, or a plan's name such as plan-1" }),
]);
type ItemRef = z.input<typeof itemRef>;

/** The plan that is meant, by its name or by its item's id. @throws Refusal `not_found` */
export function planMeant(state: Pick<State, "plans">, ref: ItemRef): Plan | undefined {
  if (typeof ref === "string") return requirePlan(state, Number(ref.slice("plan-".length)));
  return state.plans.where({ begun: ref })[0];
}

/** At most so many items are acted on together. */
export const MOST_ITEMS = 200;

/** Several items for one act: the first, and the others. */
export const itemsInput = z.strictObject({
  id: itemRef,
  others: z
    .array(itemRef)
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
  planPlan: (plan: Plan) => readonly PlannedEvent[] = refusePlan,
): readonly PlannedEvent[] {
  const ids = [...new Set([id, ...others])];
  const gates = ids.find(
    (one) => ids.length > 1 && typeof one === "number" && gatesDeclaredAt(state, one).length > 0,
  );
  if (gates !== undefined) {
    throw new Refusal(
      "not_possible",
      `${gates} is a declaration of gates. Read their commands, and decide on it by itself.`,
    );
  }
  return ids.flatMap((one) => {
    const plan = planMeant(state, one);
    return plan ? planPlan(plan) : planOne(Number(one));
  });
}

function refusePlan({ plan }: Plan): never {
  throw new Refusal("not_found", `${planName(plan)} is a plan; approve or reject it.`);
}

function parseRef(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function collectRef(text: string, before: readonly (number | string)[] = []): (number | string)[] {
  return [...before, parseRef(text)];
}

/** How a command takes several. */
export const ITEMS = {
  id: ["<id>", "the item's id, as `inbox list` shows it, or a plan's name", { parse: parseRef }],
  others: [
    "[more...]",
    "more items: one act on all of them, or on none if one of them refuses it",
    { parse: collectRef },
  ],
} as const;

/** How a command takes it. */
export const ITEM = ["<id>", "the item's id, as `inbox list` shows it"] as const;

/** The answer of an act on an item. */
export interface Acted {
  readonly id: number | string;
  /** The type of its event. */
  readonly act: Event["type"];
  readonly position: number;
  /** The item's task, with its new status. */
  readonly task: TaskView | undefined;
  /** The same of the other items, if there were several. */
  readonly others?: readonly Pick<Acted, "id" | "position" | "task" | "tasks">[];
  /** The tasks of a plan that it is about. */
  readonly tasks?: readonly number[];
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
    return {
      task: task === undefined ? undefined : findTask(readModel, task),
      ...("tasks" in payload && { tasks: payload.tasks }),
    };
  };
  const others = "id" in input ? [...new Set(input.others)].filter((id) => id !== input.id) : [];
  return {
    id: "id" in input ? input.id : input.task,
    ...{ act: event.type, position: event.position },
    ...taskOf(event),
    ...(others.length > 0 && {
      others: events.slice(1).flatMap((one, place) => {
        const id = others[place];
        return id === undefined ? [] : [{ id, position: one.position, ...taskOf(one) }];
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
        ({ position, task, tasks }) =>
          `${act} at position ${position}; ${tasks ? `tasks ${tasks.join(", ")}` : `task ${task?.id} is ${task?.status}`}.`,
      ),
      ...onGates,
    ],
  };
}
