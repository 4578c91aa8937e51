import { z } from "zod";
import { position } from "../events/types/fields.ts";
import type { Event } from "../events/types/index.ts";
import { taskIn } from "../events/types/subject.ts";
import { findTask, type TaskView } from "../projections/queries/tasks.ts";
import { decidedLines } from "./decided-gates.ts";
import type { AnyDone } from "./operation.ts";

/** An item's id is the position of the event that put it into the inbox. */
export const itemInput = z.strictObject({ id: position });

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
  /** The decision on gates, in words. */
  readonly onGates: readonly string[];
}

/** Builds the answer of an act on an item, or on a waiting task. */
export function acted({
  input,
  event,
  events,
  readModel,
}: AnyDone<{ readonly id: number } | { readonly task: number }>): Acted {
  const task = taskIn(event.payload);
  return {
    id: "id" in input ? input.id : input.task,
    ...{ act: event.type, position: event.position },
    task: task === undefined ? undefined : findTask(readModel, task),
    onGates: decidedLines(readModel, events),
  };
}

/** The command of an act on an item. */
export function actWords(name: string, does: string, example: string) {
  return {
    ...{ name, does, example },
    takes: { id: ITEM },
    json: ({ onGates: _, ...act }: Acted) => act,
    says: ({ act, position, task, onGates }: Acted) => [
      `${act} at position ${position}; task ${task?.id} is ${task?.status}.`,
      ...onGates,
    ],
  };
}
