import { z } from "zod";
import { undo } from "../../../decisions/inbox.ts";
import { actsOn } from "../../../decisions/inbox-acts.ts";
import { Refusal } from "../../../decisions/refusal.ts";
import { itemKinds } from "../answers/inbox.ts";
import { defineAct } from "./act.ts";

const position = z.int().min(1);

/** One of the acts that an item of the inbox has, by its label: `answer`, `approve`, `retry`. */
export const inboxAct = defineAct({
  name: "inbox",
  input: z.strictObject({
    id: position,
    kind: z.enum(itemKinds),
    task: position,
    act: z.string().max(40),
    text: z.string().max(20_000).optional(),
  }),
  plan: ({ act, text = "", ...item }, state) => {
    const acts = actsOn(item);
    const found = acts.find(({ label }) => label === act);
    if (!found) {
      const known = acts.map(({ label }) => label).join(", ") || "none";
      throw new Refusal("not_possible", `There is no act "${act}" on a ${item.kind}; there is: ${known}.`);
    }
    return found.plan(item, text)(state);
  },
});

/** Takes back what was done with an item, until the task's next session starts. */
export const undoAct = defineAct({
  name: "undo",
  input: z.strictObject({ id: position }),
  plan: ({ id }, state) => undo({ id }, state),
});
