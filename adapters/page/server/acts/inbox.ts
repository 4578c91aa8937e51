import { z } from "zod";
import { actOnItem, itemKinds, MOST_ITEMS, position, taskId } from "../core.ts";
import { defineAct } from "./act.ts";

/** An action on an inbox item, by its label: `answer`, `approve`, `retry`. */
export const inboxAct = defineAct({
  name: "inbox",
  input: z.strictObject({
    id: position,
    kind: z.enum(itemKinds),
    task: taskId.nullable(),
    act: z.string().max(40),
    /** More items of the kind: all are acted on, or none. */
    others: z
      .array(z.strictObject({ id: position, task: taskId.nullable() }))
      .max(MOST_ITEMS - 1)
      .optional(),
    text: z.string().max(20_000).optional(),
  }),
  decision: (given) => actOnItem(given),
});
