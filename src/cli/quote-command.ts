import { visible } from "../events/visible.ts";

/**
 * A gate's command, whole, for a human who decides whether it may be run: every line of it, however long, with what would
 * act on the terminal or cannot be seen as escapes. Only a line feed ends a line, as for the shell.
 */
export function quoteCommand(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
