import { isBlank } from "../../lib/blank.ts";
import { PromptError } from "./prompt-error.ts";

/**
 * Checks that a required text is not blank.
 *
 * @param command the command that fixes it
 * @throws PromptError `empty_part`
 */
export function mustSay(text: string, what: string, command: string): void {
  if (!isBlank(text)) return;
  throw new PromptError(
    "empty_part",
    `${what} is blank, so the prompt would leave it out. See \`signalbox ${command}\`.`,
  );
}
