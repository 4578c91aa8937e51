import { Refusal } from "../decisions/refusal.ts";
import { alreadyDecided, FLAGS_BY_HUMANS, noSuchItem } from "../decisions/rules/inbox-items.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { byHumans } from "./by-humans.ts";
import { acted, actWords, ITEMS, itemsInput, planForEach } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

/**
 * A human has seen blocking flags: they leave the inbox. It settles nothing.
 *
 * @throws Refusal `not_found`, `already_decided`; `not_possible`: the caller is an agent, or the
 * flag is not a blocking one, which the inbox never shows
 */
export const acknowledgeFlag = defineOperation({
  type: "flag.acknowledged",
  input: itemsInput,
  permit: byHumans(FLAGS_BY_HUMANS),
  plan: (items, state) =>
    planForEach(items, state, (id) => [
      { type: "flag.acknowledged", payload: { task: requireBlockingFlag(state, id), flag: id } },
    ]),
  answer: acted,
  command: {
    ...actWords("acknowledge", "mark blocking flags as seen: they leave the inbox", "45"),
    takes: ITEMS,
  },
});

/** The task of a blocking flag that nobody has acknowledged. */
function requireBlockingFlag(state: State, id: number): number {
  const flag = state.flags.get(id);
  if (!flag) throw noSuchItem(state, "flag", id);
  requireTask(state, flag.task_id);
  if (flag.severity !== "blocking") {
    throw new Refusal(
      "not_possible",
      `Flag ${id} is of severity ${flag.severity}. Only blocking flags are in the inbox, so there is ` +
        "nothing to acknowledge.",
    );
  }
  if (flag.acted_at !== null) throw alreadyDecided("Flag", { id, state: "acknowledged" });
  return flag.task_id;
}
