import { isBlank } from "../../lib/blank.ts";
import type { Context } from "./context.ts";
import { mustSay } from "./must-say.ts";
import type { Entry } from "./part.ts";
import { quoteTask } from "./quote.ts";

/**
 * The plan of a task: its tags, pseudocode, hints, output files and size, if set.
 *
 * @throws PromptError `empty_part`: the pseudocode is blank
 */
export function describePlan({ task, limit }: Context): Entry[] {
  const { id, tags, pseudocode, hints, output_artifacts, estimated_turns } = task;
  if (pseudocode !== null) mustSay(pseudocode, `The pseudocode of task ${id}`, "task enrich");
  const sections: readonly (readonly [what: string, heading: string, text: string, share: number])[] = [
    ["tags", "Its tags:", tags.join(", "), 1 / 48],
    ["pseudocode", "How the work could be done, in pseudocode:", pseudocode ?? "", 1 / 8],
    ["hints", "Hints:", hints ?? "", 1 / 16],
    ["output artifacts", "Files that the work should make or change:", output_artifacts.join("\n"), 1 / 24],
  ];
  const said = sections
    .filter(([, , text]) => !isBlank(text))
    .map(([why, heading, text, share]) => ({
      text: `\n${heading}\n${quoteTask(task)(text, limit(share))}`,
      positions: [],
      why,
    }));
  if (estimated_turns === null) return said;
  const estimate = `\nThe work was estimated at ${estimated_turns} agent turns.`;
  return [...said, { text: estimate, positions: [], why: "estimated turns" }];
}
