import { z } from "zod";
import { undo } from "../../../decisions/inbox.ts";
import { actsOn } from "../../../decisions/inbox-acts.ts";
import { Refusal } from "../../../decisions/refusal.ts";
import type { State } from "../../../decisions/state.ts";
import { itemKinds } from "../../../projections/board/inbox-tables.ts";
import { defineAct } from "./act.ts";

const position = z.int().min(1);

/** An action on an inbox item, by its label: `answer`, `approve`, `retry`. */
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
      throw new Refusal(
        "not_possible",
        `"${act}" is not an action for this ${item.kind}. Possible actions: ${known}.`,
      );
    }
    requireItsTask(item, state);
    return found.plan(item, text)(state);
  },
});

/** Rejects an id that belongs to another task than the page shows. @throws Refusal `not_found` */
function requireItsTask({ id, task }: { readonly id: number; readonly task: number }, state: State): void {
  const proposal = state.suggestions.get(id);
  const found = proposal ?? state.questions.get(id) ?? state.blockers.get(id);
  // A proposal belongs to its draft if the task that it was made on was deleted.
  if (!found || found.task_id === task || proposal?.proposed_task === task) return;
  throw new Refusal("not_found", `Item ${id} belongs to task ${found.task_id}, not to task ${task}.`);
}

/** Undoes the action on an item, until the task's next session starts. */
export const undoAct = defineAct({
  name: "undo",
  input: z.strictObject({ id: position }),
  plan: ({ id }, state) => undo({ id }, state),
});
