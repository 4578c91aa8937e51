import type { ItemReasons, ItemStep } from "../../history/why/item.ts";
import type { LearningReasons } from "../../history/why/learning.ts";
import type { PromptReasons } from "../../history/why/prompt.ts";
import type { SessionReasons } from "../../history/why/why-session.ts";
import { pc, quoteLine } from "../../lib/terminal/output.ts";
import {
  changeLines,
  eventLines,
  type Finder,
  finderOf,
  heading,
  type Speaker,
  sayOnce,
} from "./why-lines.ts";

/** Why a question, a blocker, a suggestion, a learning, a session or a prompt is as it is, for people. */
export function itemLines(reasons: ItemReasons | LearningReasons | PromptReasons | SessionReasons): string[] {
  const find = finderOf(reasons.events);
  const say = sayOnce();
  const asOf = `, as of position ${reasons.at}`;
  switch (reasons.kind) {
    case "learning":
      return [
        `${pc.bold(`learning ${reasons.id}`)} of ${quoteLine(reasons.realm, 60)}${reasons.mark === "none" ? "" : ` is ${reasons.mark}`}, said ${reasons.said.length === 1 ? "once" : `${reasons.said.length} times`}${asOf}`,
        ...heading("because", eventLines(reasons.acts, find)),
        ...heading("said", eventLines(reasons.said, find)),
        ...promptLines(reasons.prompts),
      ];
    case "prompt":
      return [
        `${pc.bold(`prompt of session ${quoteLine(reasons.session, 60)}`)}${reasons.task === null ? "" : ` of task ${reasons.task}`}, recorded at position ${reasons.position}`,
        ...heading(reasons.line === null ? "made of" : `says "${quoteLine(reasons.line)}" because of`, [
          ...eventLines(reasons.from, find),
          ...(reasons.from.length === 0 ? [`  ${NO_EVENT}`] : []),
        ]),
      ];
    case "session":
      return [
        `${pc.bold(`session ${quoteLine(reasons.id, 60)}`)}${reasons.task === null ? "" : ` of task ${reasons.task}`} is ${reasons.outcome ?? "open"}${asOf}`,
        ...heading("because", stepLines(reasons.because, say, find)),
        ...heading(
          "moved",
          reasons.moved.flatMap((change) => changeLines(change, say, find)),
        ),
      ];
    default:
      return [
        `${pc.bold(`${reasons.kind} ${reasons.id}`)} of task ${reasons.task} is ${reasons.state}${asOf}`,
        ...heading("because", stepLines(reasons.because, say, find)),
        ...heading(
          "moved",
          reasons.moved.flatMap((change) => changeLines(change, say, find)),
        ),
        ...promptLines(reasons.prompts),
      ];
  }
}

const NO_EVENT =
  "It comes from no event: it is part of the instructions, the task, its feature or its discipline.";

function stepLines(steps: readonly ItemStep[], say: Speaker, find: Finder): string[] {
  return steps.flatMap(({ means, events }) => [...say(means, "  "), ...eventLines(events, find)]);
}

function promptLines(prompts: ItemReasons["prompts"]): string[] {
  return heading(
    "in prompts",
    prompts.map(({ session, position }) => `  ${quoteLine(session, 60)}, built at position ${position}`),
  );
}
