import { z } from "zod";
import { position, taskId } from "../../../events/types/fields.ts";
import { actOnItem } from "../../../operations/inbox-acts.ts";
import { itemKinds } from "../../../projections/board/inbox-tables.ts";
import { defineAct } from "./act.ts";

/** An action on an inbox item, by its label: `answer`, `approve`, `retry`. */
export const inboxAct = defineAct({
  name: "inbox",
  input: z.strictObject({
    id: position,
    kind: z.enum(itemKinds),
    task: taskId,
    act: z.string().max(40),
    text: z.string().max(20_000).optional(),
  }),
  decision: (given) => actOnItem(given),
});
