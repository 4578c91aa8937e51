import type { TaskStatus } from "../../events/types/fields.ts";
import type { StatusRule } from "../../projections/board/status-rules.ts";
import { type Rule, STATUS_RULES } from "./rules.ts";

/** Which of a rule's alternative grounds applied. */
export interface Grounds {
  /** The stuck count reached its limit. */
  readonly counted: boolean;
  readonly aborted: boolean;
  readonly question: boolean;
  /** A row of sessions that did not get on, or ended with partial, reached its policy. */
  readonly stalled: boolean;
  /** Undefined if the events do not tell. */
  readonly escalated: boolean | undefined;
}

/**
 * A rule by its name in `status_changes`, worded for the ground that applied.
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
  const { counted, aborted, question, stalled, escalated } = grounds;
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
        [stalled, "Its sessions did not get on, or ended with partial each time"],
      ]);
    case "humans: accept":
      return to === "done"
        ? "A human accepted the work: the task is done."
        : "The done is verified; the task waits for a human to accept it.";
    default:
      return undefined;
  }
}

/** @returns undefined if none of the grounds applied */
function because(
  what: string,
  grounds: readonly (readonly [isThere: boolean, words: string])[],
): string | undefined {
  const [first, ...others] = grounds.filter(([isThere]) => isThere).map(([, words]) => words);
  if (first === undefined) return undefined;
  const more = others.map((words) => `, and ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
  return `${first}${more.join("")}: ${what}.`;
}
