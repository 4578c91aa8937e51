import type { TaskStatus } from "../../events/types/fields.ts";
import type { StatusRule } from "../../projections/board/status-rules.ts";
import { type Rule, STATUS_RULES } from "./rules.ts";

/** Which of the grounds that a rule names was there. */
export interface Grounds {
  /** The stuck count had reached its limit. */
  readonly counted: boolean;
  readonly aborted: boolean;
  readonly question: boolean;
  /** Undefined where the events do not tell. */
  readonly escalated: boolean | undefined;
}

/**
 * A rule by its name in `status_changes`, in words that say which of its grounds was there.
 *
 * @returns undefined for a rule that this version of the program does not know
 */
export function ruleOf(name: string, to: TaskStatus, grounds: Grounds): Rule | undefined {
  if (!isRule(name)) return undefined;
  const rule = STATUS_RULES[name];
  const sentence = inParticular(name, to, grounds);
  return sentence === undefined ? rule : { ...rule, sentence };
}

function isRule(name: string): name is StatusRule {
  return Object.hasOwn(STATUS_RULES, name);
}

function inParticular(name: StatusRule, to: TaskStatus, grounds: Grounds): string | undefined {
  const { counted, aborted, question, escalated } = grounds;
  switch (name) {
    case "settlement 7a":
      return because("the task has failed", [
        [counted, "The stuck count has reached its limit"],
        [aborted, "A gate was aborted"],
      ]);
    case "settlement 7b":
      if (escalated === undefined) return undefined;
      return because("the task waits for a human", [
        [escalated, "A gate is escalated"],
        [question, "A question is open"],
      ]);
    case "humans: accept":
      return to === "done"
        ? "A human accepted the work: the task is done."
        : "The done is verified, and a human is to accept it: the task waits for the human.";
    default:
      return undefined;
  }
}

/** @returns undefined where none of the grounds is there */
function because(
  what: string,
  grounds: readonly (readonly [isThere: boolean, words: string])[],
): string | undefined {
  const [first, ...others] = grounds.filter(([isThere]) => isThere).map(([, words]) => words);
  if (first === undefined) return undefined;
  const more = others.map((words) => `, and ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
  return `${first}${more.join("")}: ${what}.`;
}
