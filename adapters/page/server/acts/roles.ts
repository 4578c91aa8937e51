import { decidedOn, type Project, type Role, roleForItem } from "../core.ts";
import type { ActName, InputOf } from "./index.ts";

/** The role that each action needs, where it is the same for all that it is done to. */
const ROLES: Readonly<Record<Exclude<ActName, "inbox" | "undo">, Role>> = {
  comment: "answer",
  mark_learning: "decide",
  split_learning: "decide",
  set_status: "decide",
  create_task: "decide",
  change_task: "decide",
  pause_work: "own",
  resume_work: "own",
  stop_loop: "own",
  start_loop: "own",
};

/** The role that an action of the page needs (docs/people.md). @param input as it was parsed by the action's schema */
export async function roleForAct(project: Project, name: ActName, input: unknown): Promise<Role> {
  if (name === "inbox") return roleForItem((input as InputOf<"inbox">).kind);
  if (name !== "undo") return ROLES[name];
  const { id, others = [] } = input as InputOf<"undo">;
  return project.ask((tables) => {
    const { questions, blockers, flags } = tables.rowsOf(decidedOn);
    const isAnswer = (one: number | string) =>
      typeof one === "number" && (questions.get(one) ?? blockers.get(one) ?? flags.get(one));
    return [id, ...others].every(isAnswer) ? "answer" : "decide";
  });
}
